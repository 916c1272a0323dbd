#include "core/io/report_json.h"

#include <nlohmann/json.hpp>

#include "core/io/format.h"
#include "core/model/load.h"

namespace stowage {
namespace {

using Json = nlohmann::ordered_json;

/// Ids may hold bytes that are no UTF-8: a report shows replacement characters and never fails.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json from(const PlanReport& report) {
  Json json;
  json["file"] = report.file;
  json["allocator"] = report.allocator;
  json["buffers"] = report.buffers;
  json["load"] = report.load;
  json["lower_bound"] = report.lower_bound;
  json["makespan"] = report.makespan;
  json["overhead"] = report.overhead;
  json["optimal"] = report.optimal;
  json["valid"] = report.valid;
  json["issues"] = report.issues;
  json["padding"] = report.padding;
  json["fits"] = report.fits;
  json["status"] = report.status;
  json["message"] = report.message;
  json["seconds"] = report.seconds;
  json["iterations"] = report.iterations;
  json["seconds_per_iteration"] = report.seconds_per_iteration();
  if (!report.recipe) return json;
  json["schedule"] = report.recipe->schedule;
  json["pipeline"] = Json::array();
  for (const PipelineStage& stage : report.recipe->pipeline) {
    json["pipeline"].push_back(Json{{"transform", stage.transform}, {"on", stage.on}, {"params", Json(stage.params)}});
  }
  return json;
}

Json from(const Issue& issue, const Problem& problem) {
  Json json;
  json["kind"] = name_of(issue.kind);
  json["buffers"] = Json::array();
  for (const BufferIndex i : {issue.first, issue.second}) {
    if (i != kNoBuffer) json["buffers"].push_back(std::string(problem.id(i)));
  }
  json["time"] = {issue.time_low, issue.time_high};
  json["bytes"] = {issue.byte_low, issue.byte_high};
  json["message"] = describe(issue, problem);
  return json;
}

Json from(std::optional<std::int64_t> number) {
  return number ? Json(*number) : Json(nullptr);
}

Json from(const ParamSpec& spec) {
  return Json{{"key", spec.key},
              {"summary", spec.summary},
              {"value", spec.value},
              {"choices", spec.choices},
              {"closed", spec.closed}};
}

}  // namespace

std::string plan_report_json(const PlanReport& report) {
  return text_of(from(report));
}

std::string plan_reports_json(const std::vector<PlanReport>& reports) {
  Json json = Json::array();
  for (const PlanReport& report : reports) json.push_back(from(report));
  return text_of(json);
}

std::string check_report_json(const CheckReport& report, const Problem& problem, const std::vector<std::string>& gates,
                              std::int64_t makespan, bool has_plan) {
  Json json;
  json["valid"] = report.valid();
  json["issues"] = Json::array();
  for (const Issue& issue : report.issues) json["issues"].push_back(from(issue, problem));
  json["count"] = report.count;
  json["makespan"] = has_plan ? Json(makespan) : Json(nullptr);
  json["load"] = measure(problem).load;
  json["plan"] = has_plan;
  json["gates"] = gates;
  return text_of(json);
}

std::string info_json(const Document& document, const ProblemMetrics& facts) {
  const Problem& problem = *document.problem;
  Json json;
  json["file"] = document.path;
  json["name"] = problem.name();
  json["buffers"] = problem.size();
  json["load"] = facts.load;
  json["load_time"] = facts.load > 0 ? Json(facts.peak_start) : Json(nullptr);
  json["lower_bound"] = facts.lower_bound;
  json["naive"] = facts.naive;
  json["padding"] = facts.padding;
  json["horizon"] = {facts.horizon_low, facts.horizon_high};
  json["capacity"] = from(problem.capacity());
  json["capacity_hint"] = document.facts.capacity_hint.empty() ? Json(nullptr) : Json(document.facts.capacity_hint);
  json["format"] = document.facts.format;
  json["times"] = document.facts.times;
  json["time_unit"] = problem.time_unit();
  json["offsets"] = document.facts.offsets;
  std::vector<std::size_t> members(problem.spaces().size(), 0);
  for (const Buffer& buffer : problem.buffers()) ++members[buffer.space];
  json["spaces"] = Json::array();
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const Space& space = problem.spaces()[s];
    json["spaces"].push_back({{"id", space.id},
                              {"base", space.base},
                              {"capacity", from(space.capacity)},
                              {"buffers", members[s]},
                              {"load", load(problem, static_cast<std::uint16_t>(s))}});
  }
  json["plans"] = Json::array();
  for (const Plan& plan : document.plans) {
    const CheckReport report = check_plan(problem, plan);
    json["plans"].push_back({{"id", plan.id},
                             {"valid", report.valid()},
                             {"issues", report.count},
                             {"allocator", plan.allocator},
                             {"makespan", measure(problem, facts, plan).makespan},
                             {"claimed_makespan", from(plan.claimed_makespan)}});
  }
  json["left_out"] = document.facts.left_out;
  json["open"] = Json::array();
  for (const OpenSize& open : document.facts.open)
    json["open"].push_back({{"choice", open.choice}, {"name", open.name}});
  json["warnings"] = document.facts.warnings;
  return text_of(json);
}

std::string allocators_json() {
  Json json = Json::array();
  for (const Allocator& allocator : allocators()) {
    Json params = Json::array();
    for (const ParamSpec& spec : allocator.params) params.push_back(from(spec));
    json.push_back({{"id", allocator.id},
                    {"title", allocator.title},
                    {"summary", allocator.summary},
                    {"source", allocator.source},
                    {"params", params},
                    {"can",
                     {{"fixed_offsets", allocator.can.fixed_offsets},
                      {"alignment", allocator.can.alignment},
                      {"gaps", allocator.can.gaps},
                      {"exact", allocator.can.exact}}}});
  }
  return text_of(json);
}

std::string formats_json() {
  Json json = Json::array();
  for (const Format& format : formats()) {
    Json choices = Json::array();
    for (const ReadChoice& choice : format.choices) {
      choices.push_back(
          {{"key", choice.key}, {"summary", choice.summary}, {"value", choice.value}, {"values", choice.values}});
    }
    json.push_back({{"id", format.id},
                    {"title", format.title},
                    {"extension", format.extension},
                    {"summary", format.summary},
                    {"read", format.read != nullptr},
                    {"write", format.write != nullptr},
                    {"choices", choices}});
  }
  return text_of(json);
}

}  // namespace stowage
