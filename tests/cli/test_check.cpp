#include <algorithm>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/shared_data.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("check: a sound plan exits 0, a file without a plan says so and exits 0") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  bench.write("toy.csv", kToy);
  const Ran sound = bench.run({"check", "plan.csv"});
  CHECK(sound.code == 0);
  CHECK(contains(sound.out, "valid"));
  const Ran none = bench.run({"check", "toy.csv"});
  CHECK(none.code == 0);
  CHECK(contains(none.out, "no plan"));
}

TEST_CASE("check: every violation is listed with both names and both ranges") {
  const Bench bench;
  bench.write(
      "bad.csv",
      "id,lower,upper,size,alignment,offset\na,0,10,100,1,0\nb,5,15,100,1,50\nc,20,22,8,16,8\nd,30,31,4,1,-4\n");
  const Ran ran = bench.run({"check", "bad.csv", "--capacity", "120", "--json"});
  CHECK(ran.code == 1);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("valid") == false);
  CHECK(json.at("count") == 4);
  std::vector<std::string> kinds;
  for (const Json& issue : json.at("issues")) {
    kinds.push_back(issue.at("kind").get<std::string>());
    if (kinds.back() != "collision") continue;
    CHECK(issue.at("buffers") == Json({"a", "b"}));
    CHECK(issue.at("time") == Json({5, 10}));
    CHECK(issue.at("bytes") == Json({50, 100}));
    CHECK(!issue.at("message").get<std::string>().empty());
  }
  for (const char* kind : {"collision", "misaligned", "over-capacity", "negative-offset"}) {
    CAPTURE(kind);
    CHECK(std::count(kinds.begin(), kinds.end(), kind) == 1);
  }
  const Ran text = bench.run({"check", "bad.csv"});
  CHECK(text.code == 1);
  CHECK(contains(text.out, "3 issues"));
}

TEST_CASE("check: a moved pin is an issue") {
  const Bench bench;
  bench.write("moved.csv", "id,lower,upper,size,offset,fixed\na,0,2,10,20,0\nb,0,2,10,0,\n");
  const Json json = Json::parse(bench.run({"check", "moved.csv", "--json"}).out);
  REQUIRE(json.at("count") == 1);
  CHECK(json.at("issues")[0].at("kind") == "moved");
}

TEST_CASE("check: gates on makespan, overhead and an older file exit 1 when they are passed") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  bench.write("worse.csv", "id,lower,upper,size,offset\na,0,3,64,0\nb,1,4,32,64\nc,3,5,64,96\nd,2,5,16,160\n");
  CHECK(bench.run({"check", "plan.csv", "--max-makespan", "112"}).code == 0);
  CHECK(bench.run({"check", "plan.csv", "--max-makespan", "111"}).code == 1);
  CHECK(bench.run({"check", "plan.csv", "--max-overhead", "0%"}).code == 0);
  CHECK(bench.run({"check", "worse.csv", "--max-overhead", "5%"}).code == 1);
  CHECK(bench.run({"check", "worse.csv", "--max-overhead", "60%"}).code == 0);
  CHECK(bench.run({"check", "plan.csv", "--baseline", "worse.csv"}).code == 0);
  CHECK(bench.run({"check", "plan.csv", "--baseline", "plan.csv"}).code == 0);
  const Ran worse = bench.run({"check", "worse.csv", "--baseline", "plan.csv", "--json"});
  CHECK(worse.code == 1);
  const Json json = Json::parse(worse.out);
  CHECK(json.at("valid") == true);
  CHECK(json.at("gates").size() == 1);
  CHECK(bench.run({"check", "plan.csv", "--baseline", "none.csv"}).code == 3);
}

TEST_CASE("check --plan: picks one of several, the last without it") {
  const Bench bench;
  bench.write("two.json",
              R"({"format":"stowage","version":1,"problem":{"buffers":[{"id":"a","lower":0,"upper":2,"size":4},)"
              R"({"id":"b","lower":0,"upper":2,"size":4}]},"plans":[{"id":"good","offsets":{"a":0,"b":4}},)"
              R"({"id":"bad","offsets":{"a":0,"b":2}}]})");
  CHECK(bench.run({"check", "two.json"}).code == 1);
  CHECK(bench.run({"check", "two.json", "--plan", "bad"}).code == 1);
  CHECK(bench.run({"check", "two.json", "--plan", "good"}).code == 0);
  const Ran none = bench.run({"check", "two.json", "--plan", "ugly"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "good, bad"));
}

TEST_CASE("check: the reported faults of public tools") {
  STOWAGE_NEED_SHARED(shared);
  const Bench bench;
  const std::string bugs = (shared / "cases" / "bugs").string() + "/";
  const Ran clash = bench.run({"check", bugs + "01-overlap-reuse.csv", "--json"});
  CHECK(clash.code == 1);
  const Json json = Json::parse(clash.out);
  REQUIRE(json.at("count") == 1);
  const Json& issue = json.at("issues")[0];
  CHECK(issue.at("kind") == "collision");
  CHECK(issue.at("buffers") == Json({"acc", "cast_a"}));
  CHECK(issue.at("time") == Json({3, 6}));
  CHECK(issue.at("bytes") == Json({128, 384}));
  CHECK(bench.run({"check", bugs + "23-legal-reuse.csv"}).code == 0);
}

}  // namespace stowage::testing
