#include <cerrno>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "core/io/autosave.h"
#include "core/io/file_stamp.h"
#include "core/io/format.h"
#include "core/io/settings.h"
#include "tests/core/io/folder.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;
using stowage::testing::Folder;
namespace fs = std::filesystem;

namespace {

/// Enough buffers that a write takes several calls.
Document document_of(std::int64_t size) {
  ProblemInput input;
  for (int k = 0; k < 40; ++k) input.add("buffer " + std::to_string(k), buffer(k, k + 3, size));
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  return document;
}

/// Lets the n-th call fail, counted from 1, and every one after it: a full disk stays full.
FileProbe failing_from(int n) {
  FileProbe probe;
  probe.chunk = 512;
  probe.before = [n, calls = 0](FileCall) mutable {
    return ++calls >= n ? ENOSPC : 0;
  };
  return probe;
}

/// The program dies at the n-th call.
FileProbe dying_at(int n) {
  FileProbe probe = failing_from(n);
  probe.before = [n, calls = 0](FileCall) mutable {
    if (++calls == n) ::_exit(7);
    return 0;
  };
  return probe;
}

/// Runs it in a process of its own; true when that died at a call.
template <typename Work>
bool dies(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7));
  return WEXITSTATUS(status) == 7;
}

std::int64_t size_in(const std::string& path) {
  const auto document = open_document(path, ReadOptions{});
  REQUIRE_MESSAGE(document, document.error().message);
  REQUIRE(document->problem->size() == 40);
  return (*document->problem)[0].size;
}

const Format& native() {
  return *find_format("stowage-json");
}

}  // namespace

TEST_CASE("a save that fails at any of its calls says so and leaves the old file whole, and no other") {
  const Folder folder;
  const std::string path = folder / "model.json";
  bool finished = false;
  int failures = 0;
  for (int n = 1; !finished; ++n) {
    CAPTURE(n);
    REQUIRE(save_document(document_of(100), path, native(), {}));
    const auto saved = save_document(document_of(200), path, native(), {}, failing_from(n));
    finished = saved.has_value();
    CHECK(size_in(path) == (finished ? 200 : 100));
    if (!finished) {
      ++failures;
      CHECK(saved.error().message.find(path) == 0);
    }
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  }
  CHECK(failures > 8);  // several writes, and everything about them
}

TEST_CASE("a program that dies at any call of a save leaves the old file or the new one") {
  const Folder folder;
  const std::string path = folder / "model.json";
  int deaths = 0;
  for (int n = 1;; ++n) {
    CAPTURE(n);
    REQUIRE(save_document(document_of(100), path, native(), {}));
    const bool died = dies([&] { (void)save_document(document_of(200), path, native(), {}, dying_at(n)); });
    CHECK(size_in(path) == (died ? 100 : 200));
    if (!died) break;
    ++deaths;
  }
  CHECK(deaths > 8);
  remove_unfinished(folder.path());
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a program that dies at any call of an autosave leaves whole work, and the next start offers it") {
  int deaths = 0;
  for (int n = 1;; ++n) {
    CAPTURE(n);
    const Folder folder;
    const bool died = dies([&] {
      { (void)Autosave(folder.path()).keep(document_of(100)); }
      Autosave again(folder.path(), dying_at(n));
      for (const LeftWork& work : again.left()) again.adopt(work);
      (void)again.keep(document_of(200));
    });
    Autosave next(folder.path());
    const auto left = next.left();
    REQUIRE(left.size() == 1);
    const auto document = next.open(left.front());
    REQUIRE(document);
    CHECK((*document->problem)[0].size == (died ? 100 : 200));
    if (!died) break;
    ++deaths;
    int entries = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (entry.path().extension() == ".tmp") ++entries;
    }
    CHECK(entries == 0);
  }
  CHECK(deaths > 8);
}

TEST_CASE("settings survive a write that fails or dies at any of its calls") {
  const Folder folder;
  Settings old;
  old.theme = "light";
  Settings changed = old;
  changed.theme = "dark";
  for (int n = 1;; ++n) {
    CAPTURE(n);
    REQUIRE(write_settings(folder.path(), old));
    const bool written = write_settings(folder.path(), changed, failing_from(n)).has_value();
    REQUIRE(read_settings(folder.path()));
    CHECK(read_settings(folder.path())->theme == (written ? "dark" : "light"));
    REQUIRE(write_settings(folder.path(), old));
    const bool died = dies([&] { (void)write_settings(folder.path(), changed, dying_at(n)); });
    CHECK(read_settings(folder.path())->theme == (died ? "light" : "dark"));
    if (written && !died) break;
  }
}

TEST_CASE("a watched file has changed once it is another one and quiet") {
  const Folder folder;
  const std::string path = folder / "watched";
  REQUIRE(write_file(path, "one"));
  FileWatch watch;
  CHECK_FALSE(watch.changed());  // watches nothing yet
  watch.restart(path);
  CHECK_FALSE(watch.changed());
  REQUIRE(write_file(path, "two!"));
  CHECK_FALSE(watch.changed());  // it may still be being written
  REQUIRE(write_file(path, "three"));
  CHECK_FALSE(watch.changed());
  CHECK(watch.changed());
  CHECK_FALSE(watch.changed());
  fs::remove(path);
  CHECK_FALSE(watch.changed());
  CHECK_FALSE(watch.changed());
  REQUIRE(write_file(path, "again, after it was gone"));
  CHECK_FALSE(watch.changed());
  CHECK(watch.changed());
}
