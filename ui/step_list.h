#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/steps/step_index.h"
#include "ui/row_scroll.h"

namespace stowage {

/// All kinds, to go through them.
const std::array<StepKind, kStepKinds>& op_kinds();

/// The list of steps: which kinds it shows and where it is scrolled to. Rows are numbered from 0.
struct StepList {
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  StepKinds kinds = StepKinds::all();
  RowScroll scroll;
  std::size_t followed = kNowhere;  // the position that was brought into view last

  /// All of them are shown, or none.
  void toggle(StepKinds which);
  /// Takes over another log or filter; nothing when neither has changed.
  void refresh(const StepIndex& index, const std::shared_ptr<const void>& of);
  std::size_t rows() const { return everything_ ? size_ : shown_.size(); }
  std::size_t step_at(std::size_t row) const { return everything_ ? row : shown_[row]; }
  /// The row of the last step applied at a position, or of the last one before it that is shown.
  std::size_t row_of(std::size_t position) const;

 private:
  std::weak_ptr<const void> of_;
  StepKinds made_for_;
  bool everything_ = true;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> shown_;  // numbers of steps, unless everything is shown
};

}  // namespace stowage
