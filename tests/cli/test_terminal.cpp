#include <pty.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace stowage::testing {
namespace {

/// What the program says on a terminal, both streams in one.
std::string on_terminal(const std::string& file, const char* allocator) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    ::execl(STOWAGE_PROGRAM, STOWAGE_PROGRAM, "plan", file.c_str(), "--allocator", allocator, "--time-limit", "1500ms",
            nullptr);
    ::_exit(127);
  }
  std::string said;
  char piece[4096];
  for (ssize_t got = 0; (got = ::read(terminal, piece, sizeof piece)) > 0;) {  // fails when the program has ended
    said.append(piece, static_cast<std::size_t>(got));
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  return said;
}

/// No first fit is as low as the load, so that a search over orders uses its time.
std::string hard_rows() {
  std::string rows = "id,lower,upper,size\n";
  for (int k = 0; k < 400; ++k) {
    rows += "b" + std::to_string(k) + "," + std::to_string(k * 37 % 100) + "," +
            std::to_string(k * 37 % 100 + 3 + k % 11) + "," + std::to_string(1000 + k * 7919 % 5003) + "\n";
  }
  return rows;
}

}  // namespace

TEST_CASE("terminal: long work says how far it is, and nothing of that is left at the end") {
  const Bench bench;
  bench.write("hard.csv", hard_rows());
  const std::string said = on_terminal(bench.path("hard.csv"), "hill-climb");
  constexpr std::string_view erase = "\r\x1B[K";
  const std::size_t first = said.find("\x1B[Khill-climb: ");
  REQUIRE(first != std::string::npos);
  const std::size_t last = said.rfind("\x1B[Khill-climb: ");
  CHECK(said.substr(last, 24).find(" %") != std::string::npos);
  CHECK(last > first);  // it moved on
  const std::size_t erased = said.find(erase, last);
  REQUIRE(erased != std::string::npos);
  CHECK(said.find("makespan") > erased);
}

TEST_CASE("terminal: short work, and work that nobody watches, says nothing of it") {
  const Bench bench;
  bench.write("hard.csv", hard_rows());
  CHECK_FALSE(contains(on_terminal(bench.path("hard.csv"), "first-fit-size"), "first-fit-size: "));
  const Ran ran = bench.run({"plan", "hard.csv", "--allocator", "hill-climb", "--time-limit", "800ms"});
  CHECK(ran.code == 0);
  CHECK_FALSE(contains(ran.err, "\r"));
  CHECK_FALSE(contains(ran.err, " %"));
}

}  // namespace stowage::testing
