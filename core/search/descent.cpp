#include "core/search/descent.h"

#include <algorithm>
#include <utility>

namespace stowage {

Descent::Descent(const Instance& instance, std::vector<std::int64_t> offsets, std::uint64_t seed)
    : instance_(instance),
      offsets_(std::move(offsets)),
      lower_(instance.bound()),
      height_(instance.height(offsets_)),
      seed_(seed) {}

bool Descent::go_on(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes,
                    const RunContext& context) {
  if (height_ <= std::max(goal, lower_) || !NicheSearch::affordable(instance_, height_)) return false;
  const bool closer = search_goal(goal, nodes, context);
  goal = std::max(goal, lower_);
  return (height_ > goal + 1 && search_between(goal, first, nodes / 2, context)) || closer;
}

void Descent::take(std::vector<std::int64_t> offsets) {
  const std::int64_t height = instance_.height(offsets);
  if (height >= height_) return;
  height_ = height;
  offsets_ = std::move(offsets);
}

/// What is found lowers the height, what is exhausted raises the bound.
Verdict Descent::ask(CapacityQuestion& question, std::int64_t nodes, const RunContext& context) {
  const std::int64_t before = question.nodes();
  const Verdict verdict = question.go_on(nodes, context);
  nodes_ += question.nodes() - before;
  if (verdict == Verdict::kFits) {
    take(question.offsets());
  } else if (verdict == Verdict::kDoesNotFit) {
    lower_ = std::max(lower_, question.capacity() + 1);
  }
  return verdict;
}

bool Descent::search_goal(std::int64_t goal, std::int64_t nodes, const RunContext& context) {
  const std::int64_t end = nodes_ + nodes;
  bool closer = false;
  while (height_ > std::max(goal, lower_) && nodes_ < end) {
    const std::int64_t capacity = std::max(goal, lower_);
    if (!at_goal_ || at_goal_->capacity() != capacity) at_goal_.emplace(instance_, capacity, seed_);
    const Verdict verdict = ask(*at_goal_, end - nodes_, context);
    if (verdict != Verdict::kFits && verdict != Verdict::kDoesNotFit) break;
    closer = true;
  }
  return closer;
}

bool Descent::search_between(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes,
                             const RunContext& context) {
  const std::int64_t end = nodes_ + nodes;
  const std::int64_t share = std::max<std::int64_t>(nodes / 4, 1);
  std::int64_t low = goal;  // below this there was no answer
  bool closer = false;
  while (height_ > low + 1 && nodes_ < end) {
    const bool wanted = first && *first > low && *first < height_;
    const std::int64_t capacity = wanted ? *first : low + (height_ - low) / 2;
    CapacityQuestion question(instance_, capacity, seed_ + static_cast<std::uint64_t>(nodes_));
    const Verdict verdict = ask(question, std::min(share, end - nodes_), context);
    if (verdict == Verdict::kStopped) break;
    closer = closer || verdict != Verdict::kOutOfNodes;
    if (verdict != Verdict::kFits) low = capacity;
  }
  return closer;
}

}  // namespace stowage
