#include "core/chart/both_ends.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/integers.h"
#include "core/model/metrics.h"
#include "core/transforms/double_ended.h"

namespace stowage {
namespace {

std::optional<std::uint16_t> space_with_limit(const Problem& problem, std::string_view id) {
  for (std::size_t k = 0; k < problem.spaces().size(); ++k) {
    if (problem.spaces()[k].id == id && problem.spaces()[k].capacity) return static_cast<std::uint16_t>(k);
  }
  return std::nullopt;
}

/// Counts addresses from the other end. Buffers that are tied to each other turn as one, so that their ties hold.
class Turning {
 public:
  Turning(const Problem& problem, std::int64_t capacity) : problem_(problem), capacity_(capacity) {
    for (const Body& body : problem.bodies().all()) {
      std::int64_t height = 0;
      for (const Body::Member& member : body.members) {
        height = std::max(height, checked_add(member.relative, problem[member.buffer].size).value_or(kMaxInt64));
      }
      heights_.push_back(height);
    }
  }

  std::int64_t operator()(BufferIndex i, std::int64_t offset) const {
    const std::uint32_t body = problem_.bodies().of(i);
    const std::int64_t relative = problem_.bodies().relative(i);
    const std::int64_t height = body == Bodies::kNone ? problem_[i].size : heights_[body];
    const Int128 lowest = static_cast<Int128>(offset) - relative;
    const Int128 turned = static_cast<Int128>(capacity_) - lowest - height + relative;
    return static_cast<std::int64_t>(std::clamp<Int128>(turned, -kMaxInt64, kMaxInt64));
  }

 private:
  const Problem& problem_;
  std::int64_t capacity_;
  std::vector<std::int64_t> heights_;  // by body
};

/// "low" or "high": the end of the weights; nothing without such a stage.
std::optional<std::string> end_of_weights(std::span<const PipelineStage> pipeline) {
  for (const PipelineStage& stage : pipeline) {
    if (stage.transform != "double-ended" || !stage.on) continue;
    const auto given = stage.params.find("weights");
    return given == stage.params.end() ? std::string("low") : given->second;
  }
  return std::nullopt;
}

}  // namespace

Result<BothEnds> both_ends(const Problem& problem, const Plan& plan, std::span<const PipelineStage> pipeline) {
  const std::optional<std::string> end = end_of_weights(pipeline);
  const auto weights = space_with_limit(problem, kWeightsSpace);
  const auto values = space_with_limit(problem, kValuesSpace);
  if (!end || !weights || !values) {
    return usage_error("only a graph that is placed double-ended, with a capacity, has two ends");
  }
  const std::int64_t capacity =
      checked_add(*problem.capacity(*weights), *problem.capacity(*values)).value_or(kMaxInt64);
  const Turning turned(problem, capacity);
  ProblemInput input = problem.input();
  input.spaces[*values].capacity = capacity;
  BothEnds both;
  both.plan = plan;
  both.plan.objects.reset();  // of the plan from one end
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    input.buffers[i].fixed = kNoOffset;
    // What lies at the upper end may begin at any address: its alignment counts from there.
    const std::uint16_t space = space_of(problem, plan, i);
    const bool is_weight = space == *weights;
    if (!is_weight && space != *values) continue;
    input.buffers[i].space = *values;
    if (i < both.plan.spaces.size()) both.plan.spaces[i] = *values;
    if (is_weight != (*end == "high")) continue;
    input.buffers[i].alignment = 1;
    if (plan.offsets[i] != kNoOffset) both.plan.offsets[i] = turned(i, plan.offsets[i]);
  }
  auto made = make_problem(std::move(input));
  if (!made) return fail(Error::Kind::kRefused, "the two ends: " + made.error().front().message);
  both.problem = std::move(*made);
  return both;
}

}  // namespace stowage
