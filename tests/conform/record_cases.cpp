#include "tests/conform/record_cases.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace stowage::conform {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPlanners[] = {
    {"naive", "tflite-naive"},
    {"equality", "tflite-equality"},
    {"greedy", "tflite-greedy-in-order"},
    {"greedy_by_breadth", "tflite-greedy-by-breadth"},
    {"greedy_by_size", "tflite-greedy-by-size-objects"},
    {"greedy_best", "tflite-greedy-best"},
    {"min_cost_flow", "tflite-mincostflow"},
};

bool is_record(const json& entry) {
  return entry.is_array() && entry.size() == 3 &&
         std::all_of(entry.begin(), entry.end(), [](const json& number) { return number.is_number_integer(); });
}

/// Empty: held.
std::string compare(const Problem& problem, std::string_view allocator, const json& expected) {
  RunContext context;
  const auto run = run_allocator(*find_allocator(allocator), problem, {}, context);
  if (!run) return run.error().message;
  if (!run->plan.objects) return "there are no objects";
  const json ids(run->plan.objects->object_of);
  const json sizes(run->plan.objects->sizes);
  if (expected.contains("ids") && expected.at("ids") != ids)
    return fmt::format("ids: expected {}, got {}", expected.at("ids").dump(), ids.dump());
  if (expected.contains("sizes") && expected.at("sizes") != sizes)
    return fmt::format("sizes: expected {}, got {}", expected.at("sizes").dump(), sizes.dump());
  return {};
}

}  // namespace

std::optional<Verdict> judge_records(const json& from) {
  if (!from.contains("trace") || !from.contains("expected")) return std::nullopt;
  const json& trace = from.at("trace");
  if (!trace.is_array() || trace.empty() || !std::all_of(trace.begin(), trace.end(), is_record)) return std::nullopt;
  ProblemInput input;
  for (const json& record : trace) {
    Buffer buffer;
    buffer.size = record[0].get<std::int64_t>();
    buffer.start = record[1].get<std::int64_t>();
    buffer.end = record[2].get<std::int64_t>() + 1;
    input.add(fmt::format("{}", input.buffers.size()), buffer);
  }
  const auto problem = make_problem(std::move(input));
  if (!problem) return Verdict::failed(problem.error().front().message);
  for (const auto& [key, expected] : from.at("expected").items()) {
    const auto planner = std::find_if(std::begin(kPlanners), std::end(kPlanners),
                                      [&name = key](const auto& p) { return p.first == name; });
    if (planner == std::end(kPlanners)) return Verdict::not_expressible(fmt::format("unknown planner '{}'", key));
    const std::string wrong = compare(*problem, planner->second, expected);
    if (!wrong.empty()) return Verdict::failed(fmt::format("{}: {}", key, wrong));
  }
  return Verdict::held();
}

}  // namespace stowage::conform
