#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// Storages of a program of which some have been evicted, and what it costs to make again what lies evicted around one:
///
///     resident --> evicted --> evicted --> STORAGE --> evicted --> resident
///                  |---- ancestors ---|               descendants
///
/// A sum that has been walked stays as it is until somebody in that region is evicted or comes back, who tells the
/// resident ones around it. Until then it is not walked again, and after that it is known to be no less than so much.
class EvictedRegions {
 public:
  enum Side : std::size_t { kAncestors = 0, kDescendants = 1 };
  using Link = std::pair<std::uint32_t, std::uint32_t>;  // of whom, who

  /// `sides`: how many will be asked for; 1 is ancestors only.
  EvictedRegions(std::size_t count, const std::vector<Link>& links, std::size_t sides) : sides_(sides), nodes_(count) {
    for (const Side side : {kAncestors, kDescendants}) near_[side] = Lists(count, links, side);
  }

  bool resident(std::uint32_t storage) const { return nodes_[storage].status == Status::kResident; }
  bool evicted(std::uint32_t storage) const { return nodes_[storage].status == Status::kEvicted; }
  /// Of the op that makes it.
  double own_cost(std::uint32_t storage) const { return nodes_[storage].cost; }
  std::span<const std::uint32_t> near(std::uint32_t storage, Side side) const { return near_[side].of(storage); }

  /// It is there, for the first time or again.
  void make(std::uint32_t storage, double cost) {
    Node& node = nodes_[storage];
    const bool again = node.status == Status::kEvicted;
    if (again) {
      tell_around(storage, [](double before, double gone) {
        return std::max(0.0, before * (1 - kLastBits) - gone * (1 + kLastBits));  // others may lead to some of it
      });
    }
    node.cost = cost;
    node.sums = {Sum{0, !again}, Sum{0, !again}};  // at first everything around it is there
    node.status = Status::kResident;
  }
  void evict(std::uint32_t storage) {
    nodes_[storage].status = Status::kEvicted;
    const double own = nodes_[storage].cost;
    tell_around(storage, [own](double before, double more) { return std::max(before + own, more); });
  }

  /// No more than around(), from what is known already.
  double at_least(std::uint32_t storage) const {
    const Node& node = nodes_[storage];
    double cost = node.cost;
    for (std::size_t side = 0; side < sides_; ++side) cost += node.sums[side].cost * (1 - kLastBits);
    return cost;
  }
  /// Its own cost and that of what lies evicted around it; when that is more than `enough`, perhaps not all of it.
  double around(std::uint32_t storage, double enough) {
    Node& node = nodes_[storage];
    const double most = enough * (1 + kLastBits);  // so that what is called more is more
    double cost = node.cost;
    for (std::size_t side = 0; side < sides_; ++side) {
      Sum& sum = node.sums[side];
      if (!sum.exact) {
        const double region = walk(storage, static_cast<Side>(side), most - cost, [](Node&) {});
        sum.exact = region <= most - cost;
        if (!sum.exact) {
          sum.cost = std::max(sum.cost, region);
          return cost + region;
        }
        sum.cost = region;
      }
      cost += sum.cost;
      if (cost > most) break;
    }
    return cost;
  }

 private:
  static constexpr double kLastBits = 1e-9;  // sums in another order differ in these

  enum class Status : std::uint8_t { kUnknown, kEvicted, kResident };  // unknown: never made so far
  struct Sum {
    double cost = 0;  // when not exact: it is no less
    bool exact = false;
  };
  struct alignas(64) Node {  // a walk reads one line of memory for each
    double cost = 0;
    std::array<Sum, 2> sums;
    std::uint32_t mark = 0;
    Status status = Status::kUnknown;
  };

  /// By storage, all others on one side of it.
  class Lists {
   public:
    Lists() = default;
    Lists(std::size_t count, const std::vector<Link>& links, Side side) : begin_(count + 1, 0), others_(links.size()) {
      const auto whose = [side](const Link& link) {
        return side == kAncestors ? link.second : link.first;
      };
      for (const Link& link : links) ++begin_[whose(link) + 1];
      for (std::size_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
      std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
      for (const Link& link : links) others_[next[whose(link)]++] = side == kAncestors ? link.first : link.second;
    }
    std::span<const std::uint32_t> of(std::uint32_t storage) const {
      return std::span(others_).subspan(begin_[storage], begin_[storage + 1] - begin_[storage]);
    }

   private:
    std::vector<std::uint32_t> begin_;
    std::vector<std::uint32_t> others_;
  };

  /// Goes through what is evicted on one side of a storage and adds up what it costs, until that is more than `enough`;
  /// `border` hears of the resident ones around it.
  template <typename Border>
  double walk(std::uint32_t storage, Side side, double enough, Border&& border) {
    ++mark_;
    double cost = 0;
    open_.assign(1, storage);
    nodes_[storage].mark = mark_;
    while (!open_.empty()) {
      const std::uint32_t from = open_.back();
      open_.pop_back();
      for (const std::uint32_t other : near(from, side)) {
        Node& node = nodes_[other];
        if (node.mark == mark_) continue;
        node.mark = mark_;
        if (node.status == Status::kResident) {
          border(node);
        } else if (node.status == Status::kEvicted) {
          cost += node.cost;
          if (cost > enough) return cost;
          open_.push_back(other);
        }
      }
    }
    return cost;
  }

  /// Who sees the storage on one side of itself lies on the other side of the storage: what is known of its sum becomes
  /// change(sum, cost of the storage and what it hides from there).
  template <typename Change>
  void tell_around(std::uint32_t storage, Change&& change) {
    if (sides_ == 0) return;
    constexpr double kAll = std::numeric_limits<double>::infinity();
    std::array<double, 2> hidden{};
    for (const Side side : {kAncestors, kDescendants}) {
      border_[side].clear();
      hidden[side] =
          nodes_[storage].cost + walk(storage, side, kAll, [&](Node& node) { border_[side].push_back(&node); });
    }
    for (std::size_t side = 0; side < sides_; ++side) {
      for (Node* node : border_[side == kAncestors ? kDescendants : kAncestors]) {
        Sum& sum = node->sums[side];
        sum.exact = false;
        sum.cost = change(sum.cost, hidden[side]);
      }
    }
  }

  std::size_t sides_;
  std::array<Lists, 2> near_;
  std::vector<Node> nodes_;
  // Working memory.
  std::vector<std::uint32_t> open_;
  std::array<std::vector<Node*>, 2> border_;
  std::uint32_t mark_ = 0;
};

}  // namespace stowage
