#include "core/io/file.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/core/io/folder.h"

using namespace stowage;
using stowage::testing::Folder;
namespace fs = std::filesystem;

namespace {

std::string file_error(const std::string& path, std::int64_t limit = kReadLimit) {
  const auto bytes = read_file(path, limit);
  REQUIRE_FALSE(bytes.has_value());
  CHECK(bytes.error().kind == Error::Kind::kInput);
  CHECK(bytes.error().message.find(path) == 0);
  return bytes.error().message;
}

}  // namespace

TEST_CASE("files: what is written is read, byte by byte") {
  const Folder folder;
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) bytes += static_cast<char>(i * 7 % 251);
  for (const std::string& content : {std::string(), std::string("a"), bytes}) {
    REQUIRE(write_file(folder / "58 ünïcode %20", content).has_value());
    CHECK(read_file(folder / "58 ünïcode %20").value() == content);
  }
  CHECK(folder.entries() == 1);
}

TEST_CASE("files: what is no regular file is refused by name") {
  const Folder folder;
  CHECK(file_error(folder / "absent").find("No such file") != std::string::npos);
  CHECK(file_error(folder / "").find("a directory") != std::string::npos);
  CHECK(file_error("/dev/null").find("a device") != std::string::npos);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(file_error(folder / "pipe").find("a pipe") != std::string::npos);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (folder / "socket").copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(file_error(folder / "socket").find("a socket") != std::string::npos);
  ::close(socket);
}

TEST_CASE("files: one above the limit is refused, one at the limit is read") {
  const Folder folder;
  REQUIRE(write_file(folder / "f", "12345").has_value());
  CHECK(read_file(folder / "f", 5).value() == "12345");
  CHECK(file_error(folder / "f", 4).find("larger than the limit") != std::string::npos);
}

TEST_CASE("files: writing keeps permissions and leaves no temporary file") {
  const Folder folder;
  REQUIRE(write_file(folder / "f", "old").has_value());
  REQUIRE(::chmod((folder / "f").c_str(), 0640) == 0);
  REQUIRE(write_file(folder / "f", "new").has_value());
  struct stat facts = {};
  REQUIRE(::stat((folder / "f").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07777) == 0640);
  CHECK(read_file(folder / "f").value() == "new");
  CHECK(folder.entries() == 1);
}

TEST_CASE("files: a symbolic link stays one, also to a file that is not there yet") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/real", folder / "link");
  for (const char* content : {"first", "second"}) {
    REQUIRE(write_file(folder / "link", content).has_value());
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(read_file(folder / "sub/real").value() == content);
  }
}

TEST_CASE("files: a write that fails names path and reason and leaves the old file and no other") {
  const Folder folder;
  const auto missing = write_file(folder / "no/such/f", "x");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message.find(folder / "no/such/f") == 0);
  CHECK(missing.error().message.find("No such file") != std::string::npos);
  fs::create_directory(folder / "dir");
  CHECK(write_file(folder / "dir", "x").error().message.find("a directory") != std::string::npos);
  CHECK(write_file(folder / "new/", "x").has_value() == false);
  CHECK(write_file("", "x").has_value() == false);
  CHECK(folder.entries() == 1);
}

TEST_CASE("files: a finished file takes the place of another with its permissions, but not that of a device") {
  const Folder folder;
  REQUIRE(write_file(folder / "old", "before"));
  fs::permissions(folder / "old", fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(write_file(folder / "new", "after"));
  REQUIRE(move_into_place(folder / "new", folder / "old"));
  CHECK(read_file(folder / "old").value() == "after");
  CHECK(fs::status(folder / "old").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.entries() == 1);
  CHECK_FALSE(move_into_place(folder / "old", "/dev/null").has_value());
  CHECK_FALSE(move_into_place(folder / "none", folder / "old").has_value());
  CHECK(read_file(folder / "old").value() == "after");
}

TEST_CASE("files: writing to a device writes to it and does not replace it") {
  REQUIRE(write_file("/dev/null", "x").has_value());
  struct stat facts = {};
  REQUIRE(::stat("/dev/null", &facts) == 0);
  CHECK(S_ISCHR(facts.st_mode));
}
