#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// A lifetime that ends here, or later, is that of a tensor that is never freed: a graph's input, output or variable.
constexpr std::int64_t kNeverFreed = std::int64_t{1} << 62;

/// The index of each tensor: its id where all ids are different numbers, else its row.
std::vector<std::int64_t> tensor_indices(const Problem& problem) {
  std::vector<std::int64_t> indices;
  std::set<std::int64_t> seen;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::optional<std::int64_t> number = parse_int(problem.id(i));
    if (!number || !seen.insert(*number).second) break;
    indices.push_back(*number);
  }
  if (indices.size() == problem.size()) return indices;
  indices.clear();
  for (BufferIndex i = 0; i < problem.size(); ++i) indices.push_back(i);
  return indices;
}

/// Live from the first node on and never freed.
bool lives_always(const Problem& problem, BufferIndex i) {
  const Details* details = problem.details(i);
  const bool never_freed = problem[i].end >= kNeverFreed || (details != nullptr && details->open_end);
  return problem[i].start <= 0 && never_freed;
}

/// Tensors that live always by index, then the larger ones, then the ones of earlier nodes. (The origin leaves further
/// ties open; here the index decides.)
std::vector<BufferIndex> planner_order(const Problem& problem, std::vector<BufferIndex> rows) {
  const std::vector<std::int64_t> index = tensor_indices(problem);
  const auto key = [&](BufferIndex i) {
    const bool always = lives_always(problem, i);
    return std::tuple(!always, always ? 0 : -problem[i].size, always ? 0 : problem[i].start, index[i]);
  };
  std::sort(rows.begin(), rows.end(), [&](BufferIndex a, BufferIndex b) { return key(a) < key(b); });
  return rows;
}

/// A graph that is executed node by node plans the tensors of each node when it comes to it.
void node_by_node(const Problem& problem, std::vector<BufferIndex>& order) {
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].start < problem[b].start; });
}

/// The same problem in which no tensor is ever freed. Its plan is one of the problem, too.
Result<Problem> preserve_all(const Problem& problem) {
  ProblemInput input = problem.input();
  for (Buffer& buffer : input.buffers) {
    if (buffer.takes_memory()) buffer.end = std::max(buffer.end, kNeverFreed);
  }
  auto preserved = make_problem(std::move(input));
  if (!preserved) return fail(Error::Kind::kRefused, preserved.error().front().message);
  return std::move(*preserved);
}

Result<RunResult> place_tensors(const Problem& problem, std::string_view mode, RunContext& context) {
  auto order = make_order(problem, "given");
  if (!order) return tl::unexpected(order.error());
  if (mode != "given") *order = planner_order(problem, std::move(*order));
  if (mode == "stepwise") node_by_node(problem, *order);
  return place_in_order(problem, *order, FitRule::kArena, context);
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const std::string& mode = params.at("order");
  if (params.at("preserve") == "false") return place_tensors(problem, mode, context);
  const auto preserved = preserve_all(problem);
  if (!preserved) return tl::unexpected(preserved.error());
  return place_tensors(*preserved, mode, context);
}

}  // namespace

std::vector<Allocator> tflite_arena_planner_allocators() {
  Allocator allocator;
  allocator.id = "tflite-arena-planner";
  allocator.title = "TFLite arena planner";
  allocator.summary =
      "TensorFlow Lite's interpreter: tensors that live always, then the largest, each into the tightest gap of the "
      "arena.";
  allocator.source = "google-ai-edge/LiteRT tflite/arena_planner.cc";
  ParamSpec order;
  order.key = "order";
  order.summary = "planner: the whole graph at once; stepwise: executed and planned node by node; given: as listed";
  order.value = "planner";
  order.choices = {"planner", "stepwise", "given"};
  ParamSpec preserve;
  preserve.key = "preserve";
  preserve.summary = "true: no tensor is ever freed, so that all can be looked at afterwards";
  preserve.value = "false";
  preserve.choices = {"false", "true"};
  allocator.params = {order, preserve};
  allocator.can.gaps = false;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
