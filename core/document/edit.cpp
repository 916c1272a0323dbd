#include "core/document/edit.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

/// The input of the next problem while edits are applied to it one after the other.
class Draft {
 public:
  explicit Draft(const Problem& problem)
      : input_(problem.input()), count_(problem.size()), removed_(problem.size(), false) {}

  Result<void> operator()(const edit::Lifetime& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    if (Details* details = of(*buffer)) {
      if (details->clock) return wrong(what.buffer, "its lifetime is a vector clock and cannot be set in steps");
      fit_times(*details, *buffer, what);
    }
    buffer->start = what.start;
    buffer->end = what.end;
    return {};
  }
  Result<void> operator()(const edit::Size& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    buffer->size = what.size;
    Details* details = of(*buffer);
    if (details == nullptr || what.size < 0) return {};
    for (Gap& gap : details->gaps) {
      if (!gap.window) continue;
      gap.window->high = std::min(gap.window->high, what.size);
      gap.window->low = std::min(gap.window->low, gap.window->high);
    }
    details->slices.clear();
    if (details->requested && *details->requested > what.size) details->requested.reset();
    return {};
  }
  Result<void> operator()(const edit::Alignment& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    buffer->alignment = what.alignment;
    return {};
  }
  Result<void> operator()(const edit::Name& what) {
    if (find(what.buffer) == nullptr) return unknown();
    if (!is_utf8(what.name)) return wrong(what.buffer, "the name is not UTF-8");
    renamed_.emplace_back(what.buffer, what.name);
    return {};
  }
  Result<void> operator()(const edit::Kind& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    buffer->kind = input_.kind_index(what.kind);
    return {};
  }
  Result<void> operator()(const edit::InSpace& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    buffer->space = input_.space_index(what.space);
    return {};
  }
  Result<void> operator()(const edit::Hint& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    made(*buffer).hint = what.offset;
    return {};
  }
  Result<void> operator()(const edit::Pin& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    buffer->fixed = what.offset.value_or(kNoOffset);
    return {};
  }
  Result<void> operator()(const edit::Gaps& what) {
    Buffer* buffer = find(what.buffer);
    if (buffer == nullptr) return unknown();
    made(*buffer).gaps = what.gaps;
    return {};
  }
  Result<void> operator()(const edit::Add& what) {
    Buffer buffer = what.buffer;
    buffer.kind = input_.kind_index(what.kind);
    buffer.details = Buffer::kNoDetails;
    if (!what.space.empty()) buffer.space = input_.space_index(what.space);
    std::optional<Details> details = what.details;
    if (!details && what.like != kNoBuffer) {
      const Buffer* like = find(what.like);
      if (like == nullptr) return unknown();
      if (const Details* theirs = of(*like)) details = *theirs;
    }
    removed_.push_back(false);
    if (details) {
      input_.add(what.name, buffer, std::move(*details));
    } else {
      input_.add(what.name, buffer);
    }
    return {};
  }
  Result<void> operator()(const edit::Remove& what) {
    if (what.into != kNoBuffer && find(what.into) == nullptr) return unknown();
    for (const BufferIndex i : what.buffers) {
      if (find(i) == nullptr) return unknown();
      removed_[i] = true;
      if (what.into != kNoBuffer) heirs_.emplace_back(i, what.into);
    }
    return {};
  }
  Result<void> operator()(const edit::Capacity& what) {
    if (what.space) return limit_space(*what.space, what.bytes);
    input_.capacity = what.bytes;
    for (Space& space : input_.spaces) space.capacity.reset();
    return {};
  }

  Result<Edited> finish() {
    Edited edited;
    edited.becomes.assign(count_, kNoBuffer);
    for (BufferIndex i = 0; i < input_.buffers.size(); ++i) {
      if (removed_[i]) continue;
      if (i < count_) edited.becomes[i] = static_cast<BufferIndex>(edited.origin.size());
      edited.origin.push_back(i < count_ ? i : kNoBuffer);
    }
    if (!renamed_.empty() || edited.origin.size() != input_.buffers.size()) rebuild();
    ids_ = input_.ids;
    auto made = make_problem(std::move(input_));
    if (!made) return fault_of(made.error());
    edited.problem = std::move(*made);
    return edited;
  }

 private:
  static tl::unexpected<Error> unknown() { return input_error("there is no such buffer"); }
  std::string name_of(BufferIndex i) const {
    return i < ids_.size() ? printable_utf8(ids_[i]) : printable_utf8(input_.ids[i]);
  }
  tl::unexpected<Error> wrong(BufferIndex i, std::string_view why) const {
    return input_error(fmt::format("{}: {}", name_of(i), why));
  }
  /// The first fault in words; the gate has taken the names, so they are kept beside for this.
  tl::unexpected<Error> fault_of(const std::vector<Fault>& faults) const {
    const Fault& first = faults.front();
    if (first.buffer == kNoBuffer || first.buffer >= ids_.size()) return input_error(first.message);
    return wrong(first.buffer, first.message);
  }

  Buffer* find(BufferIndex i) { return i < count_ && !removed_[i] ? &input_.buffers[i] : nullptr; }
  Details* of(const Buffer& buffer) {
    return buffer.details == Buffer::kNoDetails ? nullptr : &input_.details[buffer.details];
  }
  /// Details of its own, to be changed: those of large files may belong to several buffers.
  Details& made(Buffer& buffer) {
    const Details* shared = is_shared(buffer.details) ? of(buffer) : nullptr;
    if (shared != nullptr || buffer.details == Buffer::kNoDetails) {
      Details own = shared != nullptr ? *shared : Details();
      if (shared != nullptr) --users_[buffer.details];
      buffer.details = static_cast<std::uint32_t>(input_.details.size());
      input_.details.push_back(std::move(own));
    }
    return input_.details[buffer.details];
  }
  bool is_shared(std::uint32_t details) {
    if (users_.empty() && !input_.details.empty()) {
      users_.resize(input_.details.size(), 0);
      for (const Buffer& buffer : input_.buffers) {
        if (buffer.details != Buffer::kNoDetails) ++users_[buffer.details];
      }
    }
    return details < users_.size() && users_[details] > 1;  // those that are new belong to one
  }

  /// A space without a limit of its own has that of the problem. To have none it leaves that one to the others.
  Result<void> limit_space(std::size_t which, std::optional<std::int64_t> bytes) {
    if (which >= input_.spaces.size()) return input_error("there is no such space");
    if (!bytes && input_.capacity) {
      for (Space& space : input_.spaces) {
        if (!space.capacity) space.capacity = input_.capacity;
      }
      input_.capacity.reset();
    }
    input_.spaces[which].capacity = bytes;
    return {};
  }

  static void fit_times(Details& details, const Buffer& before, const edit::Lifetime& after) {
    const auto moved = checked_sub(after.start, before.start);
    const auto moved_end = checked_sub(after.end, before.end);
    if (moved && moved == moved_end) {
      for (Gap& gap : details.gaps) {
        gap.start += *moved;
        gap.end += *moved;
      }
      for (Slice& slice : details.slices) slice.start += *moved;
      return;
    }
    if (after.start > after.end) return;  // the gate refuses it
    for (Gap& gap : details.gaps) {
      gap.start = std::clamp(gap.start, after.start, after.end);
      gap.end = std::clamp(gap.end, after.start, after.end);
    }
    std::erase_if(details.gaps, [](const Gap& gap) { return gap.start == gap.end; });
    for (Slice& slice : details.slices) slice.start = std::clamp(slice.start, after.start, after.end);
  }

  /// Leaves out removed buffers and puts in new names.
  void rebuild() {
    std::vector<BufferIndex> becomes(input_.buffers.size(), kNoBuffer);
    std::vector<const std::string*> names(input_.buffers.size(), nullptr);
    for (const auto& [buffer, name] : renamed_) names[buffer] = &name;
    Names ids;
    std::vector<Details> details;
    std::vector<std::uint32_t> moved(input_.details.size(), Buffer::kNoDetails);
    BufferIndex next = 0;
    for (BufferIndex i = 0; i < input_.buffers.size(); ++i) {
      if (removed_[i]) continue;
      becomes[i] = next;
      Buffer& buffer = input_.buffers[next++] = input_.buffers[i];
      if (Details* kept = of(buffer)) {
        std::uint32_t& to = moved[buffer.details];
        if (to == Buffer::kNoDetails) {
          to = static_cast<std::uint32_t>(details.size());
          details.push_back(std::move(*kept));
        }
        buffer.details = to;
      }
      ids.push_back(names[i] != nullptr ? std::string_view(*names[i]) : input_.ids[i]);
    }
    input_.buffers.resize(next);
    input_.ids = std::move(ids);
    input_.details = std::move(details);
    inherit_conflicts(input_.constraints.conflicts);
    forget_removed(input_.constraints, becomes);
  }

  /// Whoever takes the place of removed buffers must keep away from what they had to keep away from.
  void inherit_conflicts(std::vector<ConflictEdge>& conflicts) const {
    if (heirs_.empty() || conflicts.empty()) return;
    std::vector<BufferIndex> stands_for(removed_.size(), kNoBuffer);
    for (const auto& [removed, heir] : heirs_) stands_for[removed] = heir;
    std::set<std::pair<BufferIndex, BufferIndex>> seen;
    const auto pair_of = [](const ConflictEdge& edge) {
      return std::pair(std::min(edge.a, edge.b), std::max(edge.a, edge.b));
    };
    for (const ConflictEdge& edge : conflicts) {
      if (stands_for[edge.a] == kNoBuffer && stands_for[edge.b] == kNoBuffer) seen.insert(pair_of(edge));
    }
    std::vector<ConflictEdge> kept;
    for (ConflictEdge edge : conflicts) {
      const bool inherited = stands_for[edge.a] != kNoBuffer || stands_for[edge.b] != kNoBuffer;
      if (stands_for[edge.a] != kNoBuffer) edge.a = stands_for[edge.a];
      if (stands_for[edge.b] != kNoBuffer) edge.b = stands_for[edge.b];
      if (edge.a != edge.b && (!inherited || seen.insert(pair_of(edge)).second)) kept.push_back(edge);
    }
    conflicts = std::move(kept);
  }

  static void forget_removed(Constraints& constraints, const std::vector<BufferIndex>& becomes) {
    const auto keep = [&](std::vector<BufferIndex>& list) {
      for (BufferIndex& i : list) i = becomes[i];
      std::erase(list, kNoBuffer);
    };
    for (ConflictEdge& edge : constraints.conflicts) edge = {becomes[edge.a], becomes[edge.b]};
    std::erase_if(constraints.conflicts,
                  [](const ConflictEdge& edge) { return edge.a == kNoBuffer || edge.b == kNoBuffer; });
    for (std::vector<BufferIndex>& list : constraints.colocations) keep(list);
    std::erase_if(constraints.colocations, [](const auto& list) { return list.size() < 2; });
    for (Alias& alias : constraints.aliases) {
      alias.child = becomes[alias.child];
      alias.parent = becomes[alias.parent];
    }
    std::erase_if(constraints.aliases,
                  [](const Alias& alias) { return alias.child == kNoBuffer || alias.parent == kNoBuffer; });
    for (Group& group : constraints.groups) keep(group.members);
    std::erase_if(constraints.groups, [](const Group& group) { return group.members.size() < 2; });
  }

  ProblemInput input_;
  std::size_t count_;          // buffers of the problem before
  std::vector<bool> removed_;  // by buffer, new ones included
  std::vector<std::pair<BufferIndex, std::string>> renamed_;
  std::vector<std::pair<BufferIndex, BufferIndex>> heirs_;  // removed buffers with those that take their place
  std::vector<std::uint32_t> users_;  // by details that were there: how many buffers have them; empty: not counted yet
  Names ids_;
};

}  // namespace

Result<Edited> apply_edits(const Problem& problem, std::span<const Edit> edits) {
  Draft draft(problem);
  for (const Edit& one : edits) {
    if (Result<void> done = std::visit(draft, one); !done) return tl::unexpected<Error>(std::move(done.error()));
  }
  return draft.finish();
}

Plan carried_over(const Plan& plan, const Edited& edited) {
  Plan carried = plan;
  carried.claimed_makespan.reset();
  carried.objects.reset();  // objects speak of all buffers at once
  carried.offsets.assign(edited.origin.size(), kNoOffset);
  carried.slices.clear();
  if (!plan.spaces.empty()) carried.spaces.assign(edited.origin.size(), 0);
  for (BufferIndex i = 0; i < edited.origin.size(); ++i) {
    const BufferIndex old = edited.origin[i];
    if (!plan.spaces.empty()) {
      carried.spaces[i] = old != kNoBuffer && old < plan.spaces.size() ? plan.spaces[old] : edited.problem[i].space;
    }
    if (old == kNoBuffer || old >= plan.offsets.size()) continue;
    carried.offsets[i] = plan.offsets[old];
    const Details* details = edited.problem.details(i);
    const auto slices = plan.slices.find(old);
    if (slices != plan.slices.end() && details != nullptr && details->slices.size() == slices->second.size()) {
      carried.slices.emplace(i, slices->second);
    }
  }
  return carried;
}

}  // namespace stowage
