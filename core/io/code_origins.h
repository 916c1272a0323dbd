#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/io/value_tree.h"

namespace stowage {

/// Where in a program memory was asked for: of each stack of frames the one to show, and a number for it. Frames are
/// dicts with filename, line and name, the innermost first, as the snapshots of PyTorch have them.
class CodeOrigins {
 public:
  struct Origin {
    std::string op;      // the function
    std::string source;  // file:line
  };

  explicit CodeOrigins(const ValueTree& tree) : tree_(tree) {}

  /// Of the items of a list, if they are frames, only the one that is shown; stacks are most of what is in a snapshot.
  std::span<const ValueTree::Value> without_other_frames(std::span<const ValueTree::Value> items) const;
  /// The number of what a list of frames shows, from 1; 0 when it shows nothing. The tree must not change any more.
  std::uint32_t of(ValueTree::Value frames);
  const Origin& operator[](std::uint32_t number) const { return origins_[number - 1]; }

 private:
  struct Known {
    ValueTree::Value frames;
    std::uint32_t number = 0;
  };

  std::optional<std::size_t> best_of(std::span<const ValueTree::Value> frames) const;
  std::uint32_t find(ValueTree::Value frames);

  const ValueTree& tree_;
  ValueTree::Key filename_{"filename"};
  ValueTree::Key line_{"line"};
  ValueTree::Key name_{"name"};
  std::array<Known, 1024> known_;  // stacks come again and again, mostly as one value of the tree
  std::unordered_map<std::string, std::uint32_t> numbers_;  // by what they say
  std::vector<Origin> origins_;
};

}  // namespace stowage
