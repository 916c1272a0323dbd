#include <algorithm>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("compare: one file gives a line for each allocator, several a matrix with the geometric mean") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("greedy.csv", kGreedy);
  const Ran one = bench.run({"compare", "toy.csv"});
  CHECK(one.code == 0);
  CHECK(contains(one.out, "first-fit-size"));
  CHECK(contains(one.out, "1.571"));  // naive: 176 / 112
  const Ran two = bench.run({"compare", "toy.csv", "greedy.csv", "--allocators", "naive,first-fit-size"});
  CHECK(two.code == 0);
  CHECK(contains(two.out, "geometric mean"));
  CHECK(contains(two.out, "1.173"));  // first fit: sqrt(1 * 352 / 256)
}

TEST_CASE("compare --csv and --json: a result for each file and allocator") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("greedy.csv", kGreedy);
  const Ran csv = bench.run({"compare", "toy.csv", "greedy.csv", "-a", "naive,first-fit-size", "--csv"});
  CHECK(csv.code == 0);
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 1 + 4 + 2);
  CHECK(contains(csv.out, "greedy.csv,first-fit-size,5,256,256,352,1.375000,false,true"));
  const Json json =
      Json::parse(bench.run({"compare", "toy.csv", "greedy.csv", "-a", "naive,first-fit-size", "--json"}).out);
  CHECK(json.size() == 4);
  CHECK(json[3].at("file") == "greedy.csv");
  CHECK(json[3].at("makespan") == 352);
  CHECK(json[3].at("iterations") == 1);
  CHECK(json[3].at("seconds_per_iteration") == json[3].at("seconds"));
  CHECK(contains(csv.out, "iterations,seconds_per_iteration,message\n"));
}

TEST_CASE("compare: slow planners run with a time limit or by name, and a note says where one gave up") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("greedy.csv", kGreedy);
  const Ran quick = bench.run({"compare", "toy.csv"});
  CHECK(contains(quick.err, "left out without --time-limit"));
  CHECK_FALSE(contains(quick.out, "minimalloc"));
  CHECK(contains(bench.run({"compare", "toy.csv", "--time-limit", "0.2"}).out, "minimalloc"));
  CHECK(contains(bench.run({"compare", "toy.csv", "greedy.csv", "-a", "naive,tabu"}).out, "tabu"));
  bench.write("gaps.csv", "id,lower,upper,size,gaps\na,0,9,64,3-6\nb,3,6,64,\n");
  const Ran refused = bench.run({"compare", "gaps.csv", "toy.csv", "-a", "tflite-greedy-by-size,naive"});
  CHECK(contains(refused.out, "no plan for 1 of 2: tflite-greedy-by-size cannot honour gaps"));
}

TEST_CASE("compare: the plan of a file is a column of its own, and one that is not valid exits 1") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  const Json json = Json::parse(bench.run({"compare", "plan.csv", "--json"}).out);
  CHECK(json[0].at("allocator") == "file");
  CHECK(json[0].at("makespan") == 112);
  bench.write("clash.csv", "id,lower,upper,size,offset\na,0,3,64,0\nb,1,4,32,0\n");
  CHECK(bench.run({"compare", "clash.csv"}).code == 1);
}

TEST_CASE("compare: a picture of the bars; nothing at all when one of the files fails") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("greedy.csv", kGreedy);
  CHECK(bench.run({"compare", "toy.csv", "greedy.csv", "--png", "bars.png", "--svg", "bars.svg"}).code == 0);
  CHECK(bench.read("bars.png").substr(1, 3) == "PNG");
  const Ran failed = bench.run({"compare", "toy.csv", "none.csv", "also_none.csv", "--png", "none.png"});
  CHECK(failed.code == 3);
  CHECK(failed.out.empty());
  CHECK(contains(failed.err, "none.csv"));
  CHECK(contains(failed.err, "also_none.csv"));
  CHECK_FALSE(bench.has("none.png"));
}

TEST_CASE("list: allocators, formats and samples, for people and as JSON") {
  const Bench bench;
  for (const std::string what : {"allocators", "formats", "samples"}) {
    CAPTURE(what);
    const Ran text = bench.run({"list", what});
    CHECK(text.code == 0);
    CHECK(std::count(text.out.begin(), text.out.end(), '\n') >= 2);
    const Json json = Json::parse(bench.run({"list", what, "--json"}).out);
    CHECK(json.is_array());
    CHECK(json.size() >= 2);
  }
  const Json allocators = Json::parse(bench.run({"list", "allocators", "--json"}).out);
  CHECK(std::any_of(allocators.begin(), allocators.end(), [](const Json& a) { return a.at("id") == "skyline"; }));
}

}  // namespace stowage::testing
