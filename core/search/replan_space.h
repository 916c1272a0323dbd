#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/search/hard_fit.h"
#include "core/search/instance.h"
#include "core/search/replan.h"

namespace stowage {

/// The tiers of replan() in one space: the whole space is one instance, in bytes.
class ReplanSpace {
 public:
  /// `members`: the space's buffers that take memory; `homeless`, by buffer: those that look for a place.
  ReplanSpace(const Problem& problem, std::uint16_t space, std::span<const BufferIndex> members,
              std::span<const std::int64_t> before, const std::vector<bool>& homeless);

  /// The dearest tier that was needed; nothing when pins collide or a place would end above 2^63-1.
  std::optional<ReplanTier> run(const ReplanLimits& limits, const RunContext& context);
  void write(std::vector<std::int64_t>& offsets) const;
  std::int64_t bound() const { return bound_; }
  std::int64_t makespan() const;

 private:
  struct Spot {
    std::int64_t offset = 0;
    std::int64_t volume = 0;  // of the items in its way
    std::uint32_t count = 0;
  };

  ReplanTier settle(std::uint32_t i, std::int64_t capacity, const RunContext& context);
  bool clear_pins();
  bool stay(std::uint32_t i, std::int64_t capacity);
  bool fit(std::uint32_t i, std::int64_t capacity);
  bool eject(std::uint32_t i, std::int64_t capacity);
  std::vector<Spot> spots(std::uint32_t i, std::int64_t capacity) const;
  bool take_spot(std::uint32_t i, std::int64_t offset, std::int64_t capacity);
  bool window(std::uint32_t i, std::int64_t capacity, std::int64_t looks, const RunContext& context);
  bool core(std::uint32_t i, std::int64_t capacity, std::int64_t nodes, const RunContext& context);
  SectionRange full_stretch(std::uint32_t i, std::int64_t capacity) const;
  void relax(std::uint32_t i, std::int64_t capacity);
  void lower(const RunContext& context);
  bool place_by_size(std::vector<std::uint32_t> items, std::int64_t capacity);
  void restore(std::vector<std::int64_t> offsets);

  Instance instance_;
  std::vector<std::int64_t> before_;     // by item
  std::vector<std::uint32_t> homeless_;  // items, the largest first
  HardFit fit_;
  std::int64_t bound_ = 0;
  std::int64_t looks_left_ = 0;
  std::int64_t nodes_left_ = 0;
  std::vector<std::uint32_t> met_;
};

}  // namespace stowage
