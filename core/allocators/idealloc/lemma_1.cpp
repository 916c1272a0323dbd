#include "core/allocators/idealloc/lemma_1.h"

#include <algorithm>
#include <span>
#include <utility>

namespace stowage::idealloc {
namespace {

bool born_earlier(const BoxTree& tree, ItemIndex a, ItemIndex b) {
  return tree[a].start != tree[b].start ? tree[a].start < tree[b].start : a < b;
}

bool dies_later(const BoxTree& tree, ItemIndex a, ItemIndex b) {
  return tree[a].end != tree[b].end ? tree[a].end > tree[b].end : a < b;
}

/// The jobs of a group, taken away from both sides.
class Remaining {
 public:
  Remaining(const BoxTree& tree, std::vector<ItemIndex> group)
      : jobs_(std::move(group)), by_death_(jobs_.size()), taken_(jobs_.size(), false), left_(jobs_.size()) {
    std::sort(jobs_.begin(), jobs_.end(), [&](ItemIndex a, ItemIndex b) { return born_earlier(tree, a, b); });
    for (std::size_t k = 0; k < by_death_.size(); ++k) by_death_[k] = k;
    std::sort(by_death_.begin(), by_death_.end(),
              [&](std::size_t a, std::size_t b) { return dies_later(tree, jobs_[a], jobs_[b]); });
  }

  bool empty() const { return left_ == 0; }

  /// The next `count` by rising birth.
  std::vector<ItemIndex> earliest(std::size_t count) {
    std::vector<ItemIndex> strip;
    for (; births_ < jobs_.size() && strip.size() < count; ++births_) take(births_, strip);
    return strip;
  }
  /// The next `count` by falling death.
  std::vector<ItemIndex> latest(std::size_t count) {
    std::vector<ItemIndex> strip;
    for (; deaths_ < jobs_.size() && strip.size() < count; ++deaths_) take(by_death_[deaths_], strip);
    return strip;
  }

 private:
  void take(std::size_t position, std::vector<ItemIndex>& strip) {
    if (taken_[position]) return;
    taken_[position] = true;
    --left_;
    strip.push_back(jobs_[position]);
  }

  std::vector<ItemIndex> jobs_;        // by rising birth
  std::vector<std::size_t> by_death_;  // positions in jobs_, by falling death
  std::vector<bool> taken_;
  std::size_t births_ = 0;
  std::size_t deaths_ = 0;
  std::size_t left_;
};

void box_runs(Workplace& at, std::span<const ItemIndex> strip, const Stack& stack, std::vector<ItemIndex>& boxes) {
  const std::size_t most = stack.times(1, strip.size());
  for (std::size_t first = 0; first < strip.size(); first += most) {
    boxes.push_back(at.tree.box(strip.subspan(first, std::min(most, strip.size() - first)), stack.height));
    at.recorder.box(boxes.back());
  }
}

}  // namespace

void strips(Workplace& at, std::vector<ItemIndex> group, const Stack& stack, std::vector<ItemIndex>& boxes,
            std::vector<ItemIndex>& unresolved) {
  const BoxTree& tree = at.tree;
  const std::size_t outer = stack.times(1 / (stack.mu * stack.mu), group.size());
  const std::size_t inner = stack.times(1 / stack.mu, group.size());
  const auto leave = [&](BoxingSet::Kind kind, const std::vector<ItemIndex>& jobs) {
    at.recorder.set(kind, jobs);
    unresolved.insert(unresolved.end(), jobs.begin(), jobs.end());
  };
  if (group.size() <= 2 * outer) return leave(BoxingSet::Kind::kUnresolved, group);

  Remaining remaining(tree, std::move(group));
  leave(BoxingSet::Kind::kOuterVertical, remaining.earliest(outer));
  leave(BoxingSet::Kind::kOuterHorizontal, remaining.latest(outer));
  for (bool vertical = true; !remaining.empty(); vertical = !vertical) {
    std::vector<ItemIndex> strip = vertical ? remaining.earliest(inner) : remaining.latest(inner);
    std::sort(strip.begin(), strip.end(),
              [&](ItemIndex a, ItemIndex b) { return vertical ? dies_later(tree, a, b) : born_earlier(tree, a, b); });
    at.recorder.set(vertical ? BoxingSet::Kind::kInnerVertical : BoxingSet::Kind::kInnerHorizontal, strip);
    box_runs(at, strip, stack, boxes);
  }
}

}  // namespace stowage::idealloc
