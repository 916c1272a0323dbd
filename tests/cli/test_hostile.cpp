#include <sys/stat.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/shared_data.h"

namespace stowage::testing {

using Json = nlohmann::json;

TEST_CASE("hostile: inputs of our own end with 3 and name the place, and no command crashes on them") {
  const Bench bench;
  struct Case {
    const char* name;
    std::string bytes;
    const char* says;
  };
  const std::vector<Case> cases = {
      {"empty.csv", "", "empty"},
      {"blank.csv", "\n\n\n", "blank.csv"},
      {"binary.csv", std::string("\x00\x01\x02\x00\xff", 5), "binary.csv"},
      {"zip.csv", std::string("PK\x03\x04") + std::string(100, '\0'), "ZIP"},
      {"png.csv", "\x89PNG\r\n\x1a\n....", "PNG"},
      {"gzip.csv", std::string("\x1f\x8b\x08\x00", 4), "gzip"},
      {"quote.csv", "id,lower,upper,size\n\"a,0,1,2\n", "quote.csv:2"},
      {"column.csv", "id,lower,size\na,0,1\n", "upper"},
      {"short.csv", "id,lower,upper,size\na,0,1\n", "short.csv:2"},
      {"long.csv", "id,lower,upper,size\na,0,1,2,3\n", "long.csv:2"},
      {"negative.csv", "id,lower,upper,size\na,0,1,-2\n", "negative.csv:2"},
      {"hex.csv", "id,lower,upper,size\na,0,1,0x10\n", "hex.csv:2"},
      {"sum.csv", "id,lower,upper,size\na,0,1,4611686018427387904\nb,2,3,4611686018427387904\n", "sum.csv"},
      {"huge.csv", "id,lower,upper,size\na,0,1,99999999999999999999\n", "huge.csv:2"},
      {"offset.csv", "id,lower,upper,size,offset\na,0,1,10,9223372036854775800\n", "offset.csv"},
      {"nan.json", R"({"buffers":[{"id":"a","lower":NaN,"upper":1,"size":1}]})", "nan.json"},
      {"cut.json", R"({"buffers":[{"id":"a",)", "cut.json"},
      {"types.json", R"({"buffers":[{"id":"a","lower":true,"upper":1,"size":1}]})", "lower"},
      {"deep.json", std::string(100'000, '['), "deep.json"},
  };
  for (const Case& hostile : cases) {
    CAPTURE(hostile.name);
    bench.write(hostile.name, hostile.bytes);
    for (const std::string command : {"info", "check", "plan"}) {
      CAPTURE(command);
      const Ran ran = bench.run({command, hostile.name});
      CAPTURE(ran.err);
      CHECK(ran.code == 3);
      CHECK(contains(ran.err, hostile.says));
      CHECK(ran.out.empty());
    }
  }
}

TEST_CASE("hostile: folders, devices and pipes are refused by name") {
  const Bench bench;
  REQUIRE(::mkfifo(bench.path("pipe.csv").c_str(), 0600) == 0);
  for (const std::string name : {".", "/dev/zero", "pipe.csv"}) {
    CAPTURE(name);
    const Ran ran = bench.run({"info", name});
    CHECK(ran.code == 3);
    CHECK(contains(ran.err, name));
  }
}

TEST_CASE("hostile: odd but legal inputs open") {
  const Bench bench;
  struct Case {
    const char* name;
    std::string bytes;
    int buffers;
    int load;
  };
  const std::vector<Case> cases = {
      {"bom.csv", "\xEF\xBB\xBFid,lower,upper,size\na,0,2,10\nb,1,3,20\n", 2, 30},
      {"crlf.csv", "id,lower,upper,size\r\na,0,2,10\r\nb,1,3,20\r\n", 2, 30},
      {"no_end.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20", 2, 30},
      {"order.csv", "size,upper,lower,id\n10,2,0,a\n20,3,1,b\n", 2, 30},
      {"zero_length.csv", "id,lower,upper,size\na,0,2,10\nb,1,1,20\n", 2, 10},
      {"same_id.csv", "id,lower,upper,size\na,0,2,10\na,1,3,20\n", 2, 30},
      {"latin.csv", "id,lower,upper,size\n\xE9t\xE9,0,2,10\nb,1,3,20\n", 2, 30},
      {"formula.csv", "id,lower,upper,size\n=1+1,0,2,10\n\"a,b\",1,3,20\n", 2, 30},
      {"spaces & \xC3\xBCn %20.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\n", 2, 30},
  };
  for (const Case& odd : cases) {
    CAPTURE(odd.name);
    bench.write(odd.name, odd.bytes);
    const Ran ran = bench.run({"info", odd.name, "--json"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("buffers") == odd.buffers);
    CHECK(json.at("load") == odd.load);
    CHECK(bench.run({"plan", odd.name, "--out", "o.csv", "--png", "o.png"}).code == 0);
    CHECK(bench.run({"check", "o.csv"}).code == 0);
  }
}

TEST_CASE("hostile: the collected files open with the right load, or end with 3 and say what is wrong") {
  STOWAGE_NEED_SHARED(shared);
  const Bench bench;
  struct Case {
    const char* name;
    int code;
    const char* says;       // in the message
    std::int64_t load = 0;  // when it opens
  };
  const std::vector<Case> cases = {
      {"01-empty.csv", 3, "empty"},
      {"03-bom.csv", 0, "", 30},
      {"05-cr-only.csv", 0, "", 30},
      {"07-unclosed-quote.csv", 3, "07-unclosed-quote.csv:2"},
      {"09-missing-column.csv", 3, "upper"},
      {"11-duplicate-ids.csv", 0, "", 50},
      {"13-lower-eq-upper.csv", 0, "", 10},
      {"15-negative.csv", 3, "15-negative.csv:3"},
      {"17-sum-overflow.csv", 3, "17-sum-overflow.csv"},
      {"19-float-times.csv", 3, "19-float-times.csv:2"},
      {"21-non-utf8.csv", 0, ""},
      {"23-utf16.csv", 3, "UTF-16"},
      {"25-formula-injection.csv", 0, ""},
      {"30-wrong-types.json", 3, "buffers[0]"},
      {"32-dup-keys.json", 0, "", 99},
      {"34-nan.json", 3, "34-nan.json"},
      {"36-zip-bomb-named.csv", 3, "ZIP"},
      {"38-png-named.csv", 3, "not a text file"},
      {"40-no-trailing-newline.csv", 0, "", 30},
      {"42-spaces-signs.csv", 0, "", 30},
      {"46-offset-overflow.csv", 3, "46-offset-overflow.csv"},
      {"48-truncated.tflite", 3, "damaged or cut off"},
      {"50-evil.pickle", 3, "pickle uses GLOBAL os.system"},
      {"52-pickle-memo-loop.pickle", 3, "no memory snapshot"},
      {"58 spaces & \xC3\xBCn\xC3\xAF"
       "code %20.csv",
       0, ""},
      {"60-staircase.csv", 0, "", 1'000'001},
      {"62-single-point-axis.csv", 0, "", 1},
  };
  for (const Case& hostile : cases) {
    CAPTURE(hostile.name);
    const Ran ran = bench.run({"info", (shared / "cases" / "hostile" / hostile.name).string(), "--json"});
    CAPTURE(ran.err);
    CHECK(ran.code == hostile.code);
    CHECK(contains(ran.err, hostile.says));
    if (hostile.load != 0 && ran.code == 0) CHECK(Json::parse(ran.out).at("load") == hostile.load);
  }
  const Ran overlap = bench.run({"check", (shared / "cases" / "hostile" / "44-fixed-overlap.csv").string(), "--json"});
  CHECK(overlap.code == 1);
  const Json json = Json::parse(overlap.out);
  REQUIRE(json.at("count") == 1);
  CHECK(json.at("issues")[0].at("time") == Json({2, 4}));
  CHECK(json.at("issues")[0].at("bytes") == Json({5, 10}));
}

}  // namespace stowage::testing
