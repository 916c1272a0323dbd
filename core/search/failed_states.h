#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/sections.h"

namespace stowage {

/// The name of a state of a search: 128 bits, so that two states with one name do not happen. (A million states a
/// second for a century: 3e15 of them, and a chance of 1e-8 that any two agree.)
struct StateKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  StateKey& operator+=(const StateKey& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  StateKey& operator-=(const StateKey& other) {
    low -= other.low;
    high -= other.high;
    return *this;
  }
  StateKey operator*(std::uint64_t factor) const { return {low * factor, high * factor}; }
  bool operator==(const StateKey&) const = default;
};

/// States from which nothing can be reached. A search that changes its mind about the order of its choices comes to
/// the same state by many ways; here it sees that it has been there.
///
/// With each goes where its failure looked (niche_look.h). The table forgets: a state displaces another one that falls
/// on its place. It begins small, because most searches are over at once, and grows up to 2^20 states (24 MiB).
class FailedStates {
 public:
  FailedStates() : places_(std::size_t{1} << kFirstShift) {}

  /// Where the failure of this state looked; none: it is not known to fail.
  const SectionRange* find(const StateKey& key) const {
    const Failed& failed = places_[place(key)];
    return failed.key == key ? &failed.looked : nullptr;
  }
  /// Fetches the place where it will be looked for: far from the processor it is half of what a state costs.
  void prepare(const StateKey& key) const { __builtin_prefetch(&places_[place(key)]); }
  void add(const StateKey& key, SectionRange looked) {
    if (2 * added_ > places_.size() && places_.size() < std::size_t{1} << kLastShift) grow();
    ++added_;
    places_[place(key)] = {key, looked};
  }

 private:
  struct Failed {
    StateKey key;  // all zero: empty
    SectionRange looked;
  };
  static constexpr int kFirstShift = 10;
  static constexpr int kLastShift = 20;

  std::size_t place(const StateKey& key) const { return key.low >> 7U & (places_.size() - 1); }
  void grow() {
    std::vector<Failed> old(places_.size() * 4);
    old.swap(places_);
    for (const Failed& failed : old) {
      if (!(failed.key == StateKey())) places_[place(failed.key)] = failed;
    }
  }

  std::vector<Failed> places_;
  std::size_t added_ = 0;
};

}  // namespace stowage
