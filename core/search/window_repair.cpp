#include "core/search/window_repair.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/search/capacity_question.h"
#include "core/search/core_first.h"

namespace stowage {
namespace {

/// One window of so many is shaken, the others are solved.
constexpr std::int64_t kOneShaken = 8;
/// With fewer looks only cheap windows are tried.
constexpr std::int64_t kLeastForSolving = 10'000;
constexpr std::size_t kMostSolved = 400;
constexpr std::int64_t kNodes = 1'000;
/// What a state of exact search and the tables of an item cost.
constexpr std::int64_t kLooksANode = 25;
constexpr std::int64_t kLooksAnItem = 10;

/// Sections: how far what is nearly full may be from what is solved to be part of it, and from the item; how far it is
/// widened, and how much of what lies around it is placed again.
constexpr std::int32_t kReach = 15;
constexpr std::int32_t kFarthest = 200;
constexpr std::int32_t kWidest = 20;
constexpr std::int32_t kAround = 120;

}  // namespace

WindowRepair::WindowRepair(const Instance& instance, HardFit& fit, std::int64_t capacity,
                           std::vector<std::uint32_t> ranks, std::vector<std::uint32_t> failed, std::vector<bool> kept,
                           std::uint64_t seed)
    : instance_(instance),
      fit_(fit),
      capacity_(capacity),
      ranks_(std::move(ranks)),
      failed_(std::move(failed)),
      kept_(std::move(kept)),
      random_(seed) {}

bool WindowRepair::go_on(std::int64_t looks, const RunContext& context) {
  const bool may_solve = looks >= kLeastForSolving && !fit_.many_live();
  const auto spent = [&] {
    return fit_.looks() + looks_of_solving_;
  };
  const std::int64_t end = spent() + looks;
  while (!failed_.empty() && spent() < end && !context.should_stop()) {
    const auto chosen = static_cast<std::size_t>(random_.uniform(0, static_cast<std::int64_t>(failed_.size()) - 1));
    const Instance::Item& item = instance_.items[failed_[chosen]];
    const bool cheap = !may_solve || random_.uniform(0, kOneShaken - 1) == 0;
    if (cheap || !solve(item, context)) shake(item);
  }
  return failed_.empty();
}

void WindowRepair::shake(const Instance::Item& item) {
  constexpr double kMeanDoublings = 5;
  const double length = item.last - item.first + 10;
  const auto most = static_cast<double>(instance_.sections);
  const auto margin =
      static_cast<std::int32_t>(std::min(most, length * std::exp2(kMeanDoublings * random_.unit() - 1)));
  const SectionRange window{std::max(0, item.first - margin), std::min(instance_.sections, item.last + margin)};
  take_out(window, random_.uniform(0, 15) == 0);
  place_again();
}

/// False when there is no answer, and nothing has changed.
bool WindowRepair::solve(const Instance::Item& item, const RunContext& context) {
  const SectionRange stretch = stretch_around(item);
  fit_.meeting(stretch, met_);
  if (met_.size() > kMostSolved) return false;
  const auto around = static_cast<std::int32_t>(kAround * (0.5 + random_.unit()));
  take_out({std::max(0, stretch.first - around), std::min(instance_.sections, stretch.last + around)}, true);
  if (!put_solved(stretch, context)) {
    put_back();
    return false;
  }
  place_again();
  return true;
}

/// Its lifetime, widened, with what is nearly full next to it.
SectionRange WindowRepair::stretch_around(const Instance::Item& item) {
  constexpr double kFull = 0.9;
  const double full = static_cast<double>(capacity_) * (kFull + (1 - kFull) * random_.unit());
  const auto is_full = [&](std::int32_t s) {
    return static_cast<double>(instance_.loads[static_cast<std::size_t>(s)]) >= full;
  };
  const auto wider = static_cast<std::int32_t>(kWidest * random_.unit());
  SectionRange stretch{std::max(0, item.first - wider), std::min(instance_.sections, item.last + wider)};
  const std::int32_t earliest = std::max(0, stretch.first - kFarthest);
  const std::int32_t latest = std::min(instance_.sections, stretch.last + kFarthest);
  for (std::int32_t s = stretch.first; s >= earliest && s >= stretch.first - kReach; --s) {
    if (is_full(s)) stretch.first = s;
  }
  for (std::int32_t s = stretch.last; s < latest && s < stretch.last + kReach; ++s) {
    if (is_full(s)) stretch.last = s + 1;
  }
  return {std::max(0, stretch.first - wider / 2), std::min(instance_.sections, stretch.last + wider / 2)};
}

/// Of what has been taken out, places all that is live in the stretch.
bool WindowRepair::put_solved(SectionRange stretch, const RunContext& context) {
  fit_.meeting(stretch, met_);  // they stay
  for (const Taken& t : taken_) {
    const Instance::Item& item = instance_.items[t.item];
    if (stretch.overlaps({item.first, item.last})) met_.push_back(t.item);
  }
  Instance part = clipped(instance_, stretch, met_);
  for (Instance::Item& item : part.items) {
    if (!fit_.is_placed(item.buffer)) continue;
    item.fixed = fit_.offsets()[item.buffer];
    part.plain = false;
  }
  looks_of_solving_ += kLooksAnItem * static_cast<std::int64_t>(part.items.size());
  if (!NicheSearch::affordable(part, capacity_)) return false;
  CapacityQuestion question(part, capacity_, random_.next());
  const Verdict verdict = question.go_on(kNodes, context);
  looks_of_solving_ += kLooksANode * question.nodes();
  if (verdict != Verdict::kFits) return false;
  const std::vector<std::int64_t> offsets = question.offsets();
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const std::uint32_t i = part.items[k].buffer;
    // Outside the stretch it may meet what crosses the border.
    if (!fit_.is_placed(i) && fit_.is_free(i, offsets[k])) fit_.put(i, offsets[k]);
  }
  return true;
}

void WindowRepair::take_out(SectionRange window, bool also_kept) {
  taken_.clear();
  for (std::uint32_t i = fit_.first_item(window.first); i < fit_.first_item(window.last); ++i) {
    const Instance::Item& item = instance_.items[i];
    if (item.last > window.last || item.is_fixed() || (kept_[i] && !also_kept)) continue;
    taken_.push_back({i, fit_.offsets()[i], 0});
    if (fit_.is_placed(i)) fit_.remove(i);
  }
}

/// What has been taken out and has no place yet, the failed ones further in front. When it comes to more bytes that are
/// left over, nothing has changed.
void WindowRepair::place_again() {
  std::int64_t before = 0;
  std::int64_t after = 0;
  const double noise = random_.unit() * random_.unit();
  for (Taken& t : taken_) {
    if (t.offset == kNoOffset) before += instance_.items[t.item].size;
    t.key = ranks_[t.item] * (t.offset == kNoOffset ? random_.unit() : 1 + noise * (random_.unit() - 0.5));
  }
  std::sort(taken_.begin(), taken_.end(),
            [](const Taken& a, const Taken& b) { return a.key != b.key ? a.key < b.key : a.item < b.item; });
  const auto rule = random_.uniform(0, 3) == 0 ? HardFit::Rule::kBest : HardFit::Rule::kFirst;
  for (const Taken& t : taken_) {
    if (!fit_.is_placed(t.item) && !fit_.place(t.item, capacity_, rule)) after += instance_.items[t.item].size;
  }
  if (after > before) return put_back();
  std::erase_if(failed_, [&](std::uint32_t i) { return fit_.is_placed(i); });
  for (const Taken& t : taken_) {
    if (t.offset != kNoOffset && !fit_.is_placed(t.item)) failed_.push_back(t.item);
  }
}

void WindowRepair::put_back() {
  for (const Taken& t : taken_) {
    if (fit_.is_placed(t.item)) fit_.remove(t.item);
  }
  for (const Taken& t : taken_) {
    if (t.offset != kNoOffset) fit_.put(t.item, t.offset);
  }
}

}  // namespace stowage
