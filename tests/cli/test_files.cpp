#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/core/io/toy_models.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("info --json: the promised keys, and how the file was read") {
  const Bench bench;
  bench.write("toy.4096.csv", kToy);
  const Ran ran = bench.run({"info", "toy.4096.csv", "--json"});
  CHECK(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json.at("buffers") == 4);
  CHECK(json.at("load") == 112);
  CHECK(json.at("load_time") == 2);
  CHECK(json.at("naive") == 176);
  CHECK(json.at("horizon") == Json({0, 5}));
  CHECK(json.at("capacity").is_null());
  CHECK(contains(json.at("capacity_hint").get<std::string>(), "4096"));
  CHECK(json.at("format") == "minimalloc-csv");
  CHECK(json.at("times") == "half-open");
  CHECK(json.at("warnings") == Json::array());
  CHECK(json.at("spaces").size() == 1);
}

TEST_CASE("info: --times closed counts the last step too, and a column named end is closed once") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("end.csv", "id,start,end,size\na,0,2,64\nb,1,3,32\nc,3,4,64\nd,2,4,16\n");
  CHECK(Json::parse(bench.run({"info", "toy.csv", "--times", "closed", "--json"}).out).at("load") == 176);
  CHECK(Json::parse(bench.run({"info", "toy.csv", "--times", "open", "--json"}).out).at("load") == 112);
  CHECK(Json::parse(bench.run({"info", "end.csv", "--json"}).out).at("load") == 112);
}

TEST_CASE("info and plan: dumps that follow each other are read together, other files are not") {
  const Bench bench;
  const std::string block = R"({"General":{"API":"Vulkan"},"DefaultPools":{"Type 0":{"Blocks":{"0":{"TotalBytes":64,)"
                            R"("Suballocations":[{"Offset":0,"Type":"BUFFER","Size":64}]}}}}})";
  bench.write("a.json", block);
  bench.write("b.json", block);
  bench.write("toy.csv", kToy);
  const Ran together = bench.run({"info", "a.json", "b.json", "--json"});
  CHECK(together.code == 0);
  CHECK(Json::parse(together.out).at("horizon") == Json({0, 2}));
  CHECK(bench.run({"plan", "a.json", "b.json"}).code == 0);
  const Ran other = bench.run({"info", "toy.csv", "toy.csv"});
  CHECK(other.code == 2);
  CHECK(contains(other.err, "only where they are dumps that follow each other"));
  const Ran elsewhere = bench.run({"info", "a.json", "/b.json"});
  CHECK(elsewhere.code == 2);
  CHECK(contains(elsewhere.err, "lie in one folder"));
}

TEST_CASE("info: warnings are part of the result; other commands say them on standard error") {
  const Bench bench;
  bench.write("twice.csv", "id,lower,upper,size\na,0,3,64\n\na,1,4,32\n");
  const Json json = Json::parse(bench.run({"info", "twice.csv", "--json"}).out);
  CHECK(json.at("warnings").size() == 2);
  CHECK(json.at("buffers") == 2);
  const Ran planned = bench.run({"plan", "twice.csv", "--json"});
  CHECK(planned.code == 0);
  CHECK(contains(planned.err, "warning: twice.csv"));
  CHECK(Json::parse(planned.out).at("makespan") == 96);
}

TEST_CASE("reading: --lenient leaves bad rows out and lists them, without it the file is refused") {
  const Bench bench;
  bench.write("bad.csv", "id,lower,upper,size\na,0,3,64\nb,9,1,32\nc,0,3,x\nd,0,3,1\n");
  const Ran strict = bench.run({"info", "bad.csv"});
  CHECK(strict.code == 3);
  CHECK(contains(strict.err, "bad.csv:3"));
  CHECK(contains(strict.err, "bad.csv:4"));
  const Ran lenient = bench.run({"info", "bad.csv", "--lenient", "--json"});
  CHECK(lenient.code == 0);
  CHECK(Json::parse(lenient.out).at("buffers") == 2);
  CHECK(Json::parse(lenient.out).at("warnings").size() == 2);
}

TEST_CASE("reading: --offsets pins makes fixed offsets of a plan; --from overrides what the content looks like") {
  const Bench bench;
  bench.write("plan.csv", "id,lower,upper,size,offset\na,0,3,64,1000\n");
  CHECK(Json::parse(bench.run({"info", "plan.csv", "--json"}).out).at("offsets") == "plan");
  const Json pins = Json::parse(bench.run({"info", "plan.csv", "--offsets", "pins", "--json"}).out);
  CHECK(pins.at("offsets") == "pins");
  CHECK(pins.at("lower_bound") == 1064);
  CHECK(bench.run({"info", "plan.csv", "--from", "stowage-json"}).code == 3);
}

TEST_CASE("convert: CSV to JSON and back keeps buffers, pins and plan") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  bench.write("pins.csv", "id,lower,upper,size,offset\nreserve,0,9,64,192\na,0,3,80,\n");
  for (const std::string name : {"plan", "pins"}) {
    CAPTURE(name);
    CHECK(bench.run({"convert", name + ".csv", name + ".json"}).code == 0);
    CHECK(bench.run({"convert", name + ".json", name + "2.csv"}).code == 0);
    CHECK(bench.run({"convert", name + "2.csv", name + "2.json"}).code == 0);
    CHECK(Json::parse(bench.read(name + ".json")).at("problem").at("buffers") ==
          Json::parse(bench.read(name + "2.json")).at("problem").at("buffers"));
  }
  CHECK(bench.run({"check", "plan2.csv"}).code == 0);
  CHECK(Json::parse(bench.run({"info", "pins2.csv", "--json"}).out).at("lower_bound") == 256);
  CHECK(bench.run({"convert", "plan.csv", "bare.json", "--problem-only"}).code == 0);
  CHECK(Json::parse(bench.run({"info", "bare.json", "--json"}).out).at("plans").empty());
}

TEST_CASE("convert: --to decides for '-' and for strange endings; a format that cannot be written is an error") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran out = bench.run({"convert", "toy.csv", "-", "--to", "stowage-json"});
  CHECK(out.code == 0);
  CHECK(Json::parse(out.out).at("format") == "stowage");
  const Ran in = bench.run({"convert", "-", "from_pipe.txt", "--to", "minimalloc-csv"}, out.out);
  CHECK(in.code == 0);
  CHECK(contains(bench.read("from_pipe.txt"), "a,0,3,64"));
  CHECK(bench.run({"convert", "toy.csv", "toy.xyz"}).code == 3);
  CHECK_FALSE(bench.has("toy.xyz"));
  const Ran read_only = bench.run({"convert", "absent.csv", "out.onnx", "--to", "onnx"});
  CHECK(read_only.code == 3);
  CHECK(contains(read_only.err, "onnx can be read, but not written; written are stowage-json, "));
}

TEST_CASE("convert: a plan goes into a copy of the model that --into names, when it is right for it") {
  const Bench bench;
  bench.write("model.tflite", bytes_of(toy_tflite()));
  REQUIRE(bench.run({"plan", "model.tflite", "-o", "plan.json"}).code == 0);
  const Ran bare = bench.run({"convert", "plan.json", "out.tflite"});
  CHECK(bare.code == 3);
  CHECK(contains(bare.err, "--into"));
  CHECK(bench.run({"convert", "plan.json", "out.tflite", "--into", "model.tflite"}).code == 0);
  CHECK(bench.run({"check", "out.tflite"}).code == 0);
  const Json planned = Json::parse(bench.run({"info", "plan.json", "--json"}).out);
  const Json opened = Json::parse(bench.run({"info", "out.tflite", "--json"}).out);
  CHECK(opened.at("offsets") == "plan");
  CHECK(opened.at("plans").at(0).at("makespan") == planned.at("plans").at(0).at("makespan"));

  bench.write("other.csv", kToyPlan);
  bench.write("stranger.csv", "id,lower,upper,size,offset\nnobody,0,1,3,0\n");
  const Ran stranger = bench.run({"convert", "stranger.csv", "s.tflite", "--into", "model.tflite"});
  CHECK(stranger.code == 3);
  CHECK(contains(stranger.err, "not in the model"));
  CHECK(bench.run({"convert", "other.csv", "s.tflite", "--into", "other.csv"}).code == 2);
  CHECK(bench.run({"convert", "other.csv", "s.plc", "--into", "model.tflite"}).code == 2);
  CHECK_FALSE(bench.has("s.tflite"));
}

}  // namespace stowage::testing
