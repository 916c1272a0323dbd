// Offsets, totals and statuses.

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/model/check.h"
#include "core/model/load.h"
#include "core/model/metrics.h"
#include "tests/conform/core_functions.h"
#include "tests/conform/expectations.h"

namespace stowage::conform {
namespace {

/// Peers whose total counts each size rounded up to its alignment.
bool rounds_sizes(const Outcome& outcome) {
  const std::string& subject = outcome.of->subject;
  return subject.starts_with("glow") || subject.starts_with("iree");
}

std::int64_t rounded_size(const Buffer& buffer) {
  return (buffer.size + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
}

/// The peer's own total: the sum of its objects or heaps, else the highest address.
std::int64_t total_of(const Outcome& outcome, const Plan& plan) {
  if (plan.objects) return plan.objects->total();
  const Problem& problem = outcome.problem();
  std::int64_t total = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!problem[i].takes_memory()) continue;
    const std::int64_t size = rounds_sizes(outcome) ? rounded_size(problem[i]) : problem[i].size;
    total = std::max(total, plan.offsets[i] + size);
  }
  return total;
}

Result<json> makespan(const json&, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  return total_of(outcome, **plan);
}

/// The load as the peer counts it: sizes rounded where its total rounds them.
Result<std::int64_t> load_of(const Outcome& outcome) {
  if (!rounds_sizes(outcome)) return load(outcome.problem(), 0);
  ProblemInput rounded = outcome.problem().input();
  for (Buffer& buffer : rounded.buffers) buffer.size = rounded_size(buffer);
  const auto problem = make_problem(std::move(rounded));
  if (!problem) return fail(Error::Kind::kRefused, problem.error().front().message);
  return load(*problem, 0);
}

Result<json> efficiency(const json&, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  const auto live = load_of(outcome);
  if (!live) return tl::unexpected(live.error());
  const std::int64_t total = total_of(outcome, **plan);
  return total == 0 ? 1.0 : static_cast<double>(*live) / static_cast<double>(total);
}

/// Files give few digits.
bool nearly(const json& expected, const json& found) {
  return std::abs(expected.get<double>() - found.get<double>()) < 5e-4;
}

bool below(const json& expected, const json& found) {
  return expected.is_number() && found < expected;
}

Result<json> percent_above_load(const json&, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  const auto live = load_of(outcome);
  if (!live) return tl::unexpected(live.error());
  const std::int64_t above = total_of(outcome, **plan) - *live;
  return *live == 0 ? 0.0 : 100.0 * static_cast<double>(above) / static_cast<double>(*live);
}

bool at_most(const json& expected, const json& found) {
  return expected.is_number() && found <= expected;
}

/// Buffers by id; where a case lists none but gives the objects of each, by row. A list has all of them, by row.
Result<json> offsets(const json& expected, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  if (expected.is_array()) return (*plan)->offsets;
  json found = json::object();
  for (const auto& [id, offset] : expected.items()) {
    std::size_t row = 0;
    if (outcome.problem().size() == 0) {
      std::from_chars(id.data(), id.data() + id.size(), row);
    } else {
      const auto named = buffer_with(outcome, id);
      if (!named) return tl::unexpected(named.error());
      row = *named;
    }
    if (row < (*plan)->offsets.size()) found[id] = (*plan)->offsets[row];
  }
  return found;
}

Result<json> offset_multiset(const json&, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  std::vector<std::int64_t> sorted = (*plan)->offsets;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

bool same_multiset(const json& expected, const json& found) {
  auto sorted = expected.get<std::vector<std::int64_t>>();
  std::sort(sorted.begin(), sorted.end());
  return json(sorted) == found;
}

/// The highest end after each placement, in the order in which they were made. Buffers that are tied to each other are
/// placed at once.
Result<json> running_heap(const json&, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  json found = json::array();
  std::int64_t top = 0;
  std::uint32_t last_body = Bodies::kNone;
  for (const Step& step : outcome.steps.steps()) {
    const auto* place = std::get_if<step::Place>(&step.fact);
    if (place == nullptr) continue;
    top = std::max(top, place->offset + outcome.problem()[place->buffer].size);
    const std::uint32_t body = outcome.problem().bodies().of(place->buffer);
    if (body != Bodies::kNone && body == last_body) {
      found.back() = top;
    } else {
      found.push_back(top);
    }
    last_body = body;
  }
  return found;
}

/// By id, the parts of a buffer by rising address: [size, offset, start].
Result<json> slices(const json& expected, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  json found = json::object();
  for (const auto& [id, parts] : expected.items()) {
    const auto named = buffer_with(outcome, id);
    if (!named) return tl::unexpected(named.error());
    const Details* details = outcome.problem().details(*named);
    const auto starts = (*plan)->slices.find(*named);
    found[id] = json::array();
    if (details == nullptr || starts == (*plan)->slices.end()) continue;
    std::int64_t at = (*plan)->offsets[*named];
    for (std::size_t k = 0; k < starts->second.size() && k < details->slices.size(); ++k) {
      found[id].push_back({details->slices[k].size, at, starts->second[k]});
      at += details->slices[k].size;
    }
  }
  return found;
}

constexpr Expectation kPlanTable[] = {
    {"makespan", makespan, nullptr},         {"makespan_lt", makespan, below},
    {"makespan_le", makespan, at_most},      {"makespan_le_load_pct", percent_above_load, at_most},
    {"efficiency", efficiency, nearly},      {"offsets", offsets, nullptr},
    {"offsets_subset", offsets, nullptr},    {"offset_multiset", offset_multiset, same_multiset},
    {"running_heap", running_heap, nullptr}, {"slices", slices, nullptr},
};

}  // namespace

std::span<const Expectation> plan_expectations() {
  return kPlanTable;
}

}  // namespace stowage::conform
