#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "core/allocators/tela_attempt.h"
#include "core/base/integers.h"

namespace stowage {
namespace {

class Evicting {
 public:
  Evicting(const TelaAttempt& attempt, std::span<const std::uint32_t> rank, std::uint64_t seed)
      : problem_(attempt.problem),
        component_(attempt.component),
        space_(attempt.space),
        capacity_(attempt.capacity),
        most_(attempt.backtracks),
        rank_(rank),
        evictions_(attempt.problem.size(), 0),
        random_(seed) {}

  bool run(const std::function<bool()>& stop) {
    const std::int64_t share = std::min(most_, 4 * static_cast<std::int64_t>(component_.buffers.size()));
    while (true) {
      begin();
      std::int64_t evicted = 0;
      while (!pending_.empty() && evicted <= share) {
        if (stop()) return false;
        const BufferIndex i = std::get<2>(*pending_.begin());
        pending_.erase(pending_.begin());
        if (const auto offset = space_.lowest(i, capacity_, true)) {
          space_.place(i, *offset, "the lowest gap that is large enough");
          continue;
        }
        const auto offset = cheapest(i);
        if (!offset) return false;
        evicted += clear(i, *offset);
        space_.place(i, *offset, "the cheapest place to clear");
        if (total_ > most_) return false;
      }
      if (pending_.empty()) return true;
    }
  }

 private:
  using Turn = std::tuple<std::int64_t, std::uint32_t, BufferIndex>;

  void begin() {
    pending_.clear();
    for (const BufferIndex i : component_.buffers) {
      if (problem_[i].is_fixed()) continue;
      space_.take_out(i, "everything from the start");
      pending_.insert({-evictions_[i], rank_[i], i});
    }
  }

  /// The place under the capacity whose clearing costs the fewest bytes, then buffers, then the lowest.
  std::optional<std::int64_t> cheapest(BufferIndex buffer) {
    const std::span<const TelaSpace::Forbidden> forbidden = space_.forbidden(buffer);
    const Grid grid = problem_.grid(buffer);
    const std::int64_t size = problem_[buffer].size;
    std::vector<std::int64_t> places = {grid.up(0)};
    for (const TelaSpace::Forbidden& f : forbidden) {
      const std::int64_t above = grid.up(std::max<std::int64_t>(0, f.high));  // windows may reach below 0
      if (size <= capacity_ - above) places.push_back(above);
      const std::int64_t below = f.low > 0 ? grid.up(std::max<std::int64_t>(0, f.low - grid.step + 1)) : 0;
      if (below > 0 && below <= f.low) places.push_back(below);
    }
    std::erase_if(places, [&](std::int64_t at) { return size > capacity_ - at || hits_fixed(forbidden, at); });
    if (places.empty()) return std::nullopt;
    std::tuple<Int128, std::int64_t, std::int64_t> best = cost(forbidden, places.front());
    for (const std::int64_t at : places) best = std::min(best, cost(forbidden, at));
    if (random_() % 4 == 0) return places[random_() % places.size()];
    return std::get<2>(best);
  }

  bool hits_fixed(std::span<const TelaSpace::Forbidden> forbidden, std::int64_t at) const {
    return std::any_of(forbidden.begin(), forbidden.end(), [&](const TelaSpace::Forbidden& f) {
      return f.low < at && at < f.high && problem_[f.by].is_fixed();
    });
  }

  std::tuple<Int128, std::int64_t, std::int64_t> cost(std::span<const TelaSpace::Forbidden> forbidden,
                                                      std::int64_t at) const {
    Int128 bytes = 0;
    std::int64_t count = 0;
    for (const TelaSpace::Forbidden& f : forbidden) {
      if (f.low >= at || at >= f.high) continue;
      bytes += problem_[f.by].size;
      ++count;
    }
    return {bytes, count, at};
  }

  std::int64_t clear(BufferIndex buffer, std::int64_t offset) {
    std::int64_t count = 0;
    for (const TelaSpace::Forbidden& f : space_.forbidden(buffer)) {
      if (f.low >= offset || offset >= f.high) continue;
      space_.take_out(f.by, "evicted to make room");
      ++evictions_[f.by];
      pending_.insert({-evictions_[f.by], rank_[f.by], f.by});
      ++count;
    }
    total_ += count;
    return count;
  }

  const Problem& problem_;
  const TelaComponent& component_;
  TelaSpace& space_;
  std::int64_t capacity_;
  std::int64_t most_;
  std::int64_t total_ = 0;
  std::span<const std::uint32_t> rank_;
  std::vector<std::int64_t> evictions_;
  std::mt19937_64 random_;
  std::set<Turn> pending_;
};

}  // namespace

bool place_by_eviction(const TelaAttempt& attempt, std::span<const std::uint32_t> rank, std::uint64_t seed) {
  return Evicting(attempt, rank, seed).run(attempt.stop);
}

}  // namespace stowage
