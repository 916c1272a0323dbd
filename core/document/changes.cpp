#include "core/document/changes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace stowage {
namespace {

std::int64_t offset_of(const Plan* plan, BufferIndex i) {
  return plan != nullptr && i < plan->offsets.size() ? plan->offsets[i] : kNoOffset;
}

bool same_details(const Problem& before, BufferIndex i, const Problem& after, BufferIndex k) {
  const Details* a = before.details(i);
  const Details* b = after.details(k);
  const Details none;
  return (a != nullptr ? *a : none) == (b != nullptr ? *b : none) && before.kind(i) == after.kind(k) &&
         before.spaces()[before[i].space].id == after.spaces()[after[k].space].id;
}

BufferChange compare(const Problem& before, BufferIndex i, const Problem& after, BufferIndex k) {
  BufferChange change;
  const Buffer& a = before[i];
  const Buffer& b = after[k];
  change.before = i;
  change.after = k;
  change.lifetime = a.start != b.start || a.end != b.end;
  change.size = a.size != b.size;
  change.alignment = a.alignment != b.alignment;
  change.fixed = a.fixed != b.fixed;
  change.rest = !same_details(before, i, after, k);
  const bool edited = change.lifetime || change.size || change.alignment || change.fixed || change.rest;
  change.kind = edited ? BufferChange::Kind::kEdited : BufferChange::Kind::kMoved;
  return change;
}

}  // namespace

std::vector<BufferIndex> origins_of(const Problem& before, const Problem& after) {
  std::vector<BufferIndex> found(after.size(), kNoBuffer);
  if (&before == &after) {
    std::iota(found.begin(), found.end(), BufferIndex{0});
    return found;
  }
  std::vector<std::pair<std::string_view, BufferIndex>> known;
  known.reserve(before.size());
  for (BufferIndex i = 0; i < before.size(); ++i) known.emplace_back(before.id(i), i);
  std::sort(known.begin(), known.end());
  std::map<std::string_view, std::size_t> used;  // of ids that come more than once, how many are matched
  for (BufferIndex i = 0; i < after.size(); ++i) {
    const std::string_view id = after.id(i);
    auto at = std::lower_bound(known.begin(), known.end(), std::pair<std::string_view, BufferIndex>(id, 0));
    if (at == known.end() || at->first != id) continue;
    if (const auto next = std::next(at); next != known.end() && next->first == id) {
      at += static_cast<std::ptrdiff_t>(used[id]++);
      if (at >= known.end() || at->first != id) continue;
    }
    found[i] = at->second;
  }
  // A unique id of `before` that comes twice in `after` belongs to the first.
  std::vector<bool> taken(before.size(), false);
  for (BufferIndex& origin : found) {
    if (origin == kNoBuffer) continue;
    if (taken[origin]) {
      origin = kNoBuffer;
    } else {
      taken[origin] = true;
    }
  }
  return found;
}

Changes changes_between(const Problem& before, const Plan* plan_before, const Problem& after, const Plan* plan_after) {
  return changes_between(before, plan_before, after, plan_after, origins_of(before, after));
}

Changes changes_between(const Problem& before, const Plan* plan_before, const Problem& after, const Plan* plan_after,
                        const std::vector<BufferIndex>& origin) {
  Changes changes;
  std::vector<BufferChange> added, moved;
  std::vector<bool> kept(before.size(), false);
  const bool both_planned = plan_before != nullptr && plan_after != nullptr;
  for (BufferIndex k = 0; k < after.size(); ++k) {
    if (origin[k] == kNoBuffer) {
      BufferChange change;
      change.kind = BufferChange::Kind::kAdded;
      change.after = k;
      change.offset_after = offset_of(plan_after, k);
      added.push_back(change);
      continue;
    }
    kept[origin[k]] = true;
    BufferChange change = compare(before, origin[k], after, k);
    change.offset_before = offset_of(plan_before, origin[k]);
    change.offset_after = offset_of(plan_after, k);
    if (change.kind == BufferChange::Kind::kEdited) {
      changes.list.push_back(change);
    } else if (both_planned && change.offset_before != change.offset_after) {
      moved.push_back(change);
    }
  }
  changes.edited = changes.list.size();
  changes.added = added.size();
  changes.moved = moved.size();
  changes.list.insert(changes.list.end(), added.begin(), added.end());
  for (BufferIndex i = 0; i < before.size(); ++i) {
    if (kept[i]) continue;
    BufferChange change;
    change.kind = BufferChange::Kind::kRemoved;
    change.before = i;
    change.offset_before = offset_of(plan_before, i);
    changes.list.push_back(change);
    ++changes.removed;
  }
  changes.list.insert(changes.list.end(), moved.begin(), moved.end());
  return changes;
}

}  // namespace stowage
