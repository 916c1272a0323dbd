#include "core/allocators/idealloc/choice_tree.h"

#include <algorithm>
#include <cmath>

namespace stowage::idealloc {

namespace {

constexpr double kExplore = 0.1;            // of UCT, in units of the range of makespans seen
constexpr double kOneMore = 0.25;           // probability that another height is boxed afresh, and another
constexpr std::uint32_t kRandomVisits = 2;  // playouts in which all heights are

}  // namespace

ChoiceTree::Playout::Playout(ChoiceTree& tree) : tree_(tree), fresh_(tree.draw_fresh_heights()) {}

void ChoiceTree::Playout::next_height() {
  repeats_ = made_.size() < fresh_.size() && fresh_[made_.size()] == 0;
  made_.emplace_back();
}

std::uint32_t ChoiceTree::Playout::choose(std::uint32_t count) {
  const std::uint32_t choice = in_tree_ ? choice_in_tree(count) : reply(count);
  if (repeats_) {
    const std::vector<std::uint32_t>& good = tree_.good_[made_.size() - 1];
    repeats_ = made_.back().size() < good.size() && good[made_.back().size()] == choice;
  }
  made_.back().push_back(choice);
  return choice;
}

std::uint32_t ChoiceTree::Playout::reply(std::uint32_t count) {
  if (repeats_) {
    const std::vector<std::uint32_t>& good = tree_.good_[made_.size() - 1];
    if (made_.back().size() < good.size()) return std::min(good[made_.back().size()], count - 1);
  }
  return static_cast<std::uint32_t>(tree_.random_.uniform(0, static_cast<std::int64_t>(count) - 1));
}

/// Goes to a known node, or adds one, which ends the way through the tree.
std::uint32_t ChoiceTree::Playout::choice_in_tree(std::uint32_t count) {
  const std::uint32_t at = path_.back();
  const Node& node = tree_.nodes_[at];
  const auto room = static_cast<std::size_t>(std::sqrt(static_cast<double>(node.visits))) + 1;
  if (!repeats_ && node.children.size() >= std::min<std::size_t>(room, count)) {
    path_.push_back(tree_.child_to_visit(node));
    return tree_.nodes_[path_.back()].choice;
  }
  const std::uint32_t choice = reply(count);
  const auto known = std::find_if(node.children.begin(), node.children.end(),
                                  [&](std::uint32_t child) { return tree_.nodes_[child].choice == choice; });
  if (known != node.children.end()) {
    path_.push_back(*known);
    return choice;
  }
  const auto next = static_cast<std::uint32_t>(tree_.nodes_.size());
  tree_.nodes_[at].children.push_back(next);
  Node fresh;
  fresh.choice = choice;
  tree_.nodes_.push_back(std::move(fresh));
  path_.push_back(next);
  in_tree_ = false;
  return choice;
}

bool ChoiceTree::is_settled() const {
  return visits() >= kRandomVisits;
}

/// One height at least: rather one with many choices, but not so many times rather, and one that has won before; the
/// more often it was in vain, the less.
std::vector<char> ChoiceTree::draw_fresh_heights() {
  if (!is_settled() || good_.empty()) return {};
  constexpr double kWin = 2;  // what a win counts; a trial counts 1 the other way
  trials_.resize(std::max(trials_.size(), good_.size()));
  std::vector<double> weight;  // summed
  double sum = 0;
  for (std::size_t height = 0; height < good_.size(); ++height) {
    const Trials& trials = trials_[height];
    sum += std::sqrt(static_cast<double>(good_[height].size())) * (1 + kWin * trials.won) / (1 + trials.made);
    weight.push_back(sum);
  }
  std::vector<char> fresh(good_.size(), 0);
  do {
    const double drawn = random_.unit() * sum;
    const auto height = std::upper_bound(weight.begin(), weight.end() - 1, drawn) - weight.begin();
    fresh[static_cast<std::size_t>(height)] = 1;
  } while (random_.unit() < kOneMore);
  return fresh;
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
  learn_heights(playout, makespan < best_);
  if (makespan > best_) return;
  best_ = makespan;
  good_ = playout.made_;
}

void ChoiceTree::learn_heights(const Playout& playout, bool won) {
  const auto fresh = std::count(playout.fresh_.begin(), playout.fresh_.end(), 1);
  for (std::size_t height = 0; height < playout.fresh_.size(); ++height) {
    if (playout.fresh_[height] == 0) continue;
    trials_[height].made += 1.0 / static_cast<double>(fresh);
    if (won) trials_[height].won += 1.0 / static_cast<double>(fresh);
  }
}

std::vector<std::uint32_t> ChoiceTree::best_choices() const {
  std::vector<std::uint32_t> all;
  for (const std::vector<std::uint32_t>& choices : good_) all.insert(all.end(), choices.begin(), choices.end());
  return all;
}

}  // namespace stowage::idealloc
