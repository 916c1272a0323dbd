#include "ui/differences.h"

namespace stowage {
namespace {

std::int64_t offset_in(const Plan& plan, BufferIndex i) {
  return i < plan.offsets.size() ? plan.offsets[i] : kNoOffset;
}

Moved moved_of(std::int64_t here, std::int64_t there) {
  if (here == kNoOffset) return Moved::kNowhere;
  if (there == kNoOffset) return Moved::kOnlyHere;
  if (here == there) return Moved::kSame;
  return here > there ? Moved::kUp : Moved::kDown;
}

}  // namespace

Differences find_differences(const DifferencesInput& input) {
  const Problem& before = *input.before;
  const Problem& after = *input.after;
  Differences found;
  found.partner = origins_of(before, after);
  found.changes = changes_between(before, input.plan_before.get(), after, input.plan_after.get(), found.partner);
  found.there.assign(after.size(), kNoOffset);
  found.moved.assign(after.size(), Moved::kNowhere);
  found.here.assign(before.size(), kNoBuffer);
  for (BufferIndex i = 0; i < after.size(); ++i) {
    const BufferIndex other = found.partner[i];
    if (other != kNoBuffer) {
      found.here[other] = i;
      found.there[i] = offset_in(*input.plan_before, other);
    }
    found.moved[i] = moved_of(offset_in(*input.plan_after, i), found.there[i]);
    found.up += found.moved[i] == Moved::kUp ? 1U : 0U;
    found.down += found.moved[i] == Moved::kDown ? 1U : 0U;
    found.same += found.moved[i] == Moved::kSame ? 1U : 0U;
    found.only_here += found.moved[i] == Moved::kOnlyHere ? 1U : 0U;
  }
  for (BufferIndex k = 0; k < before.size(); ++k) {
    const bool placed = offset_in(*input.plan_before, k) != kNoOffset;
    const BufferIndex i = found.here[k];
    if (!placed || (i != kNoBuffer && offset_in(*input.plan_after, i) != kNoOffset)) continue;
    found.only_there.push_back(k);
    found.gone += i == kNoBuffer ? 1U : 0U;
  }
  if (found.changes.edited > 0) {
    found.edited.assign(after.size(), false);
    for (std::size_t k = 0; k < found.changes.edited; ++k) {
      const BufferIndex i = found.changes.list[k].after;
      found.edited[i] = true;
      const bool stays = found.moved[i] == Moved::kSame;
      const bool nowhere = found.moved[i] == Moved::kNowhere && found.there[i] == kNoOffset;
      found.edited_in_place += stays || nowhere ? 1U : 0U;
    }
  }
  if (input.space < after.spaces().size()) found.tops = section_tops(after, input.plan_after->offsets, input.space);
  if (input.space < before.spaces().size()) {
    found.tops_there = section_tops(before, input.plan_before->offsets, input.space);
  }
  return found;
}

}  // namespace stowage
