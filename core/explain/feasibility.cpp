#include "core/explain/feasibility.h"

#include <algorithm>
#include <utility>

#include "core/allocators/capacity_search.h"
#include "core/allocators/fit.h"
#include "core/allocators/order.h"

namespace stowage {
namespace {

/// The windows of a buffer end at its upper edge.
void clip_windows(Details& details, std::int64_t size) {
  for (Gap& gap : details.gaps) {
    if (!gap.window) continue;
    gap.window->high = std::min(gap.window->high, size);
    gap.window->low = std::min(gap.window->low, gap.window->high);
  }
}

bool below(const Problem& problem, std::span<const std::int64_t> offsets, std::int64_t capacity) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory() && problem[i].size > capacity - offsets[i]) return false;
  }
  return true;
}

}  // namespace

Problem selected_problem(const Problem& problem, std::uint16_t space, const Selection& selection,
                         std::int64_t capacity) {
  ProblemInput input;
  input.capacity = capacity;
  input.spaces = {problem.spaces()[space]};
  input.spaces.front().capacity.reset();
  for (const BufferIndex i : selection.buffers) {
    Buffer buffer = problem[i];
    buffer.details = Buffer::kNoDetails;
    buffer.kind = 0;
    buffer.space = 0;
    if (i == selection.shrunk) buffer.size = selection.size;
    if (problem.gaps(i).empty()) {
      input.add(problem.id(i), buffer);
      continue;
    }
    Details details;
    details.gaps.assign(problem.gaps(i).begin(), problem.gaps(i).end());
    clip_windows(details, buffer.size);
    input.add(problem.id(i), buffer, std::move(details));
  }
  return make_problem(std::move(input)).value();  // a part of a sound problem is sound
}

Feasibility::Feasibility(const Problem& problem, std::uint16_t space, std::int64_t capacity, std::int64_t nodes,
                         const RunContext& context)
    : problem_(problem), space_(space), capacity_(capacity), nodes_left_(nodes) {
  context_.stop = context.stop;
  context_.deadline = context.deadline;
}

Feasibility::Answer Feasibility::ask(std::span<const BufferIndex> buffers) {
  return ask(Selection{{buffers.begin(), buffers.end()}, kNoBuffer, 0});
}

Feasibility::Answer Feasibility::ask(const Selection& selection) {
  const Problem part = selected_problem(problem_, space_, selection, capacity_);
  for (BufferIndex i = 0; i < part.size(); ++i) {
    if (!part[i].takes_memory() || !part[i].is_fixed() || part[i].size <= capacity_ - part[i].fixed) continue;
    together_ = {selection.buffers[i]};
    return Answer::kDoesNotFit;
  }
  if (part.sections().load() > capacity_) {
    const auto peak = static_cast<std::size_t>(part.sections().peak());
    together_.clear();
    for (BufferIndex i = 0; i < part.size(); ++i) {
      part.sections().for_each_span(part[i], i, [&](const Span& span) {
        const auto first = static_cast<std::size_t>(span.first);
        if (first <= peak && peak < static_cast<std::size_t>(span.last)) together_.push_back(selection.buffers[i]);
      });
    }
    return Answer::kDoesNotFit;
  }
  if (!part.has_fixed()) {  // greedy plans may let pins collide
    for (const char* order : {"size", "lifetime"}) {
      const auto rows = make_order(part, order);
      const auto greedy = place_in_order(part, *rows, FitRule::kFirst, context_);
      if (greedy && below(part, greedy->offsets, capacity_)) {
        offsets_ = greedy->offsets;
        return Answer::kFits;
      }
    }
  }
  return search(part, selection);
}

Feasibility::Answer Feasibility::search(const Problem& part, const Selection& selection) {
  if (nodes_left_ <= 0 || context_.should_stop()) return Answer::kUnknown;
  const SearchRules rules;
  CapacitySearch search(part, rules);
  // One hard question must not use up what all others need.
  const std::int64_t share = std::min(nodes_left_, std::max<std::int64_t>(nodes_left_ / 4, 50'000));
  const SearchEnd end = search.run(0, capacity_, share, context_);
  nodes_left_ -= search.nodes();
  if (end == SearchEnd::kFound) {
    offsets_.assign(search.offsets().begin(), search.offsets().end());
    for (BufferIndex i = 0; i < part.size(); ++i) {
      if (offsets_[i] == kNoOffset) offsets_[i] = part[i].is_fixed() ? part[i].fixed : part.grid(i).up(0);
    }
    return Answer::kFits;
  }
  if (end != SearchEnd::kExhausted || !search.proves()) return Answer::kUnknown;
  together_.clear();
  for (const BufferIndex i : search.exhausted()) together_.push_back(selection.buffers[i]);
  return Answer::kDoesNotFit;
}

}  // namespace stowage
