#include "core/search/window_repair.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

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
  const std::int64_t end = fit_.looks() + looks;
  while (!failed_.empty() && fit_.looks() < end && !context.should_stop()) try_window();
  return failed_.empty();
}

void WindowRepair::try_window() {
  constexpr double kMeanDoublings = 5;
  const auto chosen = static_cast<std::size_t>(random_.uniform(0, static_cast<std::int64_t>(failed_.size()) - 1));
  const Instance::Item& item = instance_.items[failed_[chosen]];
  const double length = item.last - item.first + 10;
  const auto most = static_cast<double>(instance_.sections);
  const auto margin =
      static_cast<std::int32_t>(std::min(most, length * std::exp2(kMeanDoublings * random_.unit() - 1)));
  const SectionRange window{std::max(0, item.first - margin), std::min(instance_.sections, item.last + margin)};
  take_out(window, random_.uniform(0, 15) == 0);

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
    if (!fit_.place(t.item, capacity_, rule)) after += instance_.items[t.item].size;
  }
  if (after > before) {
    for (const Taken& t : taken_) {
      if (fit_.is_placed(t.item)) fit_.remove(t.item);
    }
    for (const Taken& t : taken_) {
      if (t.offset != kNoOffset) fit_.put(t.item, t.offset);
    }
    return;
  }
  std::erase_if(failed_, [&](std::uint32_t i) { return fit_.is_placed(i); });
  for (const Taken& t : taken_) {
    if (t.offset != kNoOffset && !fit_.is_placed(t.item)) failed_.push_back(t.item);
  }
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

}  // namespace stowage
