#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
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

/// What the interpreter adds to the lives that readers and makers of a tensor give it.
struct Keeping {
  bool all = false;              // no tensor is ever freed
  bool by_kind = false;          // nor are inputs, outputs and state; inputs and state are there from the start
  std::vector<char> persistent;  // by buffer: it lies in the persistent arena; empty when there is none
};

void lengthen(const Problem& problem, BufferIndex i, const Keeping& keeping, Buffer& buffer) {
  const std::string_view kind = problem.kind(i);
  const bool from_start = keeping.by_kind && (kind == "input" || kind == "state");
  const bool persistent = !keeping.persistent.empty() && keeping.persistent[i] != 0;
  const bool for_good = keeping.all || persistent || from_start || (keeping.by_kind && kind == "output");
  if (from_start) buffer.start = std::min<std::int64_t>(buffer.start, 0);
  if (for_good) buffer.end = std::max(buffer.end, kNeverFreed);
}

/// Tensors that share memory are one to the planner: from when the first is made until the last is freed.
void live_together(const Problem& problem, std::vector<Buffer>& buffers) {
  for (const Body& body : problem.bodies().all()) {
    std::int64_t start = kMaxInt64;
    std::int64_t end = kMinInt64;
    for (const Body::Member& member : body.members) {
      if (!buffers[member.buffer].takes_memory()) continue;
      start = std::min(start, buffers[member.buffer].start);
      end = std::max(end, buffers[member.buffer].end);
    }
    for (const Body::Member& member : body.members) {
      Buffer& buffer = buffers[member.buffer];
      if (!buffer.takes_memory()) continue;
      buffer.start = start;
      buffer.end = end;
    }
  }
}

/// The same problem with the lives that the planner goes by. None is shorter, so its plan is one of the problem, too.
Result<Problem> as_kept(const Problem& problem, const Keeping& keeping) {
  ProblemInput input = problem.input();
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) lengthen(problem, i, keeping, input.buffers[i]);
  }
  live_together(problem, input.buffers);
  auto kept = make_problem(std::move(input));
  if (!kept) return fail(Error::Kind::kRefused, kept.error().front().message);
  return std::move(*kept);
}

/// Buffers of these kinds (names joined by +), and whatever is tied to one; empty when there are none.
std::vector<char> of_kinds(const Problem& problem, std::string_view kinds) {
  std::vector<char> chosen(problem.size(), 0);
  bool any = false;
  for (const std::string& kind : split(kinds, '+')) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (kind.empty() || problem.kind(i) != kind) continue;
      chosen[i] = 1;
      any = true;
    }
  }
  if (!any) return {};
  for (const Body& body : problem.bodies().all()) {
    const bool tied = std::any_of(body.members.begin(), body.members.end(),
                                  [&](const Body::Member& member) { return chosen[member.buffer] != 0; });
    for (const Body::Member& member : body.members) chosen[member.buffer] = tied ? 1 : 0;
  }
  return chosen;
}

/// Where the arena of a space begins that lies on top of the persistent one: at a multiple of its own alignment and of
/// that of all its tensors. Nothing when there is no such address.
std::optional<std::int64_t> begin_above(const Problem& problem, std::span<const BufferIndex> persistent,
                                        std::span<const BufferIndex> others, std::span<const std::int64_t> offsets,
                                        std::uint16_t space) {
  constexpr std::int64_t kArenaAlignment = 64;
  std::int64_t top = 0;
  for (const BufferIndex i : persistent) {
    if (problem[i].space == space && problem[i].takes_memory()) top = std::max(top, offsets[i] + problem[i].size);
  }
  std::optional<Grid> grid = Grid{kArenaAlignment, 0};
  for (const BufferIndex i : others) {
    if (grid && problem[i].space == space) grid = intersect(*grid, Grid{problem[i].alignment, 0});
  }
  if (!grid) return std::nullopt;
  return grid->up(top);
}

/// The persistent arena, and on top of it the other one: two blocks of memory to the origin.
Result<RunResult> place_in_two(const Problem& problem, std::span<const BufferIndex> order,
                               const std::vector<char>& is_persistent, RunContext& context) {
  if (problem.has_fixed()) {
    return fail(Error::Kind::kRefused, "tflite-arena-planner: a persistent arena leaves nothing where it is fixed");
  }
  std::vector<BufferIndex> persistent;
  std::vector<BufferIndex> others;
  for (const BufferIndex i : order) (is_persistent[i] != 0 ? persistent : others).push_back(i);
  RunContext first = context;
  first.progress = nullptr;
  context.say(Step{step::Phase{"the persistent arena"}, {}});
  auto below = place_in_order(problem, persistent, FitRule::kArena, first);
  if (!below) return below;
  context.say(Step{step::Phase{"the other arena"}, {}});
  auto result = place_in_order(problem, others, FitRule::kArena, context);
  if (!result) return result;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const auto space = static_cast<std::uint16_t>(s);
    const auto begin = begin_above(problem, persistent, others, below->offsets, space);
    for (const BufferIndex i : others) {
      if (problem[i].space != space) continue;
      const auto at = begin ? checked_add(result->offsets[i], *begin) : std::nullopt;
      if (!at || !checked_add(*at, problem[i].size)) return ends_too_high(problem, i);
      result->offsets[i] = *at;
    }
  }
  for (const BufferIndex i : persistent) result->offsets[i] = below->offsets[i];
  say_plan(context, result->offsets, "as the arenas lie one above the other");
  return result;
}

Result<RunResult> place_tensors(const Problem& problem, std::string_view mode, const std::vector<char>& persistent,
                                RunContext& context) {
  auto order = make_order(problem, "given");
  if (!order) return tl::unexpected(order.error());
  if (mode != "given") *order = planner_order(problem, std::move(*order));
  if (mode == "stepwise") node_by_node(problem, *order);
  if (persistent.empty()) return place_in_order(problem, *order, FitRule::kArena, context);
  return place_in_two(problem, *order, persistent, context);
}

/// An op that may run in place gives its result the memory of an input when both are as large (more than 4 bytes where
/// it changes them), nobody else reads the input, and neither comes from outside or goes there. Which ops may, only a
/// graph knows: the transform in-place decides it, and what comes here is one buffer then, or tied ones.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const std::string& mode = params.at("order");
  Keeping keeping;
  keeping.all = params.at("preserve") == "true";
  keeping.by_kind = params.at("lifetimes") == "interpreter";
  keeping.persistent = of_kinds(problem, params.at("persistent"));
  if (!keeping.all && !keeping.by_kind && keeping.persistent.empty() && problem.bodies().empty()) {
    return place_tensors(problem, mode, {}, context);
  }
  const auto kept = as_kept(problem, keeping);
  if (!kept) return tl::unexpected(kept.error());
  return place_tensors(*kept, mode, keeping.persistent, context);
}

}  // namespace

std::vector<Allocator> tflite_arena_planner_allocators() {
  Allocator allocator;
  allocator.id = "tflite-arena-planner";
  allocator.title = "TFLite arena planner";
  allocator.summary =
      "TensorFlow Lite's interpreter: tensors that live always, then the largest, each into the tightest gap of the "
      "arena; what shares memory counts as one tensor.";
  allocator.source = "google-ai-edge/LiteRT tflite/arena_planner.cc";
  const ParamSpec order = choice_param(
      "order", "planner: the whole graph at once; stepwise: executed and planned node by node; given: as listed",
      {"planner", "stepwise", "given"});
  const ParamSpec preserve = choice_param(
      "preserve", "true: no tensor is ever freed, so that all can be looked at afterwards", {"false", "true"});
  const ParamSpec lifetimes = choice_param(
      "lifetimes",
      "given: as they are; interpreter: inputs and state from the start, and neither they nor outputs are ever freed",
      {"given", "interpreter"});
  const ParamSpec persistent = open_param(
      "persistent",
      "kinds of tensors, joined by +, that lie for good in an arena of their own, below the other: state; none: no "
      "such "
      "arena",
      {"none", "state"});
  allocator.params = {order, preserve, lifetimes, persistent};
  allocator.can.gaps = false;
  allocator.can.colocation = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
