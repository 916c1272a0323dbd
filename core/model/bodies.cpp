#include "core/model/bodies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/model/problem.h"

namespace stowage {
namespace {

/// Buffers joined by known distances: a union-find in which each buffer knows how far it lies above its root.
class Distances {
 public:
  explicit Distances(std::size_t count) : root_(count), above_(count, 0) {
    for (std::size_t i = 0; i < count; ++i) root_[i] = static_cast<BufferIndex>(i);
  }

  BufferIndex root(BufferIndex i) {
    BufferIndex top = i;
    Int128 sum = 0;
    while (root_[top] != top) {
      sum += above_[top];
      top = root_[top];
    }
    while (root_[i] != i) {  // the path is shortened
      const BufferIndex next = root_[i];
      const Int128 mine = above_[i];
      root_[i] = top;
      above_[i] = sum;
      sum -= mine;
      i = next;
    }
    return top;
  }
  /// Valid after root(i).
  Int128 above(BufferIndex i) const { return above_[i]; }

  /// b lies `distance` above a. False when that contradicts what is known.
  bool join(BufferIndex a, BufferIndex b, Int128 distance) {
    const BufferIndex root_a = root(a);
    const BufferIndex root_b = root(b);
    if (root_a == root_b) return above_[b] - above_[a] == distance;
    root_[root_b] = root_a;
    above_[root_b] = above_[a] + distance - above_[b];
    return true;
  }

 private:
  std::vector<BufferIndex> root_;
  std::vector<Int128> above_;
};

std::string name(const ProblemInput& input, BufferIndex i) {
  return printable_utf8(input.ids[i]);
}

void join_all(const ProblemInput& input, Distances& distances, std::vector<Fault>& faults) {
  const auto join = [&](BufferIndex a, BufferIndex b, Int128 distance, const char* field) {
    if (distances.join(a, b, distance)) return;
    faults.push_back(
        {b, field, fmt::format("contradicts what ties {} and {} already", name(input, a), name(input, b))});
  };
  for (const std::vector<BufferIndex>& list : input.constraints.colocations) {
    for (std::size_t k = 1; k < list.size(); ++k) join(list[0], list[k], 0, "colocations");
  }
  for (const Alias& alias : input.constraints.aliases) join(alias.parent, alias.child, alias.offset, "aliases");
  for (const Group& group : input.constraints.groups) {
    std::int64_t at = 0;
    for (std::size_t k = 1; k < group.members.size(); ++k) {
      const Buffer& below = input.buffers[group.members[k - 1]];
      const auto next = checked_add(at, below.size);
      const auto padded = next ? checked_add(*next, group.pad) : std::nullopt;
      if (!padded) {
        faults.push_back({group.members[k], "groups", "the group is larger than 2^63-1 bytes"});
        break;
      }
      at = align_up(*padded, input.buffers[group.members[k]].alignment);
      join(group.members[0], group.members[k], at, "groups");
    }
  }
}

/// The grid of one buffer, from the input: the problem does not exist yet.
Grid grid_of(const ProblemInput& input, BufferIndex i) {
  const Buffer& buffer = input.buffers[i];
  const auto step = static_cast<std::uint64_t>(buffer.alignment);
  const std::uint64_t past = input.spaces[buffer.space].base % step;
  return Grid{buffer.alignment, static_cast<std::int64_t>((step - past) % step)};
}

/// Finds the offsets of a body that suit all of its members.
void settle(const ProblemInput& input, Body& body, std::vector<Fault>& faults) {
  for (const Body::Member& member : body.members) {
    const Buffer& buffer = input.buffers[member.buffer];
    if (buffer.space != input.buffers[body.members[0].buffer].space) {
      faults.push_back(
          {member.buffer, "space",
           fmt::format("is tied to {}, which lies in another space", name(input, body.members[0].buffer))});
      return;
    }
    const Grid own = grid_of(input, member.buffer);
    const Int128 phase = ((Int128{own.phase} - member.relative) % own.step + own.step) % own.step;
    const auto grid = intersect(body.grid, Grid{own.step, static_cast<std::int64_t>(phase)});
    if (!grid) {
      faults.push_back(
          {member.buffer, "alignment",
           fmt::format("alignment {} excludes those of the buffers that it is tied to", buffer.alignment)});
      return;
    }
    body.grid = *grid;
    if (!buffer.is_fixed()) continue;
    const auto fixed = checked_sub(buffer.fixed, member.relative);
    if (!fixed || *fixed < 0 || (body.fixed != kNoOffset && body.fixed != *fixed)) {
      faults.push_back({member.buffer, "fixed",
                        fmt::format("fixed offset {} contradicts the buffers that it is tied to", buffer.fixed)});
      return;
    }
    body.fixed = *fixed;
  }
}

}  // namespace

Bodies::Bodies(const ProblemInput& input, std::vector<Fault>& faults) {
  if (!input.constraints.ties_offsets()) return;
  const std::size_t count = input.buffers.size();
  Distances distances(count);
  join_all(input, distances, faults);
  if (!faults.empty()) return;

  std::vector<std::uint32_t> body_of_root(count, kNone);
  std::vector<std::size_t> sizes(count, 0);
  for (BufferIndex i = 0; i < count; ++i) ++sizes[distances.root(i)];
  of_.assign(count, kNone);
  relative_.assign(count, 0);
  for (BufferIndex i = 0; i < count; ++i) {
    const BufferIndex root = distances.root(i);
    if (sizes[root] == 1) continue;
    if (body_of_root[root] == kNone) {
      body_of_root[root] = static_cast<std::uint32_t>(bodies_.size());
      bodies_.emplace_back();
    }
    of_[i] = body_of_root[root];
    bodies_[of_[i]].members.push_back({i, 0});
  }
  for (Body& body : bodies_) {
    Int128 lowest = distances.above(body.members[0].buffer);
    for (const Body::Member& member : body.members) lowest = std::min(lowest, distances.above(member.buffer));
    for (Body::Member& member : body.members) {
      const Int128 relative = distances.above(member.buffer) - lowest;
      if (relative + input.buffers[member.buffer].size > kMaxInt64) {
        faults.push_back({member.buffer, "groups", "the buffers tied to it span more than 2^63-1 bytes"});
        return;
      }
      member.relative = static_cast<std::int64_t>(relative);
      relative_[member.buffer] = member.relative;
    }
    settle(input, body, faults);
  }
}

}  // namespace stowage
