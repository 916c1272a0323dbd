#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("explain: a capacity that is enough exits 0, one below the load exits 1 and names the buffers") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran fits = bench.run({"explain", "toy.csv", "--capacity", "112", "--json"});
  CHECK(fits.code == 0);
  const Json plan = Json::parse(fits.out);
  CHECK(plan.at("fits") == true);
  CHECK(plan.at("makespan") == 112);
  CHECK(plan.at("offsets").size() == 4);

  const Ran not_enough = bench.run({"explain", "toy.csv", "--capacity", "111", "--json"});
  CHECK(not_enough.code == 1);
  const Json json = Json::parse(not_enough.out);
  CHECK(json.at("fits") == false);
  CHECK(json.at("reason") == "load");
  CHECK(json.at("minimal") == true);
  CHECK(json.at("load") == 112);
  CHECK(json.at("set").size() == 3);
  CHECK(json.at("remedies").size() == 2);  // a would not be enough: c, b and d are as many
  CHECK(json.at("remedies")[0].at("shrink") == 1);
  const Ran text = bench.run({"explain", "toy.csv", "--capacity", "111"});
  CHECK(text.code == 1);
  CHECK(contains(text.out, "does not fit"));
  CHECK(contains(text.out, "load: during"));
}

TEST_CASE("explain: on a conflict graph the reason has no time") {
  const Bench bench;
  bench.write("graph.json",
              R"({"format":"stowage","version":1,"problem":{"buffers":[)"
              R"({"id":"a","lower":0,"upper":1,"size":4},{"id":"b","lower":0,"upper":1,"size":3},)"
              R"({"id":"c","lower":0,"upper":1,"size":2}],"conflicts":[["a","b"]],"conflicts_only":true}})");
  CHECK(bench.run({"explain", "graph.json", "--capacity", "7"}).code == 0);
  const Ran ran = bench.run({"explain", "graph.json", "--capacity", "6", "--json"});
  CHECK(ran.code == 1);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("reason") == "load");
  CHECK(json.at("set") == Json({"a", "b"}));
  CHECK(json.at("load") == 7);
  CHECK(json.at("time").is_null());
  CHECK(contains(bench.run({"explain", "graph.json", "--capacity", "6"}).out, "each of them conflicts"));
}

TEST_CASE("explain: why a buffer lies where it lies") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  const Ran ran = bench.run({"explain", "plan.csv", "--buffer", "d", "--json"});
  CHECK(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("offset") == 96);
  CHECK(json.at("supports") == Json({"b"}));
  CHECK(json.at("blocks").empty());
  CHECK(json.at("conflicts").size() == 3);
  CHECK(contains(bench.run({"explain", "plan.csv", "--buffer", "d"}).out, "by b"));
}

TEST_CASE("explain: what is missing or unknown is a usage error") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"explain", "toy.csv"}).code == 2);
  CHECK(bench.run({"explain", "toy.csv", "--buffer", "a"}).code == 2);
  CHECK(bench.run({"explain", "toy.csv", "--buffer", "nobody", "-a", "first-fit-size"}).code == 2);
  CHECK(bench.run({"explain", "toy.csv", "--buffer", "a", "-a", "first-fit-size"}).code == 0);
}

}  // namespace stowage::testing
