#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {

using Json = nlohmann::json;

namespace {

/// LeNet-5's training as a graph file.
void generate(const Bench& bench) {
  REQUIRE(bench.run({"generate", "lenet5", "--training", "--batch", "8", "--out", "g.json"}).code == 0);
}

}  // namespace

TEST_CASE("plan: a graph is planned, and the way from it to the buffers is told") {
  const Bench bench;
  generate(bench);
  const Ran ran = bench.run({"plan", "g.json"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "a graph of 24 ops: order given"));
  REQUIRE(bench.run({"transform", "g.json", "--with", "in-place", "--out", "t.json"}).code == 0);
  CHECK(contains(bench.run({"plan", "t.json"}).out, "order given, then in-place"));
}

TEST_CASE("plan --with: the graph goes through other transforms than its own, or through none") {
  const Bench bench;
  generate(bench);
  const auto planned = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"plan", "g.json", "--json", "-a", "first-fit-size"});
    const Ran ran = bench.run(more);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    return Json::parse(ran.out);
  };
  const Json own = planned({});
  CHECK(own.at("pipeline").size() == 1);
  const Json none = planned({"--choose", "pipeline=none"});
  CHECK(none.at("pipeline").empty());
  CHECK(none.at("load") > own.at("load"));
  const Json two = planned({"--with", "recompute:policy=every-k,k=3", "-w", "in-place"});
  CHECK(two.at("pipeline").size() == 2);
  CHECK(two.at("file") == "g.json");
  const Ran transformed =
      bench.run({"transform", "g.json", "--with", "recompute:policy=every-k,k=3", "-w", "in-place", "--json"});
  CHECK(two.at("load") == Json::parse(transformed.out).at("stages").back().at("load"));
  // What is written knows the way.
  REQUIRE(bench.run({"plan", "g.json", "--with", "recompute:policy=sqrt", "-o", "p.json"}).code == 0);
  CHECK(contains(bench.run({"plan", "p.json"}).out, "recompute (policy=sqrt)"));

  for (const char* wrong : {"in-plce", "recompute:policy", "recompute:policy=none-such"}) {
    const Ran ran = bench.run({"plan", "g.json", "--with", wrong});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
  }
  CHECK(contains(bench.run({"plan", "g.json", "--with", "in-plce"}).err, "did you mean 'in-place'"));
  CHECK(bench.run({"plan", "g.json", "--choose", "pipeline=all"}).code == 2);
  CHECK(bench.run({"plan", "g.json", "--with", "in-place", "--with", "recompute"}).code == 1);
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"plan", "toy.csv", "--with", "in-place"}).code == 3);
  CHECK(contains(bench.run({"plan", "--help"}).out, "pipeline=none"));
}

TEST_CASE("transform: stages are measured one after the other, an order that makes no sense is refused") {
  const Bench bench;
  generate(bench);
  const Ran ran = bench.run({"transform", "g.json", "--with", "recompute:policy=sqrt", "--with", "in-place", "--json"});
  REQUIRE(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("stages").size() >= 2);
  CHECK(bench.run({"transform", "g.json", "--with", "in-plce"}).code == 2);
  CHECK(bench.run({"transform", "g.json", "--with", "recompute:policy=none-such"}).code == 2);
  CHECK(bench.run({"transform", "g.json", "--with", "in-place", "--with", "recompute"}).code == 1);
  bench.write("toy.csv", kToy);
  const Ran none = bench.run({"transform", "toy.csv", "--with", "in-place"});
  CHECK(none.code == 3);
  CHECK(contains(none.err, "no operator graph"));
}

TEST_CASE("transform: a graph file holds what the transforms have made, and needs as much when it is read again") {
  const Bench bench;
  const std::vector<std::string> networks = {"network:mlp:batch=8", "network:resnet18:training=yes,batch=2"};
  const std::vector<std::vector<std::string>> ways = {{"recompute"}, {"recompute:policy=sqrt", "in-place"},
                                                      {"swap"},      {"swap:policy=all", "in-place"},
                                                      {"in-place"},  {"in-place:remove-copies=off"}};
  for (const std::string& network : networks) {
    for (const std::vector<std::string>& way : ways) {
      std::vector<std::string> line = {"transform", network, "--json", "-a", "first-fit-size", "-o", "t.graph.json"};
      for (const std::string& stage : way) {
        line.push_back("-w");
        line.push_back(stage);
      }
      CAPTURE(network);
      CAPTURE(way.front());
      const Ran ran = bench.run(line);
      REQUIRE_MESSAGE(ran.code == 0, ran.err);
      CHECK_FALSE(contains(ran.err, "not in the written file"));
      const Json last = Json::parse(ran.out).at("stages").back();
      const Json again = Json::parse(bench.run({"info", "t.graph.json", "--json"}).out);
      CHECK(again.at("load") == last.at("load"));
      CHECK(again.at("buffers") == last.at("buffers"));
    }
  }
}

TEST_CASE("transform: clones, events and copies stand in the graph file; what it cannot hold is said") {
  const Bench bench;
  std::string said;
  const auto graph_of = [&](const std::string& network, const std::string& stage) {
    const Ran ran = bench.run({"transform", network, "-a", "first-fit-size", "-w", stage, "-o", "t.graph.json"});
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    said = ran.err;
    return Json::parse(bench.read("t.graph.json"));
  };
  const auto has_op = [](const Json& graph, std::string_view part) {
    for (const Json& op : graph.at("ops")) {
      if (contains(op.at("id").get<std::string>(), part)) return true;
    }
    return false;
  };
  const std::string lenet = "network:lenet5:training=yes,batch=8";
  const Json repeated = graph_of(lenet, "recompute:policy=sqrt");
  CHECK(repeated.at("format") == "stowage-graph");
  CHECK(has_op(repeated, ".again"));
  const Json swapped = graph_of("network:resnet18:training=yes,batch=2", "swap");
  CHECK(has_op(swapped, ".swap-out"));
  CHECK(swapped.contains("events"));
  const Json shared = graph_of("network:mlp:batch=8", "sharing:policy=tags,control-edges=on");
  CHECK(shared.contains("events"));
  CHECK(contains(said, "not in the written file"));
  CHECK(contains(said, "colocations"));
  // A native file keeps the graph as it was and the way.
  REQUIRE(bench.run({"transform", lenet, "-a", "first-fit-size", "-w", "recompute:policy=sqrt", "-o", "t.json"}).code ==
          0);
  const Json native = Json::parse(bench.read("t.json"));
  CHECK_FALSE(has_op(native.at("graph"), ".again"));
  REQUIRE(bench.run({"convert", "t.json", "c.graph.json"}).code == 0);
  CHECK_FALSE(has_op(Json::parse(bench.read("c.graph.json")), ".again"));
}

TEST_CASE("a network by name stands where a graph's file does") {
  const Bench bench;
  const std::string lenet = "network:lenet5:training=yes,batch=8";
  generate(bench);
  const auto ran = [&](std::vector<std::string> words, const std::string& graph) {
    words.insert(words.begin() + 1, graph);
    return bench.run(words);
  };
  for (const std::vector<std::string>& words : {std::vector<std::string>{"fit", "--capacity", "600KiB", "--json"},
                                                {"transform", "--with", "in-place", "--allocator", "first-fit-size"},
                                                {"plan", "--allocator", "first-fit-size"},
                                                {"info"},
                                                {"compare", "-a", "first-fit-size"},
                                                {"pool", "--pool", "caching"}}) {
    CAPTURE(words.front());
    const Ran named = ran(words, lenet);
    CHECK(named.code == 0);
    CHECK(ran(words, "g.json").code == 0);
    CHECK(ran(words, "network:lenet6").code == 2);
    CHECK(contains(ran(words, "network:lenet6").err, "lenet5"));
    CHECK(ran(words, "network:lenet5:batch").code == 2);
  }
  CHECK(contains(ran({"pool", "--pool", "caching", "--include", "inputs"}, lenet).out, "caching"));
}

TEST_CASE("fit: what fits is proposed with its cost, what cannot fit says why") {
  const Bench bench;
  generate(bench);
  const Ran fits = bench.run({"fit", "g.json", "--capacity", "600KiB", "--json"});
  CHECK(fits.code == 0);
  const Json json = Json::parse(fits.out);
  CHECK(json.at("fits") == true);
  CHECK(json.at("proposal").at("makespan").get<long>() <= 600 * 1024);
  CHECK(json.at("load_before").get<long>() > 600 * 1024);
  const Ran never = bench.run({"fit", "g.json", "--capacity", "10KiB"});
  CHECK(never.code == 1);
  CHECK(contains(never.out, "at once"));
}

TEST_CASE("a time limit gives what there is until then, and says so") {
  const Bench bench;
  generate(bench);
  const Ran fit = bench.run({"fit", "g.json", "--capacity", "600KiB", "--time-limit", "0", "--json"});
  CHECK(fit.code == 1);
  CHECK(contains(fit.err, "stopped by the time limit"));
  CHECK(Json::parse(fit.out).at("stopped") == true);
  const Ran late = bench.run({"transform", "g.json", "--allocator", "first-fit-size", "--time-limit", "0", "--json"});
  // Greedy planners look at the clock seldom: a small graph may have its plan all the same.
  const Json last = Json::parse(late.out).at("stages").back();
  const bool planned = last.contains("makespan") && !last.at("makespan").is_null();
  CHECK(late.code == (planned ? 0 : 1));
  if (!planned) CHECK(last.at("stopped") == true);
  // The transforms themselves have no limit: what they did to the load is told.
  CHECK(last.at("load").get<std::int64_t>() > 0);
}

TEST_CASE("transform: an order may be asked for where that of the file cannot be run") {
  const Bench bench;
  bench.write("g.json", R"({"tensors":[{"id":"a","shape":[4],"dtype":"uint2"},{"id":"b","shape":[4],"dtype":"int8"}],)"
                        R"("ops":[{"id":"n0","type":"Relu","in":["a"],"out":["b"]},)"
                        R"({"id":"n1","type":"Make","in":[],"out":["a"]}]})");
  CHECK(bench.run({"transform", "g.json"}).code == 3);
  CHECK(bench.run({"transform", "g.json", "--schedule", "depth-first"}).code == 0);
}

TEST_CASE("transform: --why-not is answered in JSON and said once in words") {
  const Bench bench;
  bench.write("g.json", R"({"tensors":[{"id":"a","shape":[4],"dtype":"int8"},{"id":"b","shape":[4],"dtype":"int8"},)"
                        R"({"id":"c","shape":[4],"dtype":"int8"}],)"
                        R"("ops":[{"id":"n0","type":"Make","in":[],"out":["a"]},)"
                        R"({"id":"n1","type":"Relu","in":["a"],"out":["b"]},)"
                        R"({"id":"n2","type":"Relu","in":["b"],"out":["c"]}]})");
  const Json why = Json::parse(bench.run({"transform", "g.json", "--why-not", "a,c", "--json"}).out).at("why_not");
  CHECK(why.at("a") == "a");
  CHECK(why.at("may_share") == true);
  CHECK(contains(bench.run({"transform", "g.json", "--why-not", "a,c"}).out, "a and c may share memory: a is over"));
  const Json plan = Json::parse(bench.run({"plan", "g.json", "--json"}).out);
  CHECK(plan.at("schedule") == "given");
  CHECK(plan.at("pipeline").is_array());
}

TEST_CASE("what is given twice, or to nobody, is wrong usage") {
  const Bench bench;
  generate(bench);
  CHECK(bench.run({"plan", "g.json", "--dims", "n=1,n=2"}).code == 2);
  CHECK(bench.run({"plan", "g.json", "--dims", "n=1"}).code == 2);
  CHECK(contains(bench.run({"plan", "g.json", "--dims", "n=1"}).err, "no symbolic dimension 'n'; it has: none"));
  CHECK(bench.run({"transform", "g.json", "--with", "sharing:policy=tags,policy=ort"}).code == 2);
  CHECK(bench.run({"transform", "network:lenet5", "--with", "recompute:k=many"}).code == 2);
  CHECK(bench.run({"study", "resnet-depth", "--network", "vgg16"}).code == 2);
}

TEST_CASE("study: every curve has a value at every place, a picture is drawn") {
  const Bench bench;
  const Ran ran = bench.run({"study", "batch", "--network", "lenet5", "--json"});
  REQUIRE(ran.code == 0);
  const Json json = Json::parse(ran.out);
  const std::size_t places = json.at("places").size();
  REQUIRE(places >= 5);
  for (const Json& curve : json.at("curves")) CHECK(curve.at("bytes").size() == places);
  CHECK(bench.run({"study", "batch", "--network", "lenet5", "--svg", "s.svg"}).code == 0);
  CHECK(contains(bench.read("s.svg"), "<svg"));
  CHECK(bench.run({"study", "weather"}).code == 2);
}

TEST_CASE("export: graph, pools and steps are views of their own") {
  const Bench bench;
  generate(bench);
  std::vector<std::string> pictures;
  const std::vector<std::vector<std::string>> views = {{"--view", "graph"},
                                                       {"--view", "reuse"},
                                                       {"--view", "pool"},
                                                       {"--view", "steps", "--allocator", "first-fit-size"},
                                                       {"--view", "chart"}};
  for (const auto& view : views) {
    std::vector<std::string> line = {"export", "g.json", "--svg", "v.svg"};
    line.insert(line.end(), view.begin(), view.end());
    const Ran ran = bench.run(line);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    pictures.push_back(bench.read("v.svg"));
    for (std::size_t k = 0; k + 1 < pictures.size(); ++k) CHECK(pictures[k] != pictures.back());
  }
  bench.write("toy.csv", kToy);
  const Ran none = bench.run({"export", "toy.csv", "--view", "graph", "--png", "n.png"});
  CHECK(none.code == 3);
  CHECK(contains(none.err, "toy.csv"));
  CHECK_FALSE(bench.has("n.png"));
  CHECK(bench.run({"export", "toy.csv", "--view", "steps", "--png", "n.png"}).code == 2);
}

TEST_CASE("export: the two ends of a double-ended placement are one chart, when there is a capacity") {
  const Bench bench;
  generate(bench);
  const auto drawn = [&](const std::string& stage) {
    REQUIRE(bench.run({"transform", "g.json", "--include", "weights", "--with", stage, "--out", "d.json"}).code == 0);
    return bench.run({"export", "d.json", "-a", "first-fit-size", "--spaces", "both-ends", "--svg", "d.svg"});
  };
  std::vector<std::string> pictures;
  for (const char* end : {"low", "high"}) {
    const Ran ran = drawn(std::string("double-ended:capacity=64MiB,weights=") + end);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    pictures.push_back(bench.read("d.svg"));
  }
  CHECK(pictures[0] != pictures[1]);
  const Ran none = drawn("double-ended");
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--spaces both-ends: only a graph that is placed double-ended, with a capacity"));
  CHECK(bench.run({"export", "d.json", "--view", "load", "--spaces", "both-ends", "--svg", "d.svg"}).code == 2);
}

TEST_CASE("export: several spaces are one chart of lanes, or one at a time") {
  const Bench bench;
  bench.write("s.csv", "id,lower,upper,size,space,offset\na,0,3,64,fast,0\nb,1,4,32,slow,0\nc,3,5,64,fast,0\n");
  std::vector<std::string> pictures;
  for (const auto& view :
       std::vector<std::vector<std::string>>{{"--spaces", "stacked"}, {"--space", "fast"}, {"--space", "slow"}}) {
    std::vector<std::string> line = {"export", "s.csv", "--svg", "v.svg"};
    line.insert(line.end(), view.begin(), view.end());
    CHECK(bench.run(line).code == 0);
    pictures.push_back(bench.read("v.svg"));
  }
  CHECK(pictures[0] != pictures[1]);
  CHECK(pictures[1] != pictures[2]);
  CHECK(bench.run({"export", "s.csv", "--space", "none", "--svg", "w.svg"}).code == 2);
}

}  // namespace stowage::testing
