#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// The lowest free address of each section above everything placed there; it only rises.
///
/// Sections are the lowest level; a node of the next level stands for 64 nodes of the one below. A node holds what all
/// of its sections were raised to together (`raised`) and the highest floor among them (`highest`). Because floors only
/// rise, nothing is ever pushed down or taken back. Short ranges, the common case, read neighbouring memory only.
class Floors {
 public:
  explicit Floors(std::size_t sections);

  /// Raises the sections [first, last) to at least `floor`; first < last.
  void raise(std::int32_t first, std::int32_t last, std::int64_t floor);
  /// The highest floor in [first, last); first < last.
  std::int64_t highest(std::int32_t first, std::int32_t last) const;

 private:
  static constexpr unsigned kShift = 6;

  struct Level {
    std::vector<std::int64_t> raised;
    std::vector<std::int64_t> highest;
  };
  /// Calls visit(level, begin, end) for the fewest runs of nodes that make up [first, last).
  template <typename Visit>
  void for_each_run(std::size_t first, std::size_t last, Visit&& visit) const;

  std::vector<Level> levels_;
};

}  // namespace stowage
