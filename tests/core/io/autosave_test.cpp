#include "core/io/autosave.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/io/format.h"
#include "core/io/settings.h"
#include "tests/core/io/folder.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;
using stowage::testing::Folder;
namespace fs = std::filesystem;

namespace {

Document document_of(const std::string& path, std::int64_t size) {
  ProblemInput input;
  input.add("a", buffer(0, 3, size));
  Document document;
  document.path = path;
  document.facts.format = "minimalloc-csv";
  document.extra = R"({"mine":[1,2]})";
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  return document;
}

}  // namespace

TEST_CASE("autosave: what a program left behind comes back with the file it belongs to") {
  const Folder folder;
  {
    Autosave autosave(folder.path());
    REQUIRE(autosave.keep(document_of("/models/net.csv", 7)));
    REQUIRE(autosave.keep(document_of("/models/net.csv", 8)));
  }
  Autosave next(folder.path());
  const auto left = next.left();
  REQUIRE(left.size() == 1);
  CHECK(left[0].title == "net.csv");
  CHECK(left[0].path == "/models/net.csv");
  CHECK(left[0].seconds > 0);
  const auto document = next.open(left[0]);
  REQUIRE(document);
  CHECK(document->path == "/models/net.csv");
  CHECK(document->facts.format == "minimalloc-csv");
  CHECK(document->extra == R"({"mine":[1,2]})");
  CHECK((*document->problem)[0].size == 8);
  next.discard(left[0]);
  CHECK(next.left().empty());
}

TEST_CASE("autosave: a running program's work is nobody else's, and what one window offers no other does") {
  const Folder folder;
  Autosave one(folder.path());
  REQUIRE(one.keep(document_of("", 1)));
  Autosave two(folder.path());
  CHECK(two.left().empty());
  REQUIRE(two.keep(document_of("", 2)));
  CHECK(one.left().empty());
  {
    Autosave dead(folder.path());
    REQUIRE(dead.keep(document_of("", 3)));
  }
  REQUIRE(one.left().size() == 1);
  CHECK(two.left().empty());
  CHECK(one.left().size() == 1);  // asked again it still has it
  one.release_left();
  const auto left = two.left();
  REQUIRE(left.size() == 1);
  CHECK(left[0].title == "untitled");
  CHECK((*two.open(left[0])->problem)[0].size == 3);
}

TEST_CASE("autosave: adopted work is the program's own and goes when that is saved") {
  const Folder folder;
  { REQUIRE(Autosave(folder.path()).keep(document_of("", 3))); }
  {
    Autosave next(folder.path());
    const auto left = next.left();
    REQUIRE(left.size() == 1);
    next.adopt(left[0]);
    CHECK(next.left().empty());
    CHECK_FALSE(Autosave(folder.path()).left().size() > 0);
  }
  Autosave last(folder.path());  // it ended without saving: still there
  REQUIRE(last.left().size() == 1);
  last.adopt(last.left()[0]);
  REQUIRE(last.keep(document_of("", 4)));
  last.forget();
  CHECK(last.left().empty());
  CHECK(Autosave(folder.path()).left().empty());
}

TEST_CASE("autosave: lies beside other settings than the user's own, or nowhere") {
  CHECK(autosave_folder("").empty());
  CHECK(autosave_folder("/tmp/x") == "/tmp/x/autosave");
  const char* state = std::getenv("XDG_STATE_HOME");
  const std::string was = state != nullptr ? state : "";
  ::setenv("XDG_STATE_HOME", "/tmp/state", 1);
  CHECK(autosave_folder(default_config_folder()) == "/tmp/state/stowage");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  CHECK(autosave_folder(default_config_folder()).find("/.local/state/stowage") != std::string::npos);
  if (state != nullptr) {
    ::setenv("XDG_STATE_HOME", was.c_str(), 1);
  } else {
    ::unsetenv("XDG_STATE_HOME");
  }
  Autosave nowhere("");
  CHECK(nowhere.keep(document_of("", 1)));
  CHECK(nowhere.left().empty());
}
