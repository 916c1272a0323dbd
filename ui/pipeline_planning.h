#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <type_traits>

#include "core/allocators/allocator.h"

namespace stowage {

/// Who plans stages of a pipeline where the shown plan is no allocator's, or one that refuses or takes long.
inline constexpr const char* kPipelineAllocator = "first-fit-size";
/// What the wanted allocator searches for at most, everything that is asked of it together.
inline constexpr std::chrono::seconds kPipelineSearch{2};

/// `work(allocator, context)` by the wanted allocator, or by the one that always can; `allocator` becomes whose it is.
template <typename Work>
std::invoke_result_t<Work, const Allocator&, RunContext&> by_pipeline_allocator(std::string& allocator,
                                                                                const Problem& problem,
                                                                                const std::stop_token& stop,
                                                                                const Work& work) {
  const Allocator* wanted = find_allocator(allocator);
  if (wanted != nullptr && wanted->runs_unasked(problem)) {
    RunContext limited;
    limited.stop = stop;
    limited.deadline = std::chrono::steady_clock::now() + kPipelineSearch;
    auto result = work(*wanted, limited);
    if (result || stop.stop_requested()) return result;
  }
  allocator = kPipelineAllocator;
  RunContext context;
  context.stop = stop;
  return work(*find_allocator(allocator), context);
}

}  // namespace stowage
