#include "core/search/descent.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

/// Of the members at the goal every other one, so that a plan that leads nowhere holds up half of them only.
bool follows(std::size_t member) {
  return member % 2 == 0;
}

/// What is found lowers the height, what is exhausted raises the bound.
Verdict ask(const Instance& instance, CapacityQuestion& question, std::int64_t nodes, const RunContext& context,
            Descent::Wish& left, Descent::Found& found) {
  const std::int64_t before = question.nodes();
  const Verdict verdict = question.go_on(nodes, context);
  found.nodes += question.nodes() - before;
  if (verdict == Verdict::kFits) {
    std::vector<std::int64_t> offsets = question.offsets();
    const std::int64_t height = instance.height(offsets);
    if (height < left.height) {
      left.height = height;
      found.offsets = std::move(offsets);
    }
  } else if (verdict == Verdict::kDoesNotFit) {
    found.lower = std::max(found.lower, question.capacity() + 1);
  }
  return verdict;
}

}  // namespace

Descent::Descent(const Instance& instance, std::vector<std::int64_t> offsets, std::uint64_t seed)
    : instance_(instance),
      levels_(instance),
      offsets_(std::make_shared<const std::vector<std::int64_t>>(std::move(offsets))),
      lower_(levels_.at_least(instance.bound())),
      height_(instance.height(*offsets_)),
      seed_(seed) {}

void Descent::take(std::vector<std::int64_t> offsets) {
  const std::int64_t height = instance_.height(offsets);
  if (height >= height_) return;
  height_ = height;
  offsets_ = std::make_shared<const std::vector<std::int64_t>>(std::move(offsets));
}

void Descent::raise(std::int64_t lower) {
  lower_ = std::max(lower_, levels_.at_least(lower));
}

void Descent::take(Found found) {
  nodes_ += found.nodes;
  raise(found.lower);
  if (!found.offsets.empty()) take(std::move(found.offsets));
}

Descent::Wish Descent::wish(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes) const {
  return {std::max(goal, lower_), first, height_, nodes, offsets_};
}

Descent::Found Descent::search(std::size_t member, const Wish& wish, const RunContext& context) {
  Found found = member == kBetween ? search_between(wish, context) : search_goal(member, wish, context);
  members_[member].nodes += found.nodes;
  return found;
}

Descent::Found Descent::search_goal(std::size_t member, const Wish& wish, const RunContext& context) {
  Found found;
  Wish left = wish;
  std::optional<CapacityQuestion>& question = members_[member].at_goal;
  while (left.height > std::max(wish.goal, found.lower) && found.nodes < wish.nodes) {
    const std::int64_t capacity = std::max(wish.goal, levels_.at_least(found.lower));
    if (!question || question->capacity() != capacity) {
      question.emplace(instance_, capacity, seed_ + (member << 32U));
    }
    if (follows(member) && wish.plan) question->follow(*wish.plan, wish.height);
    const Verdict verdict = ask(instance_, *question, wish.nodes - found.nodes, context, left, found);
    if (verdict != Verdict::kFits && verdict != Verdict::kDoesNotFit) break;
  }
  return found;
}

Descent::Found Descent::search_between(const Wish& wish, const RunContext& context) {
  Found found;
  Wish left = wish;
  const std::int64_t share = std::max<std::int64_t>(wish.nodes / 4, 1);
  std::int64_t low = wish.goal;  // below this there was no answer
  while (left.height > low + 1 && found.nodes < wish.nodes) {
    const bool wanted = wish.first && *wish.first > low && *wish.first < left.height;
    const std::int64_t capacity = wanted ? *wish.first : low + (left.height - low) / 2;
    const std::int64_t nodes = members_[kBetween].nodes + found.nodes;
    CapacityQuestion question(instance_, capacity, seed_ + static_cast<std::uint64_t>(nodes));
    if (wish.plan) question.follow(found.offsets.empty() ? *wish.plan : found.offsets, left.height);
    const Verdict verdict = ask(instance_, question, std::min(share, wish.nodes - found.nodes), context, left, found);
    if (verdict == Verdict::kStopped) break;
    if (verdict != Verdict::kFits) low = capacity;
  }
  return found;
}

}  // namespace stowage
