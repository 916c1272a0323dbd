#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/random.h"
#include "core/run/run.h"
#include "core/search/engine_parts.h"
#include "core/search/hard_fit.h"
#include "core/search/instance.h"

namespace stowage {

/// Does an instance of any size fit under a capacity? Asked of greedy placements under a hard capacity, each a pass
/// over everything: from several orders, with the fullest stretches solved first (core_first.h) or not, and the last
/// few items that find no place squeezed in (window_repair.h). A pass that leaves more than a few is tried once more
/// with those moved forward in its order: the squeaky wheel gets the grease. (Joslin, Clements: "Squeaky wheel
/// optimization", 1999.) Finds plans, proves nothing.
class LargeFit {
 public:
  struct Attempt {
    const char* order;  // item_order.h
    HardFit::Rule rule;
    double core;                 // share of the capacity from which on a section counts as full; 0: no core
    int greases;                 // how often what failed moves forward
    std::int64_t nodes = 3'000;  // for each full stretch
  };

  LargeFit(const Instance& instance, std::uint64_t seed, EnginePart without = EnginePart::kNone);

  /// The attempt of this number, from 0 on; after the last one they begin again with other luck. `looks` limits the
  /// repair. True when everything has a place below the capacity.
  bool attempt(std::size_t number, std::int64_t capacity, std::int64_t looks, const RunContext& context);
  /// The same in a way of one's own.
  bool attempt(const Attempt& attempt, std::int64_t capacity, std::int64_t looks, const RunContext& context);
  /// First fit in this order (item_order.h) with no capacity at all: the plan of everybody else, to begin with.
  void loose(std::string_view order, const RunContext& context);
  /// By item, units: the plan of the last attempt. What found no place lies above the capacity, first fit; an item that
  /// would end above 2^63-1 there is the error.
  tl::expected<std::vector<std::int64_t>, std::uint32_t> complete();
  /// So many live at once that passes and repairs take long for their looks.
  bool many_live() const { return fit_.many_live(); }
  std::int64_t looks() const { return fit_.looks() + looks_of_solving_; }

 private:
  bool try_order(std::vector<std::uint32_t> order, const Attempt& attempt, std::uint64_t seed, std::int64_t capacity,
                 std::int64_t looks, const RunContext& context);
  bool pass(const std::vector<std::uint32_t>& order, std::int64_t capacity, HardFit::Rule rule,
            const RunContext& context);
  void shake(std::vector<std::uint32_t>& order);
  std::vector<std::uint32_t> greased(const std::vector<std::uint32_t>& order);

  const Instance& instance_;
  HardFit fit_;
  std::uint64_t seed_;
  EnginePart without_;
  Random random_;
  std::vector<std::uint32_t> failed_;
  std::vector<bool> in_core_;
  std::int64_t looks_of_solving_ = 0;
};

}  // namespace stowage
