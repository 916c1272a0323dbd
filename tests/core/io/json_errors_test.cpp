#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

std::string error_of(const std::string& text) {
  return read_error(text, {}, "m.json");
}

/// The error of a file with one buffer, some of whose keys are given.
std::string buffer_error(const std::string& members) {
  return error_of(R"({"buffers":[{)" + members + "}]}");
}

}  // namespace

TEST_CASE("JSON: a value of the wrong kind is an error with place and path") {
  CHECK(buffer_error(R"("id":"a","lower":0,"upper":null,"size":1)") ==
        "m.json:1:41: $.buffers[0].upper: expected an integer, found null");
  CHECK(contains(buffer_error(R"("id":"a","lower":true,"upper":4,"size":1)"),
                 "$.buffers[0].lower: expected an integer, found a boolean"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":[10])"),
                 "$.buffers[0].size: expected an integer, found an array"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0.5,"upper":4,"size":1)"),
                 "$.buffers[0].lower: expected an integer, found 0.5"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":1e3,"size":1)"),
                 "$.buffers[0].upper: expected an integer, found 1e3"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":"1e400")"), "$.buffers[0].size"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":" 1")"), "$.buffers[0].size"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":9223372036854775808)"),
                 "$.buffers[0].size: 9223372036854775808 is outside"));
  CHECK(contains(buffer_error(R"("id":{"a":1},"lower":0,"upper":4,"size":1)"),
                 "$.buffers[0].id: expected a string, found an object"));
  CHECK(contains(buffer_error(R"("id":null,"lower":0,"upper":4,"size":1)"), "$.buffers[0].id"));
  CHECK(contains(buffer_error(R"("id":1.5,"lower":0,"upper":4,"size":1)"), "$.buffers[0].id"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":1,"alignment":null)"), "$.buffers[0].alignment"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":1,"kind":5)"),
                 "$.buffers[0].kind: expected a string"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":1,"open_end":1)"),
                 "$.buffers[0].open_end: expected a boolean"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":1,"gaps":[{"lower":1}])"),
                 "$.buffers[0].gaps[0].upper: is missing"));
  CHECK(contains(buffer_error(R"("id":"a","lower":0,"upper":4,"size":1,"gaps":[{"lower":1,"upper":2,"window":[1]}])"),
                 "$.buffers[0].gaps[0].window"));
  CHECK(contains(error_of(R"({"buffers":[5]})"), "$.buffers[0]: expected an object, found a number"));
  CHECK(contains(error_of(R"({"buffers":{}})"), "$.buffers: expected an array, found an object"));
  CHECK(contains(error_of(R"({"problem":[]})"), "$.problem: expected an object"));
  CHECK(contains(error_of("[1]"), "$: expected an object, found an array"));
}

TEST_CASE("JSON: missing keys and faults of the gate have a path") {
  const std::string missing = buffer_error(R"("id":"a")");
  for (const char* key : {"lower", "upper", "size"})
    CHECK(contains(missing, std::string("$.buffers[0].") + key + ": is missing"));
  CHECK(contains(buffer_error(R"("lower":0,"upper":4,"size":1)"), "$.buffers[0].id: is missing"));
  CHECK(contains(buffer_error(R"("id":"a","lower":5,"upper":3,"size":1)"),
                 "$.buffers[0].upper: lifetime ends at 3, before it starts at 5"));
  CHECK(contains(
      error_of(R"({"format":"stowage","version":1,"problem":{"buffers":[{"id":"a","lower":0,"upper":3,"size":-1}]}})"),
      "$.problem.buffers[0].size: size -1"));
  CHECK(contains(error_of(R"({"format":"stowage","version":1})"), "neither \"problem\" nor \"buffers\""));
  CHECK(contains(error_of(R"({"format":"stowage","version":1,"problem":{}})"), "$.problem.buffers: is missing"));
  CHECK(contains(error_of(R"({"capacity":-1,"buffers":[]})"), "capacity"));
}

TEST_CASE("JSON: errors of syntax name line and column") {
  CHECK(error_of("{\"buffers\":[\n{\"id\":\"a\",\"size\":NaN}]}") == "m.json:2:18: NaN is not a JSON value");
  CHECK(contains(error_of("{\"buffers\":[-Infinity]}"), "m.json:1:14: -Infinity"));
  CHECK(contains(error_of("{\"buffers\":[1,]}"), "m.json:1:15: expected a value"));
  CHECK(contains(error_of("{\"buffers\":[01]}"), "m.json:1:15: a number may not begin with a zero"));
  CHECK(contains(error_of("{\"buffers\":[]"), "the text ends too early"));
  CHECK(contains(error_of("{\"buffers\":[]} x"), "m.json:1:16: unexpected text"));
  CHECK(contains(error_of("{buffers:[]}"), "m.json:1:2: expected a key"));
  CHECK(contains(error_of("{\"a\" 1}"), "m.json:1:6: expected :"));
  CHECK(contains(error_of("{\"a\":\"\\x\"}"), "unknown escape"));
  CHECK(contains(error_of("{\"a\":\"\\ud800\"}"), "surrogate"));
  CHECK(contains(error_of("{\"a\":\"\\u0000\"}"), "zero byte"));
  CHECK(contains(error_of("{\"a\":\"open}"), "m.json:1:6: the string that begins here"));
  CHECK(contains(error_of("{\"a\":\"two\nlines\"}"), "control character"));
}

TEST_CASE("JSON: any prefix of a good text is an error, never a crash") {
  const std::string text =
      R"({"format":"stowage","version":1,"problem":{"buffers":[{"id":"\u00e9","lower":-1,"upper":2.0e1}]},"x":[true,null]})";
  for (std::size_t length = 1; length < text.size(); ++length) error_of(text.substr(0, length));
}

TEST_CASE("JSON: deep nesting is an error and not a crash") {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text = "{\"buffers\":[],\"x\":";
    for (int i = 0; i < 100'000; ++i) text += open;
    CHECK(contains(error_of(text), "nested deeper than 256 levels"));
  }
  std::string allowed = "{\"buffers\":[],\"x\":" + std::string(255, '[') + std::string(255, ']') + "}";
  CHECK(read_good(allowed, {}, "m.json").problem->size() == 0);
}

TEST_CASE("JSON: versions and other formats are told apart") {
  CHECK(contains(error_of(R"({"format":"stowage","version":2,"problem":{"buffers":[]}})"), "newer version of Stowage"));
  CHECK(contains(error_of(R"({"format":"stowage","version":"x","buffers":[]})"), "$.version"));
  CHECK(contains(error_of(R"({"format":"else","version":1,"buffers":[]})"), "$.format: this is \"else\""));
}

TEST_CASE("JSON: plans refer to buffers that are there, once") {
  const std::string buffers =
      R"({"buffers":[{"id":"a","lower":0,"upper":4,"size":1},{"id":"a","lower":0,"upper":4,"size":1},
    {"id":"b c","lower":0,"upper":4,"size":9}],"plans":)";
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":{"z":0}}]})"), "$.plans[0].offsets.z: there is no buffer"));
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":{"a":0}}]})"), "$.plans[0].offsets.a: several buffers"));
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":{"b c":true}}]})"),
                 "$.plans[0].offsets[\"b c\"]: expected an integer"));
  CHECK(
      contains(error_of(buffers + R"([{"id":"p","offsets":[0,1]}]})"), "$.plans[0].offsets: 2 offsets for 3 buffers"));
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":[0,1,0.5]}]})"),
                 "$.plans[0].offsets[2]: expected an integer"));
  CHECK(contains(error_of(buffers + R"([{"id":"p"}]})"), "$.plans[0].offsets: is missing"));
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":[0,1,2]},{"id":"p","offsets":[0,1,2]}]})"),
                 "two plans \"p\""));
  CHECK(contains(error_of(buffers + R"([{"id":"p","offsets":[0,1,9223372036854775800]}]})"),
                 "$.buffers[2].offset: offset 9223372036854775800 plus size 9"));
}

TEST_CASE("JSON: spaces must be known and told apart") {
  CHECK(contains(error_of(R"({"spaces":[{"id":"d"}],"buffers":[{"id":"a","lower":0,"upper":4,"size":1,"space":"e"}]})"),
                 "$.buffers[0].space: there is no space \"e\""));
  CHECK(contains(error_of(R"({"spaces":[{"id":"d"},{"id":"d"}],"buffers":[]})"), "two spaces \"d\""));
  CHECK(contains(error_of(R"({"spaces":[{"id":"d","base":-1}],"buffers":[]})"), "$.spaces[0].base"));
}

TEST_CASE("JSON: at most twenty errors are listed, in the order of the file") {
  std::string text = R"({"buffers":[)";
  for (int i = 0; i < 60; ++i) {
    text += i == 0 ? "" : ",\n";
    text += i % 2 == 0 ? R"({"id":"a","lower":9,"upper":4,"size":1})" : R"({"id":"a","lower":0,"upper":null,"size":1})";
  }
  const std::string message = error_of(text + "]}");
  CHECK(std::count(message.begin(), message.end(), '\n') == 20);
  for (int i = 0; i < 20; ++i) CHECK(contains(message, "$.buffers[" + std::to_string(i) + "].upper"));
  CHECK(contains(message, "and 40 more"));
}

TEST_CASE("JSON: --lenient leaves bad buffers out, also of plans, and lists them") {
  ReadOptions lenient;
  lenient.lenient = true;
  const Document document = read_good(
      R"({"buffers":[{"id":"a","lower":0,"upper":4,"size":1},{"id":"b","lower":5,"upper":4,"size":1},
          {"id":"c","lower":0.5,"upper":4,"size":1},{"id":"d","lower":0,"upper":4,"size":1}],
          "plans":[{"id":"p","offsets":[1,2,3,4]}]})",
      lenient, "m.json");
  CHECK(document.problem->size() == 2);
  CHECK(document.problem->id(1) == "d");
  CHECK(document.plans.at(0).offsets == std::vector<std::int64_t>{1, 4});
  CHECK(has_warning(document, "$.buffers[1].upper"));
  CHECK(has_warning(document, "$.buffers[2].lower"));
}

TEST_CASE("JSON: what no buffer can be left out for is an error under --lenient as well") {
  ReadOptions lenient;
  lenient.lenient = true;
  for (const char* problem :
       {R"({"spaces":[{}],"buffers":[]})", R"({"spaces":[5],"buffers":[]})", R"({"buffers":null})",
        R"({"capacity":"x","buffers":[]})", R"({"capacity":-1,"buffers":[]})", R"({"time_unit":5,"buffers":[]})"}) {
    CAPTURE(problem);
    CHECK(contains(read_error(problem, lenient, "m.json"), "m.json:"));
    const std::string whole = std::string(R"({"format":"stowage","version":1,"problem":)").append(problem) + "}";
    CHECK(contains(read_error(whole, lenient, "m.json"), "m.json:"));
  }
}

TEST_CASE("JSON: --lenient leaves bad plans out") {
  ReadOptions lenient;
  lenient.lenient = true;
  const Document document = read_good(
      R"({"buffers":[],"plans":[{"id":"p","seed":-1,"offsets":[]},5,{"id":"q","offsets":[]},{"id":"q","offsets":[]}]})",
      lenient, "m.json");
  REQUIRE(document.plans.size() == 1);
  CHECK(document.plans[0].id == "q");
  CHECK(has_warning(document, "$.plans[0].seed"));
  CHECK(has_warning(document, "$.plans[1]"));
  CHECK(has_warning(document, "two plans"));
}
