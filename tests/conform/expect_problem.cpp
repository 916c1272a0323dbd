// What the core says about a problem by itself.

#include <algorithm>

#include <fmt/format.h>

#include "core/allocators/task_profile.h"
#include "core/model/conflicts.h"
#include "core/model/load.h"
#include "core/model/sections.h"
#include "tests/conform/expectations.h"

namespace stowage::conform {
namespace {

Result<json> load_of(const json&, const Outcome& outcome) {
  return load(outcome.problem(), 0);
}

/// The buffers active in each section.
Result<json> sections(const json&, const Outcome& outcome) {
  const Problem& problem = outcome.problem();
  json found = json::array();
  for (std::size_t s = 0; s < problem.sections().count(); ++s) found.push_back(json::array());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
      for (std::int32_t s = span.first; s < span.last; ++s) found[static_cast<std::size_t>(s)].push_back(i);
    });
  }
  return found;
}

/// [buffers in order of arrival, first section, last section).
Result<json> partition_list(const json&, const Outcome& outcome) {
  json found = json::array();
  for (const Partition& p : partitions(outcome.problem().buffers(), outcome.problem().sections())) {
    found.push_back({p.buffers, p.first, p.last});
  }
  return found;
}

/// Of each buffer [first section, last section), window [low, high).
Result<json> spans(const json&, const Outcome& outcome) {
  const Problem& problem = outcome.problem();
  json found = json::array();
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    json row = json::array();
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
      row.push_back({span.first, span.last, span.low, span.high});
    });
    found.push_back(row);
  }
  return found;
}

/// Of each buffer [other, effective size].
Result<json> overlaps(const json&, const Outcome& outcome) {
  json found = json::array();
  for (const auto& list : all_overlaps(outcome.problem())) {
    json row = json::array();
    for (const Overlap& overlap : list) row.push_back({overlap.other, overlap.effective_size});
    found.push_back(row);
  }
  return found;
}

Result<json> cut_list(const json&, const Outcome& outcome) {
  return json(cuts(outcome.problem().buffers(), outcome.problem().sections()));
}

/// "A_below_B": bytes, "none" when the two never need memory at once, "unchecked" when the case does not say.
Result<json> effective_sizes(const json& expected, const Outcome& outcome) {
  constexpr std::string_view kBetween = "_below_";
  constexpr const char* kUnchecked = "unchecked";
  json found = json::object();
  if (std::all_of(expected.begin(), expected.end(), [](const json& size) { return size == kUnchecked; })) {
    return fail(Error::Kind::kRefused, "no effective size is expected");
  }
  for (const auto& [key, value] : expected.items()) {
    const std::size_t at = key.find(kBetween);
    if (at == std::string::npos) return fail(Error::Kind::kRefused, fmt::format("unknown pair '{}'", key));
    const auto lower = buffer_with(outcome, key.substr(0, at));
    const auto upper = buffer_with(outcome, key.substr(at + kBetween.size()));
    if (!lower) return tl::unexpected(lower.error());
    if (!upper) return tl::unexpected(upper.error());
    const auto size = effective_size(outcome.problem(), *lower, *upper);
    found[key] = value == kUnchecked ? value : size ? json(*size) : json("none");
  }
  return found;
}

Result<json> maximums(const json&, const Outcome& outcome) {
  return json(positional_maximums(outcome.problem()));
}

/// What is live at each task from the first one, number 0, on.
Result<json> profiles(const json& expected, const Outcome& outcome) {
  const std::vector<TaskProfile> stretches = task_profiles(outcome.problem());
  json found = json::array();
  if (stretches.empty()) return found;
  for (std::int64_t task = 0; task < stretches.front().start && found.size() <= expected.size(); ++task) {
    found.push_back(json::array());
  }
  for (const TaskProfile& stretch : stretches) {
    for (std::int64_t task = stretch.start; task < stretch.end; ++task) {
      if (found.size() > expected.size()) return found;  // that is wrong already, and may be endless
      found.push_back(stretch.buffers);
    }
  }
  return found;
}

constexpr Expectation kProblemTable[] = {
    {"load", load_of, nullptr},
    {"positional_maximums", maximums, nullptr},
    {"profiles", profiles, nullptr},
    {"sections", sections, nullptr},
    {"partitions", partition_list, nullptr},
    {"spans", spans, nullptr},
    {"overlaps", overlaps, nullptr},
    {"cuts", cut_list, nullptr},
    {"effective_size", effective_sizes, nullptr},
};

}  // namespace

std::span<const Expectation> problem_expectations() {
  return kProblemTable;
}

}  // namespace stowage::conform
