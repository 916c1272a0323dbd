#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("bench: medians over seeds as a table and as JSON, and two results compared") {
  const Bench bench;
  bench.write("greedy.csv", kGreedy);
  const Ran table = bench.run(
      {"bench", "--set", "greedy.csv", "--allocators", "best,first-fit-size", "--seeds", "2", "--time-limit", "500ms"});
  CHECK(table.code == 0);
  CHECK(contains(table.out, "1.00000"));
  CHECK(contains(table.out, "first-fit-size"));

  const Ran ran =
      bench.run({"bench", "-s", "greedy.csv", "-a", "best", "-a", "first-fit-size", "--seeds", "3", "--json"});
  REQUIRE(ran.code == 0);
  const Json json = Json::parse(ran.out);
  REQUIRE(json.size() == 2);
  CHECK(json[0].at("allocator") == "best");
  CHECK(json[0].at("runs") == 3);
  CHECK(json[0].at("proved") == 3);
  CHECK(json[0].at("ratio_worst") == 1.0);
  CHECK(json[1].at("ratio_median").get<double>() > 1.3);
  bench.write("old.json", ran.out);
  const Ran compared = bench.run({"bench", "--compare", "old.json", "old.json"});
  CHECK(compared.code == 0);
  CHECK(contains(compared.out, "greedy.csv"));
  CHECK(contains(compared.out, "1.00"));
}

TEST_CASE("bench: what is neither a set nor a folder, no allocator, or no result is refused") {
  const Bench bench;
  bench.write("greedy.csv", kGreedy);
  const Ran set = bench.run({"bench", "--set", "no-such"});
  CHECK(set.code == 2);
  CHECK(contains(set.err, "tilings"));
  CHECK(bench.run({"bench", "--set", "greedy.csv", "--allocators", "bset"}).code == 2);
  CHECK(bench.run({"bench", "--seeds", "0"}).code == 2);
  const Ran wrong = bench.run({"bench", "--compare", "greedy.csv", "greedy.csv"});
  CHECK(wrong.code == 3);
  CHECK(contains(wrong.err, "greedy.csv: not a result of stowage bench"));
  CHECK(bench.run({"bench", "--compare", "none.json", "none.json"}).code == 3);
}

}  // namespace stowage::testing
