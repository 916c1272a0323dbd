#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {

using Json = nlohmann::json;

namespace {

constexpr std::string_view kTrace =
    "# stowage-trace 1\n0 alloc a 2097152\n1 alloc b 7340032\n2 alloc c 9437184\n3 free a\n4 free b\n5 alloc d "
    "9437184\n";

}  // namespace

TEST_CASE("pool: one pool on a trace, as text and as JSON") {
  const Bench bench;
  bench.write("t.trace", kTrace);
  const Ran text = bench.run({"pool", "t.trace", "--pool", "caching"});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "4 allocations, 6 events"));
  CHECK(contains(text.out, "20 MiB"));
  const Ran ran = bench.run({"pool", "t.trace", "--pool", "caching", "--json", "--points"});
  CHECK(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("pool") == "caching");
  CHECK(json.at("addresses") == Json({0, 2097152, 9437184, 0}));
  CHECK(json.at("peak").at("reserved") == 20971520);
  CHECK(json.at("end").at("device_allocations") == 1);
  CHECK(json.at("points").size() == 6);
}

TEST_CASE("pool: a request that fails exits 1 and says what is missing") {
  const Bench bench;
  bench.write("t.trace", kTrace);
  const Ran ran = bench.run({"pool", "t.trace", "--pool", "bfc", "--capacity", "10MiB", "--json"});
  CHECK(ran.code == 1);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("failure_count") == 2);  // two regions never become one
  const Json& failure = json.at("failures")[0];
  CHECK(failure.at("id") == "c");
  CHECK(failure.at("missing") == failure.at("needed").get<long>() - failure.at("available").get<long>());
  CHECK(contains(ran.err, "c: no memory"));
}

TEST_CASE("pool: all pools and a plan stand in one table, for traces and for problems") {
  const Bench bench;
  bench.write("t.trace", kTrace);
  bench.write("toy.csv", kToy);
  for (const char* file : {"t.trace", "toy.csv"}) {
    const Ran ran = bench.run({"pool", file, "--with", "best"});
    CHECK(ran.code == 0);
    for (const char* name : {"caching", "bfc", "mindspore-best-fit", "double-ended", "buddy", "slab",
                             "malloc-per-tensor", "best (offline)"}) {
      CHECK(contains(ran.out, name));
    }
  }
  const Json json = Json::parse(bench.run({"pool", "toy.csv", "--json"}).out);
  CHECK(json.size() == 8);
  CHECK(json.back().at("offline") == true);
  CHECK(json.back().at("peak").at("reserved") == 112);
}

TEST_CASE("pool: pictures, the plan and the steps are written; the plan is sound") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran ran = bench.run({"pool", "toy.csv", "--pool", "malloc-per-tensor", "--set", "alignment=1", "--png", "p.png",
                             "--svg", "p.svg", "--out", "plan.json", "--steps", "s.jsonl"});
  CHECK(ran.code == 0);
  CHECK(bench.read("p.png").substr(1, 3) == "PNG");
  CHECK(contains(bench.read("p.svg"), "<svg"));
  const std::string steps = bench.read("s.jsonl");
  CHECK(contains(steps, R"("op":"place")"));
  CHECK(contains(steps, R"("why":)"));
  CHECK(bench.run({"check", "plan.json"}).code == 0);
  CHECK(bench.run({"pool", "toy.csv", "--png", "all.png", "--theme", "light"}).code == 0);
  CHECK(bench.has("all.png"));
}

TEST_CASE("pool: traces can be planned, converted and read from standard input") {
  const Bench bench;
  bench.write("t.trace", kTrace);
  CHECK(bench.run({"plan", "t.trace", "--capacity", "18MiB"}).code == 0);
  CHECK(bench.run({"convert", "t.trace", "t.csv"}).code == 0);
  CHECK(bench.run({"convert", "t.csv", "again.trace"}).code == 0);
  CHECK(contains(bench.read("again.trace"), "# stowage-trace 1\n0 alloc a 2097152\n"));
  CHECK(bench.run({"pool", "-", "--pool", "buddy"}, kTrace).code == 0);
  CHECK(bench.run({"pool", "-", "--pool", "buddy"}, kToy).code == 0);
}

TEST_CASE("pool: what is wrong is said, with the right exit code") {
  const Bench bench;
  bench.write("t.trace", kTrace);
  bench.write("bad.trace", "# stowage-trace 1\n0 free a\n1 alloc b -3\n");
  bench.write("pinned.json", R"({"format":"stowage","version":1,"problem":{"buffers":[)"
                             R"({"id":"a","lower":0,"upper":1,"size":4,"fixed":0}]}})");
  const Ran bad = bench.run({"pool", "bad.trace"});
  CHECK(bad.code == 3);
  CHECK(contains(bad.err, "bad.trace:2: a was never allocated"));
  CHECK(contains(bad.err, "bad.trace:3: b asks for -3 bytes"));
  CHECK(bench.run({"pool", "bad.trace", "--lenient"}).code == 0);
  const Ran left_out = bench.run({"pool", "pinned.json"});
  CHECK(left_out.code == 0);
  CHECK(contains(left_out.err, "not in the trace: 1 fixed offset"));
  const Ran unknown = bench.run({"pool", "t.trace", "--pool", "cashing"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "did you mean 'caching'"));
  CHECK(bench.run({"pool", "t.trace", "--set", "a=b"}).code == 2);
  CHECK(bench.run({"pool", "t.trace", "--pool", "bfc", "--set", "mood=good"}).code == 2);
  CHECK(bench.run({"pool", "t.trace", "--pool", "bfc", "--set", "growth=false"}).code == 1);
  CHECK(bench.run({"pool", "nowhere.trace"}).code == 3);
  CHECK(contains(bench.run({"list", "pools"}).out, "mindspore-best-fit"));
  CHECK(Json::parse(bench.run({"list", "pools", "--json"}).out).size() == 7);
}

}  // namespace stowage::testing
