#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace stowage::testing {

TEST_CASE("help: names every subcommand, and each subcommand explains itself on standard output") {
  const Bench bench;
  const Ran help = bench.run({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  for (const std::string command : {"plan", "check", "info", "convert", "export", "compare", "list"}) {
    CAPTURE(command);
    CHECK(contains(help.out, "\n  " + command + " "));
    const Ran own = bench.run({command, "--help"});
    CHECK(own.code == 0);
    CHECK(contains(own.out, "stowage " + command));
    CHECK(own.err.empty());
  }
  for (const std::string option :
       {"--allocator", "--set", "--capacity", "--seed", "--time-limit", "--align", "--keep-offsets", "--out", "--png",
        "--svg", "--pdf", "--steps", "--json", "--from", "--times", "--offsets", "--lenient"}) {
    CAPTURE(option);
    CHECK(contains(bench.run({"plan", "--help"}).out, option));
  }
}

TEST_CASE("version: names version, commit, compiler and libraries") {
  const Bench bench;
  const Ran version = bench.run({"--version"});
  CHECK(version.code == 0);
  for (const char* word : {"stowage 0.", "commit ", "compiler ", "CLI11", "cairo"}) CHECK(contains(version.out, word));
}

TEST_CASE("usage: every wrong command line ends with 2, says why on standard error and prints no result") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  struct Case {
    std::vector<std::string> arguments;
    const char* says;
  };
  const std::vector<Case> cases = {
      {{"plan"}, "FILE"},
      {{"plan", "toy.csv", "--no-such-option"}, "--no-such-option"},
      {{"plan", "toy.csv", "second.csv"}, "second.csv"},
      {{"plna", "toy.csv"}, "did you mean 'plan'"},
      {{"plan", "toy.csv", "--allocator", "first-fit-sise"}, "did you mean 'first-fit-size'"},
      {{"plan", "toy.csv", "--allocator", "skylien"}, "did you mean 'skyline'"},
      {{"plan", "toy.csv", "--capacity", "many"}, "--capacity"},
      {{"plan", "toy.csv", "--capacity", "-5"}, "--capacity"},
      {{"plan", "toy.csv", "--capacity", "1.5"}, "--capacity"},
      {{"plan", "toy.csv", "--time-limit", "soon"}, "--time-limit"},
      {{"plan", "toy.csv", "--align", "0"}, "--align"},
      {{"plan", "toy.csv", "--keep-offsets"}, "no plan to keep"},
      {{"plan", "toy.csv", "--set", "order=area"}, "order"},
      {{"plan", "toy.csv", "--allocator", "all", "--set", "order=area"}, "--allocator"},
      {{"plan", "toy.csv", "--allocator", "first-fit", "--set", "order"}, "KEY=VALUE"},
      {{"plan", "toy.csv", "--allocator", "first-fit", "--set", "odrer=area"}, "odrer"},
      {{"plan", "toy.csv", "--out", "-"}, "--to"},
      {{"plan", "toy.csv", "--json", "--out", "-", "--to", "minimalloc-csv"}, "standard output"},
      {{"plan", "toy.csv", "--out", "x.csv", "--steps", "x.csv"}, "two outputs"},
      {{"plan", "toy.csv", "--out", "x.csv", "--to", "minimaloc-csv"}, "did you mean 'minimalloc-csv'"},
      {{"plan", "toy.csv", "--png", "x.png", "--size", "wide"}, "--size"},
      {{"plan", "toy.csv", "--png", "x.png", "--size", "99999x10"}, "--size"},
      {{"plan", "toy.csv", "--png", "x.png", "--theme", "blue"}, "--theme"},
      {{"info", "toy.csv", "--from", "stowage-jsn"}, "did you mean 'stowage-json'"},
      {{"info", "toy.csv", "--times", "sometimes"}, "--times"},
      {{"info", "toy.csv", "--offsets", "none"}, "--offsets"},
      {{"check", "toy.csv", "--plan", "p9"}, "no plan 'p9'"},
      {{"check", "toy.csv", "--max-overhead", "x%"}, "--max-overhead"},
      {{"export", "toy.csv"}, "--png"},
      {{"export", "toy.csv", "--png", "x.png", "--view", "steps"}, "--allocator"},
      {{"export", "toy.csv", "--png", "x.png", "--view", "cheese"}, "no such view"},
      {{"export", "toy.csv", "--png", "x.png", "--labels", "maybe"}, "--labels"},
      {{"compare"}, "FILE"},
      {{"compare", "toy.csv", "--allocators", "naive,nive"}, "nive"},
      {{"compare", "toy.csv", "--json", "--csv"}, "exclude"},
      {{"compare", "-", "-"}, "only once"},
      {{"convert", "toy.csv"}, "OUT"},
      {{"convert", "toy.csv", "toy.png"}, "--png"},
      {{"list"}, "WHAT"},
      {{"list", "recipes"}, "recipes"},
  };
  for (const Case& wrong : cases) {
    std::string line;
    for (const std::string& word : wrong.arguments) line += word + " ";
    CAPTURE(line);
    const Ran ran = bench.run(wrong.arguments);
    CAPTURE(ran.err);
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, wrong.says));
    CHECK(ran.out.empty());
  }
  CHECK(bench.files() == std::vector<std::string>{"toy.csv"});
}

TEST_CASE("window: without a display it ends with 3 and points to the command line") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran ran = bench.run({"toy.csv", "--config", bench.path("config")});
  CHECK(ran.code == 3);
  CHECK(contains(ran.err, STOWAGE_WINDOW ? "display" : "no window"));
}

}  // namespace stowage::testing
