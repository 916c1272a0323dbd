#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/steps/step.h"

namespace stowage {

/// The kinds of steps, in the order of Step::fact.
enum class StepKind : std::uint8_t {
  kPhase,
  kConsider,
  kReject,
  kPlace,
  kUnplace,
  kOpenBox,
  kPutInBox,
  kCloseBox,
  kOpenRow,
  kTakeTag,
  kReturnTag,
  kIncumbent,
  kBound,
  kNote,
};
inline constexpr std::size_t kStepKinds = std::variant_size_v<decltype(Step::fact)>;

StepKind kind_of(const Step& step);
/// "phase", "consider", ...: the operation as it stands in files.
std::string_view op_of(StepKind kind);

/// A set of kinds, for filters.
class StepKinds {
 public:
  constexpr StepKinds() = default;
  constexpr StepKinds(std::initializer_list<StepKind> kinds) {
    for (const StepKind kind : kinds) bits_ = bits_ | bit(kind);
  }
  static constexpr StepKinds all() {
    StepKinds every;
    every.bits_ = (1U << kStepKinds) - 1;
    return every;
  }
  constexpr bool has(StepKind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// In it afterwards when it was not before.
  constexpr void toggle(StepKinds kinds) { bits_ ^= kinds.bits_; }
  constexpr bool has_all(StepKinds kinds) const { return (bits_ & kinds.bits_) == kinds.bits_; }
  constexpr bool operator==(const StepKinds&) const = default;

 private:
  static constexpr std::uint32_t bit(StepKind kind) { return 1U << static_cast<std::uint32_t>(kind); }
  std::uint32_t bits_ = 0;
};

/// What the run is busy with after some of its steps.
struct Moment {
  BufferIndex buffer = kNoBuffer;     // whom the last steps are about
  std::vector<step::Reject> tried;    // places that failed for it, in the order of trying
  std::size_t tried_before = 0;       // further ones, before those
  std::optional<std::int64_t> place;  // where the last step has put it
  std::vector<BufferIndex> next;      // whom the run turns to afterwards
};

/// A value that rises or falls in the course of a run: it holds from this many steps on.
struct StepValue {
  std::size_t position = 0;
  std::int64_t value = 0;
  bool operator==(const StepValue&) const = default;
};

/// The steps of a log by kind, so that questions about any of a million steps cost what lies around it. Positions count
/// applied steps from 1; steps are numbered from 0. Made once, O(steps); one byte and one number a step.
class StepIndex {
 public:
  StepIndex() = default;
  /// The steps must outlive it.
  explicit StepIndex(std::span<const Step> steps);

  std::size_t size() const { return kinds_.size(); }
  StepKind kind(std::size_t step) const { return kinds_[step]; }
  /// The numbers of all steps of a kind.
  std::span<const std::uint32_t> all(StepKind kind) const { return by_kind_[static_cast<std::size_t>(kind)]; }
  /// How many of the first `position` steps are of this kind.
  std::size_t count(StepKind kind, std::size_t position) const;
  /// The numbers of all steps of these kinds.
  std::vector<std::uint32_t> filtered(StepKinds kinds) const;

  /// The phases in which boxes come to be, one for each level of boxing; numbers of steps.
  std::vector<std::uint32_t> levels() const;

  /// At most `most` failed places and `most` next buffers.
  Moment moment(std::size_t position, std::size_t most) const;
  std::vector<StepValue> incumbents() const;
  std::vector<StepValue> bounds() const;

 private:
  std::vector<BufferIndex> next_buffers(std::size_t position, BufferIndex now, std::size_t most) const;

  std::span<const Step> steps_;
  std::vector<StepKind> kinds_;
  std::array<std::vector<std::uint32_t>, kStepKinds> by_kind_;
};

}  // namespace stowage
