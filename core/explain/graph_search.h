#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/conflicts.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// A buffer of a question, perhaps smaller than it is.
struct AskedBuffer {
  BufferIndex buffer = kNoBuffer;
  std::int64_t size = 0;
};

/// Exact search on any conflict graph: can these buffers lie below a capacity? Buffers that are tied move as one unit,
/// also when something between them is not asked about. Two units in conflict exclude some differences of their
/// offsets; what is left are a few alternatives, mostly "above" and "below".
///
///          excluded            d = offset of v - offset of u
///     ----]////////[--------->
///    v below u     v above u
///
/// A state keeps for each unit the lowest and the highest offset that is still possible. An alternative that these
/// bounds exclude is dropped, a last one is taken and moves the bounds; then the pair with the least freedom is
/// decided both ways. When all pairs are decided the lowest offsets are a plan. Nothing is assumed about effective
/// sizes, grids or ties.
class GraphSearch {
 public:
  enum class End { kFits, kDoesNotFit, kUnknown };

  /// `overlaps` of all buffers of the problem; both must outlive it. The buffers ascending.
  GraphSearch(const Problem& problem, std::span<const std::vector<Overlap>> overlaps,
              std::span<const AskedBuffer> buffers, std::int64_t capacity);

  /// First fit, the tallest units first; then the exact search, visiting at most so many nodes.
  End run(std::int64_t nodes, const RunContext& context);

  /// After kFits, by buffer of the question.
  std::vector<std::int64_t> offsets() const;
  std::int64_t nodes() const { return visited_; }

 private:
  struct Unit {
    std::int64_t low = 0;  // of its lowest asked member, above the unit's offset
    std::int64_t high = 0;
    Grid grid;
    std::int64_t fixed = kNoOffset;
  };
  /// Differences [low, high] that are allowed.
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  struct Pair {
    std::uint32_t u = 0;
    std::uint32_t v = 0;
    std::vector<Range> allowed;  // ascending
    int chosen = -1;
  };
  struct Change {
    enum class What { kLowest, kHighest, kChosen };
    What what = What::kLowest;
    std::uint32_t at = 0;
    std::int64_t before = 0;
  };

  void add_units(std::span<const AskedBuffer> buffers);
  void add_pairs(std::span<const std::vector<Overlap>> overlaps, std::span<const AskedBuffer> buffers);
  bool set_bounds();
  bool place_greedily();
  bool suits(std::uint32_t unit, std::int64_t offset, std::span<const std::int64_t> placed) const;
  End search(std::int64_t nodes, const RunContext& context);

  bool settle();
  bool settle(std::uint32_t pair);
  bool possible(const Pair& pair, const Range& range) const;
  bool raise(std::uint32_t unit, std::int64_t offset);
  bool lower(std::uint32_t unit, std::int64_t offset);
  void choose(std::uint32_t pair, int alternative);
  void touch(std::uint32_t unit);
  void undo(std::size_t changes);
  int next_pair() const;

  const Problem& problem_;
  std::int64_t capacity_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> unit_of_;  // by buffer of the question
  std::vector<std::int64_t> relative_;  // by buffer of the question: above its unit's offset
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::uint32_t>> pairs_of_;  // by unit
  std::vector<std::int64_t> lowest_;
  std::vector<std::int64_t> highest_;
  std::vector<Change> changes_;
  std::vector<std::uint32_t> touched_;
  std::vector<bool> is_touched_;
  std::int64_t visited_ = 0;
  bool gave_up_ = false;  // a state was dropped without proof
};

}  // namespace stowage
