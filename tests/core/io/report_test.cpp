#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/io/report_json.h"
#include "core/io/steps_jsonl.h"
#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;
using Json = nlohmann::json;

TEST_CASE("report: a plan has all its keys, and big integers stay exact") {
  PlanReport report;
  report.file = "x\xFF";
  report.makespan = 9007199254740993;
  report.seconds = 0.25;
  const Json parsed = Json::parse(plan_report_json(report));
  for (const char* key : {"file", "allocator", "buffers", "load", "lower_bound", "makespan", "overhead", "optimal",
                          "valid", "issues", "padding", "fits", "status", "message", "seconds"}) {
    CHECK(parsed.contains(key));
  }
  CHECK(parsed["makespan"].get<std::int64_t>() == 9007199254740993);
  CHECK(Json::parse(plan_reports_json({report, report})).size() == 2);
  CHECK(Json::parse(plan_reports_json({})).is_array());
}

TEST_CASE("report: a collision names both buffers and both half-open ranges") {
  const Document document = read_good("id,lower,upper,size,offset\na,0,4,10,0\nb,2,6,20,5\n");
  const CheckReport report = check_plan(*document.problem, document.plans[0]);
  const Json parsed = Json::parse(check_report_json(report, *document.problem, {"makespan too large"}, 25, true));
  CHECK(parsed["valid"] == false);
  CHECK(parsed["count"] == 1);
  const Json& issue = parsed["issues"].at(0);
  CHECK(issue["kind"] == "collision");
  CHECK(issue["buffers"] == Json({"a", "b"}));
  CHECK(issue["time"] == Json({2, 4}));
  CHECK(issue["bytes"] == Json({5, 10}));
  CHECK(issue["message"].is_string());
  CHECK(parsed["gates"] == Json({"makespan too large"}));
  CHECK(parsed["makespan"] == 25);
  CHECK(parsed["load"] == 30);
}

TEST_CASE("report: without a plan there is no makespan, and ids that are not UTF-8 do not throw") {
  const Document document = read_good("id,lower,upper,size,offset\n\xFF,0,4,10,0\n\xFE,2,6,20,5\n");
  const CheckReport report = check_plan(*document.problem, document.plans[0]);
  CHECK(Json::accept(check_report_json(report, *document.problem, {}, 0, true)));
  const Json parsed = Json::parse(check_report_json({}, *document.problem, {}, 0, false));
  CHECK(parsed["valid"] == true);
  CHECK(parsed["makespan"].is_null());
}

TEST_CASE("report: info tells what was read how") {
  const Document document = read_good("id,start,end,size,space\na,2,3,10,device\nb,3,5,20,host\n", {}, "K.64.csv");
  const Json parsed = Json::parse(info_json(document, measure(*document.problem)));
  CHECK(parsed["buffers"] == 2);
  CHECK(parsed["load"] == 20);
  CHECK(parsed["load_time"] == 3);
  CHECK(parsed["naive"] == 30);
  CHECK(parsed["horizon"] == Json({2, 6}));
  CHECK(parsed["capacity"].is_null());
  CHECK(parsed["capacity_hint"] == "64 in the file's name");
  CHECK(parsed["format"] == "minimalloc-csv");
  CHECK(parsed["times"] == "closed");
  CHECK(parsed["offsets"] == "none");
  REQUIRE(parsed["spaces"].size() == 2);
  CHECK(parsed["spaces"][1]["id"] == "host");
  CHECK(parsed["spaces"][1]["load"] == 20);
  CHECK(parsed["warnings"].is_array());
}

TEST_CASE("report: lists of allocators and formats are the registries") {
  CHECK(Json::parse(allocators_json()).size() == allocators().size());
  const Json parsed = Json::parse(formats_json());
  REQUIRE(parsed.size() == formats().size());
  for (const Json& format : parsed) CHECK(find_format(format["id"].get<std::string>()) != nullptr);
}

TEST_CASE("steps: one JSON object a line, with names, numbers and phases") {
  const Document document = read_good("id,lower,upper,size\na,0,4,10\nb,2,6,20\n");
  StepLog log;
  log.add({step::Phase{"order"}, ""});
  log.add({step::Consider{0}, ""});
  log.add({step::Reject{1, 0, 5, 3, 20}, "too small"});
  log.add({step::Phase{"place"}, ""});
  log.add({step::Place{1, 64}, ""});
  log.add({step::Unplace{1}, ""});
  log.add({step::Incumbent{84}, ""});
  log.add({step::Bound{30}, ""});
  log.add({step::Note{"line\nbreak"}, ""});
  const std::string text = steps_to_jsonl(log, document.problem->input().ids);
  std::vector<Json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  REQUIRE(lines.size() == 9);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(lines[i]["n"] == i + 1);
    CHECK(lines[i]["op"] == std::string(op_of(log.steps()[i])));
    CHECK(lines[i]["phase"] == (i < 3 ? 1 : 2));
  }
  CHECK(lines[0]["name"] == "order");
  CHECK(lines[2]["buffer"] == "b");
  CHECK(lines[2]["blocker"] == "a");
  CHECK(lines[2]["free"] == 3);
  CHECK(lines[2]["needed"] == 20);
  CHECK(lines[2]["why"] == "too small");
  CHECK_FALSE(lines[1].contains("why"));
  CHECK(lines[4]["offset"] == 64);
  CHECK(lines[6]["makespan"] == 84);
  CHECK(lines[8]["text"] == "line\nbreak");
}

TEST_CASE("steps: rows tell buffers of one id apart, and a cut log says so") {
  const Document document = read_good("id,lower,upper,size\nx,0,4,10\nx,2,6,20\n");
  StepLog log(1);
  log.add({step::Place{1, 0}, ""});
  log.add({step::Place{0, 0}, ""});
  REQUIRE(log.truncated());
  const std::string text = steps_to_jsonl(log, document.problem->input().ids);
  CHECK(Json::parse(text.substr(0, text.find('\n')))["buffer_row"] == 1);
  CHECK(text.find("the log was cut") != std::string::npos);
}
