#include "core/allocators/idealloc/choice_tree.h"

#include <algorithm>
#include <cmath>

namespace stowage::idealloc {

namespace {

constexpr double kExplore = 0.1;            // of UCT, in units of the range of makespans seen
constexpr double kFreshShare = 0.05;        // of replies that are random
constexpr double kFreshReplies = 4;         // and at least so many of a playout
constexpr std::uint32_t kRandomVisits = 4;  // playouts in which all replies are random

}  // namespace

std::uint32_t ChoiceTree::Playout::choose(std::uint32_t count, std::uint64_t key) {
  std::uint32_t choice = 0;
  if (count == 1) return 0;
  if (!in_tree_) {
    choice = tree_.reply(count, key);
  } else {
    const std::uint32_t at = path_.back();
    const Node& node = tree_.nodes_[at];
    const auto room = static_cast<std::size_t>(std::sqrt(static_cast<double>(node.visits))) + 1;
    std::uint32_t next = 0;
    if (node.children.size() >= std::min<std::size_t>(room, count)) {
      next = tree_.child_to_visit(node);
      choice = tree_.nodes_[next].choice;
    } else {
      choice = tree_.reply(count, key);
      for (const std::uint32_t child : node.children) {
        if (tree_.nodes_[child].choice == choice) next = child;
      }
      if (next == 0) {
        next = static_cast<std::uint32_t>(tree_.nodes_.size());
        tree_.nodes_[at].children.push_back(next);
        Node fresh;
        fresh.choice = choice;
        tree_.nodes_.push_back(std::move(fresh));
        in_tree_ = false;
      }
    }
    path_.push_back(next);
  }
  replies_.push_back({key, choice});
  return choice;
}

std::uint32_t ChoiceTree::reply(std::uint32_t count, std::uint64_t key) {
  const auto known = good_.find(key);
  if (known != good_.end() && known->second < count && nodes_.front().visits >= kRandomVisits &&
      random_.unit() >= fresh_)
    return known->second;
  return static_cast<std::uint32_t>(random_.uniform(0, static_cast<std::int64_t>(count) - 1));
}

std::uint32_t ChoiceTree::child_to_visit(const Node& node) const {
  const double log = std::log(static_cast<double>(node.visits) + 1);
  const double range = std::max(1.0, static_cast<double>(worst_ - best_));
  std::uint32_t chosen = node.children.front();
  double highest = -1;
  for (const std::uint32_t child : node.children) {
    const Node& is = nodes_[child];
    if (is.visits == 0) return child;
    const double mean = is.sum / is.visits;
    const double value = (static_cast<double>(worst_) - 0.5 * mean - 0.5 * static_cast<double>(is.best)) / range +
                         kExplore * std::sqrt(log / is.visits);
    if (value > highest) {
      highest = value;
      chosen = child;
    }
  }
  return chosen;
}

void ChoiceTree::learn(const Playout& playout, std::int64_t makespan) {
  worst_ = std::max(worst_, makespan);
  for (const std::uint32_t at : playout.path_) {
    Node& node = nodes_[at];
    ++node.visits;
    node.sum += static_cast<double>(makespan);
    node.best = std::min(node.best, makespan);
  }
  if (makespan <= best_) {
    if (makespan < best_) {
      best_choices_.clear();
      for (const Playout::Reply& reply : playout.replies_) best_choices_.push_back(reply.choice);
    }
    best_ = makespan;
    for (const Playout::Reply& reply : playout.replies_) good_[reply.key] = reply.choice;
    const auto replies = static_cast<double>(playout.replies_.size());
    fresh_ = std::min(1.0, std::max(kFreshShare, kFreshReplies / std::max(1.0, replies)));
  }
}

}  // namespace stowage::idealloc
