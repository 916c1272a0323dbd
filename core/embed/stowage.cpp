#include "core/embed/stowage.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/model/metrics.h"

namespace {

using namespace stowage;

/// What stowage_error gives: C has no other place for it, and each thread has its own.
std::string& last_error() {
  thread_local std::string text;
  return text;
}

std::int32_t fail_with(std::int32_t code, std::string why) {
  last_error() = std::move(why);
  return code;
}

std::string describe(const Fault& fault) {
  return fault.buffer == kNoBuffer ? fault.message : fmt::format("buffer {}: {}", fault.buffer, fault.message);
}

ProblemInput input_of(std::size_t n, const std::int64_t* lower, const std::int64_t* upper, const std::int64_t* size,
                      const std::int64_t* alignment, std::int64_t capacity) {
  ProblemInput input;
  if (capacity >= 0) input.capacity = capacity;
  input.buffers.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    Buffer buffer;
    buffer.start = lower[i];
    buffer.end = upper[i];
    buffer.size = size[i];
    buffer.alignment = alignment == nullptr ? 1 : alignment[i];
    input.add(std::to_string(i), buffer);
  }
  return input;
}

std::int32_t status_of(const PlannedRun& planned, const PlanMetrics& metrics, std::int64_t bound) {
  if (metrics.makespan <= bound) return STOWAGE_OPTIMAL;
  switch (planned.result.status) {
    case RunStatus::kProvedOptimal:
      return STOWAGE_OPTIMAL;
    case RunStatus::kProvedInfeasible:
      return STOWAGE_INFEASIBLE;
    case RunStatus::kStopped:
      return STOWAGE_STOPPED;
    case RunStatus::kComplete:
      return STOWAGE_COMPLETE;
  }
  return STOWAGE_COMPLETE;
}

std::int32_t plan(const Problem& problem, double time_limit, std::int64_t* offsets_out, stowage_result* result_out) {
  const Allocator* best = find_allocator("best");
  if (best == nullptr) return fail_with(STOWAGE_FAILED, "this build has no allocator 'best'");
  RunContext context;
  if (time_limit > 0) {
    context.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(std::min(time_limit, 1e9)));
  }
  const auto planned = run_allocator(*best, problem, {}, context);
  if (!planned) return fail_with(STOWAGE_FAILED, planned.error().message);
  const ProblemMetrics facts = measure(problem);
  const PlanMetrics metrics = measure(problem, facts, planned->plan);
  const std::int64_t bound = std::max(facts.load, planned->result.lower_bound.value_or(0));
  const std::int32_t status = status_of(*planned, metrics, bound);
  std::copy(planned->plan.offsets.begin(), planned->plan.offsets.end(), offsets_out);
  if (result_out != nullptr) {
    *result_out = stowage_result{metrics.makespan, facts.load, status == STOWAGE_OPTIMAL ? metrics.makespan : bound,
                                 status, planned->result.seconds};
  }
  return problem.capacity() && metrics.makespan > *problem.capacity() ? STOWAGE_TOO_HIGH : STOWAGE_FITS;
}

}  // namespace

std::int32_t stowage_plan(std::size_t n, const std::int64_t* lower, const std::int64_t* upper, const std::int64_t* size,
                          const std::int64_t* alignment, std::int64_t capacity, double time_limit,
                          std::int64_t* offsets_out, stowage_result* result_out) {
  // No exception may cross into C.
  try {
    last_error().clear();
    if (n > 0 && (lower == nullptr || upper == nullptr || size == nullptr || offsets_out == nullptr)) {
      return fail_with(STOWAGE_WRONG, "lower, upper, size and offsets_out must not be null");
    }
    if (n >= kNoBuffer) return fail_with(STOWAGE_WRONG, "too many buffers");
    const auto problem = make_problem(input_of(n, lower, upper, size, alignment, capacity));
    if (!problem) return fail_with(STOWAGE_WRONG, describe(problem.error().front()));
    return plan(*problem, time_limit, offsets_out, result_out);
  } catch (const std::exception& error) {
    return fail_with(STOWAGE_FAILED, error.what());
  }
}

const char* stowage_error(void) {
  return last_error().c_str();
}

const char* stowage_version(void) {
  return STOWAGE_VERSION;
}
