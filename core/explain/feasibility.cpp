#include "core/explain/feasibility.h"

#include <algorithm>
#include <utility>

#include "core/allocators/capacity_search.h"
#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/search/capacity_question.h"

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
  if (!problem.needs().only_lifetimes() || !problem.needs().only_single_buffers()) overlaps_ = all_overlaps(problem);
}

Feasibility::Answer Feasibility::ask(std::span<const BufferIndex> buffers) {
  return ask(Selection{{buffers.begin(), buffers.end()}, kNoBuffer, 0});
}

Feasibility::Answer Feasibility::ask(const Selection& selection) {
  for (const BufferIndex i : selection.buffers) {
    const std::int64_t size = i == selection.shrunk ? selection.size : problem_[i].size;
    if (size == 0 || !problem_[i].is_fixed() || size <= capacity_ - problem_[i].fixed) continue;
    together_ = {i};
    return Answer::kDoesNotFit;
  }
  return only_times() ? ask_times(selection) : ask_graph(selection);
}

/// One hard question must not use up what all others need.
std::int64_t Feasibility::share() const {
  return std::min(nodes_left_, std::max<std::int64_t>(nodes_left_ / 4, 50'000));
}

Feasibility::Answer Feasibility::ask_times(const Selection& selection) {
  const Problem part = selected_problem(problem_, space_, selection, capacity_);
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
  if (nodes_left_ <= 0 || context_.should_stop()) return Answer::kUnknown;
  if (const auto answer = search_niches(part, selection)) return *answer;
  return search_times(part, selection);
}

/// Without gaps: part by part, the one with the highest load first. Nothing when that is beyond its reach.
std::optional<Feasibility::Answer> Feasibility::search_niches(const Problem& part, const Selection& selection) {
  if (part.has_gaps()) return std::nullopt;
  std::vector<Instance> instances = instances_of(part, 0);
  std::stable_sort(instances.begin(), instances.end(), [](const Instance& a, const Instance& b) {
    return Int128{a.bound()} * a.unit > Int128{b.bound()} * b.unit;
  });
  for (const Instance& instance : instances) {
    if (!NicheSearch::affordable(instance, capacity_ / instance.unit)) return std::nullopt;
  }
  std::vector<std::int64_t> offsets(part.size());
  for (BufferIndex i = 0; i < part.size(); ++i) offsets[i] = part[i].is_fixed() ? part[i].fixed : part.grid(i).up(0);
  for (const Instance& instance : instances) {
    CapacityQuestion question(instance, capacity_ / instance.unit, 0);
    const Verdict verdict = question.go_on(share(), context_);
    nodes_left_ -= question.nodes();
    if (verdict == Verdict::kDoesNotFit) {
      together_.clear();
      for (const Instance::Item& item : instance.items) together_.push_back(selection.buffers[item.buffer]);
      return Answer::kDoesNotFit;
    }
    if (verdict != Verdict::kFits) return Answer::kUnknown;
    const std::vector<std::int64_t> found = question.offsets();
    for (std::size_t k = 0; k < instance.items.size(); ++k) {
      offsets[instance.items[k].buffer] = found[k] * instance.unit;
    }
  }
  offsets_ = std::move(offsets);
  return Answer::kFits;
}

Feasibility::Answer Feasibility::search_times(const Problem& part, const Selection& selection) {
  const SearchRules rules;
  CapacitySearch search(part, rules);
  const SearchEnd end = search.run(0, capacity_, share(), context_);
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

Clique Feasibility::clique(std::span<const AskedBuffer> asked, std::int64_t enough, std::int64_t nodes) const {
  std::vector<std::uint32_t> place(problem_.size(), kNoBuffer);
  std::vector<std::int64_t> weights;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    place[asked[k].buffer] = static_cast<std::uint32_t>(k);
    weights.push_back(asked[k].size);
  }
  std::vector<std::vector<std::uint32_t>> neighbours(asked.size());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const BufferIndex i = asked[k].buffer;
    for (const Overlap& overlap : overlaps_[i]) {
      const std::uint32_t other = place[overlap.other];
      if (other == kNoBuffer || other <= k) continue;
      const bool whole = overlap.effective_size >= problem_[i].size &&
                         effective_size(problem_, overlap.other, i) >= problem_[overlap.other].size;
      if (!whole) continue;
      neighbours[k].push_back(other);
      neighbours[other].push_back(static_cast<std::uint32_t>(k));
    }
  }
  for (std::vector<std::uint32_t>& list : neighbours) std::sort(list.begin(), list.end());
  Clique clique = heavy_clique(neighbours, weights, enough, nodes);
  for (std::uint32_t& node : clique.nodes) node = asked[node].buffer;
  return clique;
}

Clique Feasibility::heaviest_clique(std::span<const BufferIndex> buffers) const {
  constexpr std::int64_t kNodes = 50'000;
  std::vector<AskedBuffer> asked;
  for (const BufferIndex i : buffers) asked.push_back({i, problem_[i].size});
  return clique(asked, kMaxInt64, kNodes);
}

Feasibility::Answer Feasibility::ask_graph(const Selection& selection) {
  constexpr std::int64_t kCliqueNodes = 200;
  std::vector<AskedBuffer> asked;
  std::vector<std::size_t> row;  // by asked buffer: its place in the selection
  for (std::size_t k = 0; k < selection.buffers.size(); ++k) row.push_back(k);
  std::sort(row.begin(), row.end(),
            [&](std::size_t a, std::size_t b) { return selection.buffers[a] < selection.buffers[b]; });
  for (const std::size_t k : row) {
    const BufferIndex i = selection.buffers[k];
    asked.push_back({i, i == selection.shrunk ? selection.size : problem_[i].size});
  }
  if (const Clique heavy = clique(asked, capacity_, kCliqueNodes); heavy.weight > capacity_) {
    together_.assign(heavy.nodes.begin(), heavy.nodes.end());
    return Answer::kDoesNotFit;
  }
  if (nodes_left_ <= 0 || context_.should_stop()) return Answer::kUnknown;
  GraphSearch search(problem_, overlaps_, asked, capacity_);
  const GraphSearch::End end = search.run(share(), context_);
  nodes_left_ -= search.nodes();
  if (end == GraphSearch::End::kUnknown) return Answer::kUnknown;
  if (end == GraphSearch::End::kDoesNotFit) {
    together_ = selection.buffers;
    return Answer::kDoesNotFit;
  }
  const std::vector<std::int64_t> found = search.offsets();
  offsets_.assign(selection.buffers.size(), 0);
  for (std::size_t k = 0; k < row.size(); ++k) offsets_[row[k]] = found[k];
  return Answer::kFits;
}

}  // namespace stowage
