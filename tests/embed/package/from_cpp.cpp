#include <cstdio>

#include "core/allocators/allocator.h"
#include "core/model/metrics.h"

int main() {
  stowage::ProblemInput input;
  stowage::Buffer buffer;
  buffer.end = 2;
  buffer.size = 64;
  input.add("a", buffer);
  input.add("b", buffer);
  const auto problem = stowage::make_problem(std::move(input));
  stowage::RunContext context;
  const auto planned = stowage::run_allocator(*stowage::find_allocator("best"), *problem, {}, context);
  if (!planned) return 1;
  std::printf("%lld and %lld\n", static_cast<long long>(planned->plan.offsets[0]),
              static_cast<long long>(planned->plan.offsets[1]));
  return planned->plan.offsets[0] + planned->plan.offsets[1] == 64 ? 0 : 1;
}
