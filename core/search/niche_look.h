#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/lanes.h"
#include "core/model/sections.h"

namespace stowage {

/// How far up a failure looked, by section: whatever it is made of, it asked only for waiting items whose lowest offset
/// is no higher than that, and it would be the same failure whatever lay above or in other sections.
///
///   offset
///     |  +---+
///     |  | b |   . . b is raised by a, from here         ###  what the failure looked at
///     |  +---+-----+
///     |  |    a    |            #####                    The choice to place a touched none of it, so the state
///     |  +---------+        #########                    before it fails in the same way, whatever else is chosen.
///     +----------------------------------> sections
///
/// So a search that goes back from a failure passes over choices far away that happened to be made in between.
template <typename Value>
class NicheLook {
  using L = Lanes<Value>;
  using Block = typename L::Type;
  static constexpr Value kNowhere = -1;

 public:
  /// As high as there is anything.
  static constexpr Value kAll = std::numeric_limits<Value>::max();

  explicit NicheLook(std::int32_t sections) : highest_(L::room(static_cast<std::size_t>(sections)), kNowhere) {}

  void clear() {
    if (nowhere()) return;
    std::fill(highest_.begin() + hull_.first, highest_.begin() + hull_.last, kNowhere);
    hull_ = {};
  }
  /// It looks up to this offset in these sections, which are not empty.
  void add(SectionRange where, Value highest) {
    widen(where);
    raise(where, [&](std::size_t) { return L::all(highest); });
  }
  /// It looks where the other one does too.
  void add(const NicheLook& other) {
    if (other.nowhere()) return;
    widen(other.hull_);
    raise(other.hull_, [&](std::size_t k) { return L::load(other.highest_.data() + k); });
  }
  /// Does it see a waiting item with this lowest offset in these sections?
  bool sees(SectionRange where, Value low) const {
    if (!where.overlaps(hull_)) return false;
    bool sees = false;
    for_blocks<Value>(at(where.first), at(where.last), [&](std::size_t k, Block mask) {
      sees = sees || L::any((L::load(highest_.data() + k) >= L::all(low)) & mask);
    });
    return sees;
  }
  /// All it looks at lies in these sections; empty when it looks nowhere.
  SectionRange hull() const { return hull_; }

 private:
  static std::size_t at(std::int32_t section) { return static_cast<std::size_t>(section); }
  bool nowhere() const { return hull_.first == hull_.last; }

  void widen(SectionRange where) {
    hull_ = nowhere() ? where : SectionRange{std::min(hull_.first, where.first), std::max(hull_.last, where.last)};
  }
  template <typename To>
  void raise(SectionRange where, const To& to) {
    for_blocks<Value>(at(where.first), at(where.last), [&](std::size_t k, Block mask) {
      const Block old = L::load(highest_.data() + k);
      L::store(highest_.data() + k, (L::max(old, to(k)) & mask) | (old & ~mask));
    });
  }

  std::vector<Value> highest_;  // by section
  SectionRange hull_;           // everywhere else it looks nowhere
};

}  // namespace stowage
