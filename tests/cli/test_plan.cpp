#include <algorithm>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/shared_data.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("plan --json: one object with the promised keys and the right numbers") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran ran = bench.run({"plan", "toy.csv", "--allocator", "first-fit-size", "--json"});
  CHECK(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("allocator") == "first-fit-size");
  CHECK(json.at("buffers") == 4);
  CHECK(json.at("load") == 112);
  CHECK(json.at("lower_bound") == 112);
  CHECK(json.at("makespan") == 112);
  CHECK(json.at("optimal") == true);
  CHECK(json.at("valid") == true);
  CHECK(json.at("seconds").is_number());
}

TEST_CASE("plan: a search that proves an optimum above the load raises the lower bound and says optimal") {
  const Bench bench;
  // Two buffers of 3 bytes on a grid of 4: load 6, but nothing below 7.
  bench.write("grid.csv", "id,start,end,size,alignment\na,0,1,3,4\nb,0,1,3,4\n");
  const Json exact = Json::parse(bench.run({"plan", "grid.csv", "--allocator", "exact", "--json"}).out);
  CHECK(exact.at("load") == 6);
  CHECK(exact.at("lower_bound") == 7);
  CHECK(exact.at("makespan") == 7);
  CHECK(exact.at("optimal") == true);
  const Json naive = Json::parse(bench.run({"plan", "grid.csv", "--allocator", "naive", "--json"}).out);
  CHECK(naive.at("lower_bound") == 6);
  CHECK(naive.at("optimal") == false);
}

TEST_CASE("plan: without an allocator it is best, which no other one beats; 'all' gives an array that holds it") {
  const Bench bench;
  bench.write("greedy.csv", kGreedy);
  const Json best = Json::parse(bench.run({"plan", "greedy.csv", "--json"}).out);
  const Json all = Json::parse(bench.run({"plan", "greedy.csv", "--allocator", "all", "--json"}).out);
  REQUIRE(all.is_array());
  CHECK(all.size() > 5);
  const auto least = std::min_element(all.begin(), all.end(), [](const Json& a, const Json& b) {
    return a.at("makespan").get<std::int64_t>() < b.at("makespan").get<std::int64_t>();
  });
  CHECK(best.at("makespan") == least->at("makespan"));
  CHECK(best.at("allocator") == "best");
  for (const Json& one : all) CHECK(one.at("valid") == true);
}

TEST_CASE("plan --capacity: a plan that does not fit exits 1 with the bytes and without a false proof") {
  const Bench bench;
  bench.write("greedy.csv", kGreedy);
  const Ran ran = bench.run({"plan", "greedy.csv", "--allocator", "first-fit-size", "--capacity", "256"});
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "misses by 96 bytes, not proven"));
  CHECK(contains(ran.out, "misses by 96 B"));

  const Ran below = bench.run({"plan", "greedy.csv", "--allocator", "first-fit-size", "--capacity", "255"});
  CHECK(below.code == 1);
  CHECK(contains(below.err, "misses by 97 bytes, proven: the load alone is 256 bytes"));

  const Json json = Json::parse(
      bench.run({"plan", "greedy.csv", "--allocator", "first-fit-size", "--capacity", "256", "--json"}).out);
  CHECK(json.at("valid") == false);
  CHECK(json.at("fits").get<int>() < 5);
  CHECK(contains(json.at("message").get<std::string>(), "misses by 96 bytes"));
  CHECK(bench.run({"plan", "greedy.csv", "--allocator", "first-fit-size", "--capacity", "352"}).code == 0);
}

TEST_CASE("plan: what could lie elsewhere, or begins later, proves nothing") {
  const Bench bench;
  bench.write("choice.json", R"({"problem":{"spaces":[{"id":"a","capacity":100},{"id":"b","capacity":100}],"buffers":[
    {"id":"x","size":60,"lower":0,"upper":10,"candidates":["a","b"]},
    {"id":"y","size":70,"lower":0,"upper":10,"space":"a"},
    {"id":"z","size":30,"lower":0,"upper":10,"candidates":["a","b"]}]}})");
  const Ran choice = bench.run({"plan", "choice.json", "--allocator", "first-fit"});
  CHECK(choice.code == 1);
  CHECK(contains(choice.err, "space a: misses by 30 bytes, not proven"));
  CHECK(bench.run({"plan", "choice.json"}).code == 0);

  bench.write("slices.json", R"({"problem":{"capacity":120,"buffers":[
    {"id":"x","size":100,"lower":0,"upper":10,"slices":[{"size":50,"lower":0},{"size":50,"lower":5}]},
    {"id":"y","size":50,"lower":0,"upper":5}]}})");
  const Ran whole = bench.run({"plan", "slices.json", "--allocator", "exact"});
  CHECK(whole.code == 1);
  CHECK(contains(whole.err, "misses by 30 bytes, not proven"));
  CHECK(contains(whole.out, "at least 100 B are needed"));
  CHECK(bench.run({"plan", "slices.json", "--allocator", "xla-repacker"}).code == 0);
  CHECK(bench.run({"explain", "slices.json", "--capacity", "120"}).code == 1);
}

TEST_CASE("plan: pins come first, and a pin above the capacity proves that nothing fits") {
  const Bench bench;
  bench.write("pins.csv", "id,lower,upper,size,offset\nreserve,0,9,64,192\na,0,3,80,\nb,3,6,80,\nc,6,9,80,\n");
  const Ran fits = bench.run({"plan", "pins.csv", "--capacity", "256", "--json"});
  CHECK(fits.code == 0);
  CHECK(Json::parse(fits.out).at("lower_bound") == 256);
  CHECK(Json::parse(fits.out).at("optimal") == true);
  const Ran not_fitting = bench.run({"plan", "pins.csv", "--capacity", "200"});
  CHECK(not_fitting.code == 1);
  CHECK(contains(not_fitting.err, "proven: a fixed offset ends at 256 bytes"));
}

TEST_CASE("plan --keep-offsets: the plan of the file stays; without it a solved file is planned again") {
  const Bench bench;
  bench.write("high.csv", "id,lower,upper,size,offset\na,0,2,10,1000\nb,0,2,10,0\n");
  CHECK(Json::parse(bench.run({"plan", "high.csv", "--json"}).out).at("makespan") == 20);
  CHECK(Json::parse(bench.run({"plan", "high.csv", "--keep-offsets", "--json"}).out).at("makespan") == 1010);
}

TEST_CASE("plan --align: every offset becomes a multiple") {
  const Bench bench;
  bench.write("odd.csv", "id,lower,upper,size\na,0,2,10\nb,0,2,10\nc,0,2,10\n");
  CHECK(bench.run({"plan", "odd.csv", "--align", "64", "--out", "odd.json"}).code == 0);
  const Json json = Json::parse(bench.read("odd.json"));
  const Json& offsets = json.at("plans").back().at("offsets");
  CHECK(offsets.size() == 3);
  for (const Json& offset : offsets) CHECK(offset.get<std::int64_t>() % 64 == 0);
}

TEST_CASE("plan: every output is written, and the written plan is checked as valid") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran ran = bench.run({"plan", "toy.csv", "--out", "p.csv", "--out", "p.json", "--png", "p.png", "--svg", "p.svg",
                             "--pdf", "p.pdf", "--steps", "p.jsonl"});
  CAPTURE(ran.err);
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "p.csv, p.json, p.jsonl, p.png, p.svg, p.pdf"));
  CHECK(bench.run({"check", "p.csv"}).code == 0);
  CHECK(bench.run({"check", "p.json"}).code == 0);
  CHECK(contains(bench.run({"check", "p.json"}).out, "valid"));
  CHECK(bench.read("p.png").substr(1, 3) == "PNG");
  CHECK(contains(bench.read("p.svg"), "<svg"));
  CHECK(bench.read("p.pdf").substr(0, 4) == "%PDF");
}

TEST_CASE("plan --steps: JSON Lines, numbered, one placement for each buffer") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"plan", "toy.csv", "--allocator", "first-fit-size", "--steps", "s.jsonl"}).code == 0);
  const std::string text = bench.read("s.jsonl");
  int placed = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    const Json line = Json::parse(text.substr(at, end - at));
    CHECK(line.contains("n"));
    if (line.at("op") == "place") ++placed;
    at = end + 1;
  }
  CHECK(placed == 4);
}

TEST_CASE("plan: '-' reads standard input and writes standard output, and nothing else goes there") {
  const Bench bench;
  const Ran ran = bench.run({"plan", "-", "--out", "-", "--to", "minimalloc-csv"}, kToy);
  CHECK(ran.code == 0);
  CHECK(ran.out.substr(0, 8) == "id,lower");
  const Ran checked = bench.run({"check", "-", "--json"}, ran.out);
  CHECK(checked.code == 0);
  CHECK(Json::parse(checked.out).at("makespan") == 112);
}

TEST_CASE("plan: nothing is written when an input fails or a destination cannot be written") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("bad.csv", "id,lower,upper,size\na,0,3,64\nb,5,4,32\n");
  const std::vector<std::string> before = bench.files();
  const Ran bad = bench.run({"plan", "bad.csv", "--out", "o.csv", "--png", "o.png"});
  CHECK(bad.code == 3);
  CHECK(contains(bad.err, "bad.csv:3"));
  CHECK(bad.out.empty());
  const Ran missing = bench.run({"plan", "none.csv", "--out", "o.csv"});
  CHECK(missing.code == 3);
  CHECK(contains(missing.err, "none.csv"));
  CHECK(bench.run({"plan", "toy.csv", "--out", "o.csv", "--png", "no/such/folder/o.png"}).code == 3);
  CHECK(bench.run({"plan", "toy.csv", "--out", "o.strange"}).code == 3);
  CHECK(bench.run({"plan", "toy.csv", "--out", "."}).code == 3);
  CHECK(bench.files() == before);
}

TEST_CASE("plan: a full device is an error, not silence") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"convert", "toy.csv", "/dev/full", "--to", "minimalloc-csv"}).code == 3);
}

TEST_CASE("plan --time-limit: without time there is no plan, which exits 1 and writes nothing") {
  const Bench bench;
  const std::string sample = std::string(STOWAGE_SOURCE_DIR) + "/samples/synthetic_100000.csv";
  const Ran ran = bench.run({"plan", sample, "--allocator", "first-fit-size", "--time-limit", "0", "--out", "o.csv"});
  CHECK(ran.code == 1);
  CHECK(contains(ran.err, "no plan within the time limit"));
  CHECK(bench.files().empty());
}

TEST_CASE("plan: the same command writes the same bytes") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"plan", "toy.csv", "--out", "1.json", "--png", "1.png"}).code == 0);
  CHECK(bench.run({"plan", "toy.csv", "--out", "2.json", "--png", "2.png"}).code == 0);
  CHECK(bench.read("1.json") == bench.read("2.json"));
  CHECK(bench.read("1.png") == bench.read("2.png"));
}

TEST_CASE("plan: planning again on the reported faults of public tools") {
  STOWAGE_NEED_SHARED(shared);
  const Bench bench;
  const std::string bugs = (shared / "cases" / "bugs").string() + "/";
  const Ran greedy =
      bench.run({"plan", bugs + "17-greedy-over-capacity.csv", "--allocator", "first-fit-size", "--capacity", "256"});
  CHECK(greedy.code == 1);
  CHECK(contains(greedy.err, "misses by 96 bytes, not proven"));
  CHECK(bench.run({"plan", bugs + "05-reserved-region.csv", "--capacity", "256"}).code == 0);
  struct Expected {
    const char* file;
    int makespan;
  };
  for (const Expected& expected :
       {Expected{"01-overlap-reuse.csv", 768}, Expected{"05-reserved-region.csv", 256},
        Expected{"15-zero-size.csv", 64}, Expected{"23-legal-reuse.csv", 320},
        Expected{"25-same-end-boundary.csv", 180}, Expected{"27-conservative-scope.csv", 384}}) {
    CAPTURE(expected.file);
    const Json json = Json::parse(bench.run({"plan", bugs + expected.file, "--json"}).out);
    CHECK(json.at("makespan") == expected.makespan);
    CHECK(json.at("optimal") == true);
    CHECK(json.at("valid") == true);
  }
}

}  // namespace stowage::testing
