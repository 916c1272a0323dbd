#include "core/model/problem.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/model/faults.h"

namespace stowage {
namespace {

constexpr std::size_t kMostNames = 0xFFFF;  // kinds and spaces are 16-bit indices

Needs needs_of(const ProblemInput& input) {
  Needs needs;
  for (const Buffer& buffer : input.buffers) {
    needs.fixed_offsets |= buffer.is_fixed();
    needs.alignment |= buffer.alignment > 1;
  }
  for (const Details& details : input.details) {
    needs.gaps |= !details.gaps.empty();
    needs.clocks |= details.clock.has_value();
    needs.candidates |= details.candidates.size() > 1;
    needs.slices |= details.slices.size() > 1;
  }
  const Constraints& constraints = input.constraints;
  needs.conflict_edges = constraints.conflicts_only || !constraints.conflicts.empty();
  needs.colocation = !constraints.colocations.empty() || !constraints.aliases.empty();
  needs.groups = !constraints.groups.empty();
  return needs;
}

std::uint16_t index_of(std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint16_t>(found - names.begin());
  if (names.size() >= kMostNames) return 0;
  names.emplace_back(name);
  return static_cast<std::uint16_t>(names.size() - 1);
}

}  // namespace

void ProblemInput::add(std::string_view id, Buffer buffer) {
  buffers.push_back(buffer);
  ids.push_back(id);
}

void ProblemInput::add(std::string_view id, Buffer buffer, Details with) {
  buffer.details = static_cast<std::uint32_t>(details.size());
  details.push_back(std::move(with));
  add(id, buffer);
}

std::uint16_t ProblemInput::kind_index(std::string_view kind) {
  return index_of(kinds, kind);
}

std::uint16_t ProblemInput::space_index(std::string_view space) {
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    if (spaces[i].id == space) return static_cast<std::uint16_t>(i);
  }
  if (spaces.size() >= kMostNames) return 0;
  spaces.push_back(Space{std::string(space), 0, std::nullopt, {}});
  return static_cast<std::uint16_t>(spaces.size() - 1);
}

const Details* Problem::details(BufferIndex i) const {
  const std::uint32_t at = input_.buffers[i].details;
  return at == Buffer::kNoDetails ? nullptr : &input_.details[at];
}

std::span<const Gap> Problem::gaps(BufferIndex i) const {
  const Details* found = details(i);
  return found == nullptr ? std::span<const Gap>() : std::span<const Gap>(found->gaps);
}

bool Problem::may_lie_in(BufferIndex i, std::uint16_t space) const {
  if (input_.buffers[i].space == space) return true;
  const Details* found = details(i);
  return found != nullptr &&
         std::find(found->candidates.begin(), found->candidates.end(), space) != found->candidates.end();
}

const Clock* Problem::clock(BufferIndex i) const {
  const Details* found = details(i);
  return found != nullptr && found->clock ? &*found->clock : nullptr;
}

std::span<const BufferIndex> Problem::edges_of(BufferIndex i) const {
  if (edge_begin_.empty()) return {};
  return {edges_.data() + edge_begin_[i], edge_begin_[i + 1] - edge_begin_[i]};
}

bool Problem::has_edge(BufferIndex a, BufferIndex b) const {
  const std::span<const BufferIndex> edges = edges_of(a);
  return std::binary_search(edges.begin(), edges.end(), b);
}

void Problem::index_edges(std::span<const ConflictEdge> conflicts) {
  if (conflicts.empty()) return;
  std::vector<ConflictEdge> both;
  both.reserve(2 * conflicts.size());
  for (const ConflictEdge& edge : conflicts) {
    if (edge.a == edge.b) continue;
    both.push_back(edge);
    both.push_back({edge.b, edge.a});
  }
  std::sort(both.begin(), both.end(),
            [](const ConflictEdge& x, const ConflictEdge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  both.erase(std::unique(both.begin(), both.end()), both.end());
  edge_begin_.assign(input_.buffers.size() + 1, 0);
  edges_.reserve(both.size());
  for (const ConflictEdge& edge : both) {
    ++edge_begin_[edge.a + 1];
    edges_.push_back(edge.b);
  }
  for (std::size_t i = 1; i < edge_begin_.size(); ++i) edge_begin_[i] += edge_begin_[i - 1];
}

std::optional<std::int64_t> Problem::capacity(std::uint16_t space) const {
  return input_.spaces[space].capacity ? input_.spaces[space].capacity : input_.capacity;
}

Grid Problem::grid_in(BufferIndex i, std::uint16_t space) const {
  return grid_above(input_.spaces[space].base, input_.buffers[i].alignment);
}

tl::expected<Problem, std::vector<Fault>> make_problem(ProblemInput input) {
  if (input.spaces.empty()) input.spaces.push_back(Space{"memory", 0, std::nullopt, {}});
  if (input.kinds.empty()) input.kinds.emplace_back();
  std::vector<Fault> faults = find_faults(input);
  if (!faults.empty()) return tl::unexpected(std::move(faults));

  Problem problem;
  problem.bodies_ = Bodies(input, faults);
  if (!faults.empty()) return tl::unexpected(std::move(faults));
  problem.needs_ = needs_of(input);
  problem.sections_ = Sections(input, problem.bodies_);
  problem.input_ = std::move(input);
  problem.index_edges(problem.input_.constraints.conflicts);
  return problem;
}

ProblemInput with_capacity(const Problem& problem, std::int64_t capacity) {
  ProblemInput input = problem.input();
  input.capacity = capacity;
  for (Space& space : input.spaces) space.capacity.reset();
  return input;
}

ProblemInput with_min_alignment(const Problem& problem, std::int64_t alignment) {
  ProblemInput input = problem.input();
  for (Buffer& buffer : input.buffers) buffer.alignment = std::max(buffer.alignment, alignment);
  return input;
}

ProblemInput in_spaces(const Problem& problem, std::span<const std::uint16_t> spaces) {
  ProblemInput input = problem.input();
  for (std::size_t i = 0; i < input.buffers.size() && i < spaces.size(); ++i) input.buffers[i].space = spaces[i];
  for (Details& details : input.details) details.candidates.clear();
  return input;
}

}  // namespace stowage
