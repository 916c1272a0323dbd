#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/names.h"
#include "core/model/bodies.h"
#include "core/model/buffer.h"
#include "core/model/constraints.h"
#include "core/model/sections.h"

namespace stowage {

/// Everything a problem is made of, before anybody has looked whether it makes sense.
struct ProblemInput {
  std::string name;
  std::optional<std::int64_t> capacity;
  std::string time_unit = "step";
  std::vector<Space> spaces = {Space{"memory", 0, std::nullopt, {}}};
  std::vector<std::string> kinds = {""};  // kinds[0] is "no kind"
  std::vector<Buffer> buffers;
  Names ids;  // one for each buffer
  std::vector<Details> details;
  Constraints constraints;
  std::string extra;  // unknown keys of the problem, as the text of a JSON object; empty when none

  /// Adds a buffer; `details` is stored when given.
  void add(std::string_view id, Buffer buffer);
  void add(std::string_view id, Buffer buffer, Details with);
  /// The index of a kind or space with this name, added when it is new.
  std::uint16_t kind_index(std::string_view kind);
  std::uint16_t space_index(std::string_view space);
};

/// One thing that is wrong with a ProblemInput.
struct Fault {
  BufferIndex buffer = kNoBuffer;  // kNoBuffer: the problem as a whole
  std::string field;               // the native JSON key at fault: "upper", "size", "gaps", ...; may be empty
  std::string message;             // without the place: "lifetime ends at 3, before it starts at 5"
};

/// What a problem asks for beyond sizes and lifetimes; an allocator that cannot honour one of them refuses it.
struct Needs {
  bool fixed_offsets = false;
  bool alignment = false;
  bool gaps = false;
  bool conflict_edges = false;  // explicit edges, beside or instead of lifetimes
  bool clocks = false;          // partially ordered lifetimes
  bool colocation = false;      // colocations and aliases
  bool groups = false;          // contiguous ones
  bool candidates = false;      // a choice of spaces
  bool slices = false;          // the slices of a buffer may be planned to come in another order

  /// Lifetimes alone say which buffers of a space conflict.
  bool only_lifetimes() const { return !conflict_edges && !clocks; }
  /// Each buffer may be placed by itself.
  bool only_single_buffers() const { return !colocation && !groups; }
};

/// A planning problem that has passed the gate: immutable, and every algorithm relies on what make_problem promised:
/// 0 <= size, start <= end, alignment >= 1, gaps ordered and inside the lifetime, and the sum of all padded sizes and
/// the end of every fixed offset fit in int64.
class Problem {
 public:
  Problem() = default;

  std::size_t size() const { return input_.buffers.size(); }
  std::span<const Buffer> buffers() const { return input_.buffers; }
  const Buffer& operator[](BufferIndex i) const { return input_.buffers[i]; }
  std::string_view id(BufferIndex i) const { return input_.ids[i]; }
  std::string_view kind(BufferIndex i) const { return input_.kinds[input_.buffers[i].kind]; }
  std::span<const std::string> kinds() const { return input_.kinds; }
  std::span<const Space> spaces() const { return input_.spaces; }
  const std::string& name() const { return input_.name; }
  const std::string& time_unit() const { return input_.time_unit; }

  /// Null when the buffer has none.
  const Details* details(BufferIndex i) const;
  std::span<const Gap> gaps(BufferIndex i) const;
  const Needs& needs() const { return needs_; }
  bool has_gaps() const { return needs_.gaps; }
  bool has_fixed() const { return needs_.fixed_offsets; }

  const Constraints& constraints() const { return input_.constraints; }
  /// Buffers with which an explicit edge says that this one conflicts: ascending, once each.
  std::span<const BufferIndex> edges_of(BufferIndex i) const;
  bool has_edge(BufferIndex a, BufferIndex b) const;
  const Bodies& bodies() const { return bodies_; }
  /// Its own space, or one of its candidates.
  bool may_lie_in(BufferIndex i, std::uint16_t space) const;
  /// Null when the buffer has none.
  const Clock* clock(BufferIndex i) const;

  /// The limit on addresses in a space: its own, else the problem's.
  std::optional<std::int64_t> capacity(std::uint16_t space = 0) const;
  /// The offsets that the buffer's alignment and its space's base address allow.
  Grid grid(BufferIndex i) const { return grid_in(i, input_.buffers[i].space); }
  /// The same in another space.
  Grid grid_in(BufferIndex i, std::uint16_t space) const;

  /// When which buffers are live, computed once.
  const Sections& sections() const { return sections_; }

  /// What it was made of: copy, change and give it to make_problem again to derive another problem.
  const ProblemInput& input() const { return input_; }

 private:
  void index_edges(std::span<const ConflictEdge> conflicts);

  friend tl::expected<Problem, std::vector<Fault>> make_problem(ProblemInput input);

  ProblemInput input_;
  Sections sections_;
  Needs needs_;
  Bodies bodies_;
  // Explicit edges of buffer i: edges_[edge_begin_[i]] .. edges_[edge_begin_[i + 1]]; empty when there are none.
  std::vector<std::size_t> edge_begin_;
  std::vector<BufferIndex> edges_;
};

/// The only gate: either a sound problem or all of its faults, in the order of the buffers.
tl::expected<Problem, std::vector<Fault>> make_problem(ProblemInput input);

/// Kinds of change that commands and what-ifs need; each returns the input for make_problem.
ProblemInput with_capacity(const Problem& problem, std::int64_t capacity);
ProblemInput with_min_alignment(const Problem& problem, std::int64_t alignment);
/// Each buffer in the space that a plan chose for it; the choice itself is gone.
ProblemInput in_spaces(const Problem& problem, std::span<const std::uint16_t> spaces);

}  // namespace stowage
