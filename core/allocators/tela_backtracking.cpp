#include <algorithm>

#include "core/allocators/tela_attempt.h"
#include "core/base/integers.h"

namespace stowage {
namespace {

class Backtracking {
 public:
  explicit Backtracking(const TelaAttempt& attempt)
      : problem_(attempt.problem),
        component_(attempt.component),
        space_(attempt.space),
        capacity_(attempt.capacity),
        left_(attempt.backtracks) {}

  /// True: everything is placed.
  bool run(const std::function<bool()>& stop) {
    levels_.push_back({});
    while (true) {
      if (stop()) return false;
      if (choose_candidates()) return true;
      if (advance()) continue;
      if (left_ < 0 || !jump_back()) return false;
    }
  }

 private:
  /// A point of the search: what may come next, and what was placed.
  struct Level {
    std::vector<BufferIndex> promoted;    // failed when it was not placed here
    std::vector<BufferIndex> candidates;  // still to be tried, the next one last
    bool chosen = false;                  // candidates are known
    BufferIndex placed = kNoBuffer;
    std::size_t returns = 0;
  };

  /// True when nothing is left to place.
  bool choose_candidates() {
    Level& level = levels_.back();
    if (level.chosen) return false;
    for (const std::vector<BufferIndex>& phase : component_.phases) {
      std::vector<BufferIndex> best;
      for (const auto key : {&Backtracking::lifetime, &Backtracking::size, &Backtracking::area}) {
        BufferIndex first = kNoBuffer;
        for (const BufferIndex i : phase) {
          if (!space_.is_placed(i) && (first == kNoBuffer || (this->*key)(i) > (this->*key)(first))) first = i;
        }
        if (first != kNoBuffer) best.push_back(first);
      }
      if (best.empty()) continue;
      level.chosen = true;
      level.candidates.clear();
      best.insert(best.begin(), level.promoted.begin(), level.promoted.end());
      for (const BufferIndex i : best) {
        const auto known = std::find(level.candidates.begin(), level.candidates.end(), i);
        if (known == level.candidates.end() && !space_.is_placed(i)) level.candidates.push_back(i);
      }
      std::reverse(level.candidates.begin(), level.candidates.end());
      culprits_.clear();
      failed_.clear();
      return false;
    }
    return true;
  }

  /// Places the next candidate after which every waiting buffer still has a place: a minor backtrack for each other.
  bool advance() {
    while (!levels_.back().candidates.empty()) {
      const BufferIndex i = levels_.back().candidates.back();
      levels_.back().candidates.pop_back();
      const auto offset = space_.lowest(i, capacity_, true);
      if (!offset) {
        blame(i, kNoBuffer);
      } else {
        space_.place(i, *offset, "the lowest place between the others");
        const BufferIndex stuck = without_place(i);
        if (stuck == kNoBuffer) {
          levels_.back().placed = i;
          levels_.push_back({});
          return true;
        }
        space_.take_out(i, "a waiting buffer would have no place left");
        blame(stuck, i);
      }
      if (--left_ < 0) return false;
    }
    return false;
  }

  BufferIndex without_place(BufferIndex newcomer) {
    for (const Overlap& overlap : space_.conflicts(newcomer)) {
      const BufferIndex other = overlap.other;
      if (!space_.is_placed(other) && !space_.lowest(other, capacity_, false)) return other;
    }
    return kNoBuffer;
  }

  void blame(BufferIndex stuck, BufferIndex newcomer) {
    failed_.push_back(stuck);
    for (const Overlap& overlap : space_.conflicts(stuck)) {
      if (overlap.other != newcomer && space_.is_placed(overlap.other)) culprits_.push_back(overlap.other);
    }
  }

  /// A major backtrack: to the latest placement in conflict with what had no place, or further back. False when
  /// there is none.
  bool jump_back() {
    std::size_t target = levels_.size();
    for (std::size_t k = levels_.size() - 1; k-- > 0 && target == levels_.size();) {
      const bool culprit = std::find(culprits_.begin(), culprits_.end(), levels_[k].placed) != culprits_.end();
      if (culprit) target = k;
    }
    if (target == levels_.size()) return false;
    const std::size_t returns = ++levels_[target].returns;
    if (returns > 1) {
      const std::size_t further = std::min(target, std::size_t{1} << std::min<std::size_t>(returns - 1, 30));
      target -= further;
    }
    while (levels_.size() > target + 1) {
      levels_.pop_back();
      space_.take_out(levels_.back().placed, "back to a placement that is to blame");
    }
    Level& level = levels_.back();
    std::vector<BufferIndex> promoted = failed_;
    promoted.insert(promoted.end(), level.promoted.begin(), level.promoted.end());
    const BufferIndex tried = level.placed;
    level.placed = kNoBuffer;
    level.promoted.clear();
    for (const BufferIndex i : promoted) {
      const bool known = std::find(level.promoted.begin(), level.promoted.end(), i) != level.promoted.end();
      if (!known && i != tried) level.promoted.push_back(i);
    }
    level.chosen = false;
    return --left_ >= 0;
  }

  Int128 lifetime(BufferIndex i) const { return problem_[i].lifetime(); }
  Int128 size(BufferIndex i) const { return problem_[i].size; }
  Int128 area(BufferIndex i) const { return Int128{problem_[i].size} * problem_[i].lifetime(); }

  const Problem& problem_;
  const TelaComponent& component_;
  TelaSpace& space_;
  std::int64_t capacity_;
  std::int64_t left_;
  std::vector<Level> levels_;
  std::vector<BufferIndex> culprits_;
  std::vector<BufferIndex> failed_;
};

}  // namespace

bool place_by_backtracking(const TelaAttempt& attempt) {
  return Backtracking(attempt).run(attempt.stop);
}

}  // namespace stowage
