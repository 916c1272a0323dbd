#include "ui/step_list.h"

#include <algorithm>

namespace stowage {

const std::array<StepKind, kStepKinds>& op_kinds() {
  static const std::array<StepKind, kStepKinds> all = [] {
    std::array<StepKind, kStepKinds> kinds{};
    for (std::size_t k = 0; k < kStepKinds; ++k) kinds[k] = static_cast<StepKind>(k);
    return kinds;
  }();
  return all;
}

void StepList::toggle(StepKinds which) {
  StepKinds to;
  const bool on = !kinds.has_all(which);
  for (const StepKind kind : op_kinds()) {
    if (which.has(kind) ? on : kinds.has(kind)) to.toggle({kind});
  }
  kinds = to;
  followed = kNowhere;
}

void StepList::refresh(const StepIndex& index, const std::shared_ptr<const void>& of) {
  const bool same = of_.lock() == of;
  if (same && kinds == made_for_) return;
  if (!same) followed = kNowhere;
  of_ = of;
  made_for_ = kinds;
  size_ = index.size();
  everything_ = kinds == StepKinds::all();
  shown_ = everything_ ? std::vector<std::uint32_t>() : index.filtered(kinds);
}

std::size_t StepList::row_of(std::size_t position) const {
  if (position == 0) return 0;
  if (everything_) return std::min(position, size_) - 1;
  const auto at = std::lower_bound(shown_.begin(), shown_.end(), position);
  return at == shown_.begin() ? 0 : static_cast<std::size_t>(at - shown_.begin()) - 1;
}

}  // namespace stowage
