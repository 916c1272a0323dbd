#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/allocators/capacity_state.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

enum class SearchEnd {
  kFound,
  kExhausted,   // everything was tried
  kOutOfNodes,  // the budget is used up
  kStopped,     // asked to stop, or out of time
};

/// The exact search of minimalloc (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated
/// Machine Learning", ASPLOS 2023; google/minimalloc src/solver.cc): does a space fit under a capacity? It visits the
/// same nodes in the same order and so ends at the same offsets, but changes one state and takes the changes back.
/// A node takes each waiting buffer that can sit below the top of every waiting one, puts it as low as it can sit, and
/// goes on.
class CapacitySearch {
 public:
  /// Problem and rules must outlive it. Lifetimes alone must decide about conflicts, and nothing may be tied.
  CapacitySearch(const Problem& problem, const SearchRules& rules);

  /// Looks for offsets under `capacity`, visiting at most `nodes` nodes, and says steps to the context. Several orders
  /// get 2n nodes each, then 4n and so on, until one of them comes to an end.
  SearchEnd run(std::uint16_t space, std::int64_t capacity, std::int64_t nodes, const RunContext& context);

  /// By buffer, when the last run found something; kNoOffset outside its space and where no memory is needed.
  std::span<const std::int64_t> offsets() const { return state_.offsets(); }
  /// The part of the space that a run exhausted: buffers that cannot fit together.
  std::span<const BufferIndex> exhausted() const { return exhausted_; }
  /// Nodes visited, and those of them in which nothing worked, in all runs.
  std::int64_t nodes() const { return visited_; }
  std::int64_t backtracks() const { return backtracks_; }
  /// An exhausted search proves that nothing fits. Not so with windows under which a buffer can lie above another one
  /// and have no higher offset, nor when hatless pruning meets an order that is not by offset.
  bool proves() const;

 private:
  struct Entry {
    BufferIndex buffer = kNoBuffer;
    std::uint32_t rank = 0;
  };
  struct Candidate {
    std::int64_t offset = 0;
    Entry entry;
  };
  struct Ranked {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    std::int64_t load = 0;
    BufferIndex buffer = kNoBuffer;
  };
  /// [begin, end) on one of the stacks.
  struct Slice {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// How far the stacks reached.
  struct Marks {
    std::size_t entries = 0;
    std::size_t candidates = 0;
    std::size_t parts = 0;
    std::size_t placements = 0;
  };
  /// A node with its candidates; or, when `split`, the parts into which a placement cut the rest.
  struct Frame {
    bool split = false;
    bool heaviest_known = false;  // `heaviest` is exact
    SectionRange sections;
    Slice entries;              // its partition, by rank
    Slice items;                // candidates or parts; `begin` is the next one
    std::int64_t heaviest = 0;  // no section has more waiting bytes
    Candidate placed;
    Marks before;
  };
  enum class Turn { kOpened, kSolved, kFailed, kOutOfNodes, kStopped };

  SearchEnd solve_all(std::uint16_t space);
  SearchEnd solve(const Partition& partition);
  Turn open_part(std::span<const BufferIndex> buffers, SectionRange sections);
  Turn open(Slice entries, SectionRange sections, const Candidate& parent, std::int64_t heaviest);
  Turn open_next_part();
  Turn try_candidates();
  Turn descend();
  bool back_to_split();
  bool back_to_choice();
  void keep_allowed(std::size_t begin, const Candidate& parent, std::int64_t lowest_top);
  Slice without_placed(Slice entries);
  bool too_heavy(Frame& frame) const;
  void pop();
  Marks marks() const;

  const Problem& problem_;
  const SearchRules& rules_;
  CapacityState state_;
  std::vector<OrderKeys> orders_;

  const RunContext* context_ = nullptr;
  const OrderKeys* keys_ = nullptr;
  std::int64_t nodes_left_ = 0;
  std::int64_t visited_ = 0;
  std::int64_t backtracks_ = 0;
  std::vector<BufferIndex> exhausted_;

  std::vector<Frame> frames_;
  std::vector<Entry> entries_;
  std::vector<Candidate> candidates_;
  std::vector<SectionRange> parts_;
  std::vector<Ranked> ranked_;
  std::vector<BufferIndex> gathered_;
};

}  // namespace stowage
