#include <string>
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
