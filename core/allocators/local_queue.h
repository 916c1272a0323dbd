#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/allocators/min_queue.h"
#include "core/model/problem.h"

namespace stowage {

/// A buffer that waits for its turn: least offset first, then least rank.
struct Waiting {
  std::int64_t offset = 0;  // where it could sit when it was last looked at, if that matters
  std::uint32_t rank = 0;   // position in the order
  BufferIndex buffer = kNoBuffer;
  SectionRange range;  // a copy, so that a look touches no other memory of the buffer
  bool operator<(const Waiting& other) const {
    return offset != other.offset ? offset < other.offset : rank < other.rank;
  }
};

/// Takes waiting buffers out as a priority queue does, except that buffers that share no section do not wait for each
/// other. As long as a buffer's turn depends only on those that overlap it, and turns only move back, this gives the
/// same plan as the queue; but it works on one stretch of time until nothing is left to do there, so that at a million
/// buffers nearly everything it needs is in cache.
///
/// Time is cut into blocks of sections, the leaves of a binary tree. A buffer waits at the lowest node that holds all
/// of its sections, so it overlaps only buffers of the same node, of nodes above and of nodes below. Before a node
/// takes its first buffer out, the nodes below have taken out everything that comes earlier.
class LocalQueue {
 public:
  enum class Turn {
    kTaken,  // the buffer is out
    kLater,  // it has been given a higher offset and waits again
    kStop,   // leave everything as it is
  };
  enum class Locality {
    kBlocks,
    kNone,  // one block: exactly the order of a priority queue
  };

  LocalQueue(std::size_t sections, Locality locality);

  /// A range without sections is not allowed.
  void add(const Waiting& waiting);

  /// Calls turn(Waiting&) -> Turn until nothing waits; false when that said kStop.
  template <typename TakeTurn>
  bool drain(TakeTurn&& turn);

 private:
  static constexpr int kBlockShift = 8;
  static constexpr std::size_t kRoot = 1;  // the halves of node k are the nodes 2k and 2k + 1
  static constexpr Waiting kNever = {std::numeric_limits<std::int64_t>::max(), kNoBuffer, kNoBuffer, {}};

  bool is_leaf(std::size_t node) const { return node >= leaves_; }
  std::size_t leaf(std::int32_t section) const { return leaves_ + (static_cast<std::size_t>(section) >> shift_); }
  bool meets(std::size_t node, SectionRange range) const;

  /// Takes out all that is less than `limit` and may overlap `range`, in this node and below.
  template <typename TakeTurn>
  bool advance(std::size_t node, const Waiting& limit, SectionRange range, TakeTurn& turn);
  template <typename TakeTurn>
  bool advance_halves(std::size_t node, const Waiting& limit, SectionRange range, TakeTurn& turn);

  struct Node {
    MinQueue<Waiting> queue;
    Waiting least = kNever;  // no more than anything that waits here or below
  };
  void update_least(std::size_t node);

  int shift_;
  std::size_t leaves_;  // a power of two
  SectionRange all_;
  std::vector<Node> nodes_;
};

template <typename TakeTurn>
bool LocalQueue::drain(TakeTurn&& turn) {
  for (std::size_t node = nodes_.size() - 1; node >= kRoot; --node) {
    nodes_[node].queue.arrange();
    update_least(node);
  }
  return advance(kRoot, kNever, all_, turn);
}

template <typename TakeTurn>
bool LocalQueue::advance(std::size_t node, const Waiting& limit, SectionRange range, TakeTurn& turn) {
  MinQueue<Waiting>& queue = nodes_[node].queue;
  while (!queue.empty() && queue.top() < limit) {
    Waiting first = queue.top();
    if (!advance_halves(node, first, first.range, turn)) return false;
    switch (turn(first)) {
      case Turn::kTaken:
        queue.pop();
        break;
      case Turn::kLater:
        queue.replace_top(first);
        break;
      case Turn::kStop:
        return false;
    }
  }
  if (!advance_halves(node, limit, range, turn)) return false;
  update_least(node);
  return true;
}

template <typename TakeTurn>
bool LocalQueue::advance_halves(std::size_t node, const Waiting& limit, SectionRange range, TakeTurn& turn) {
  if (is_leaf(node)) return true;
  for (const std::size_t half : {2 * node, 2 * node + 1}) {
    if (!(nodes_[half].least < limit) || !meets(half, range)) continue;
    if (!advance(half, limit, range, turn)) return false;
  }
  return true;
}

}  // namespace stowage
