#include "core/search/presolve.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

using Item = Instance::Item;

/// Rebuilding what is left takes time for each level of a deeply nested problem; beyond so many items it stays as it
/// is.
constexpr std::size_t kLeastWork = 4'000'000;
constexpr std::size_t kWorkAnItem = 16;

/// What everybody's offset may move by and stay allowed; 0 when there is no such number, or a large one.
std::int64_t common_step(const Instance& instance) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  if (instance.plain) return 1;
  std::int64_t step = 1;
  for (const Item& item : instance.items) {
    if (item.is_fixed() || item.grid.step > kLargest) return 0;
    const std::int64_t factor = item.grid.step / std::gcd(step, item.grid.step);
    if (factor > kLargest / step) return 0;
    step *= factor;
  }
  return step;
}

/// Items that may be settled, at most all but one: their positions.
std::vector<std::size_t> bottoms_of(const Instance& instance) {
  std::vector<std::size_t> bottoms;
  std::int64_t step = -1;  // not known yet
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const Item& item = instance.items[i];
    if (item.first > 0) break;
    if (item.last != instance.sections || !item.grid.holds(0)) continue;
    if (step < 0) step = common_step(instance);
    if (step == 0) break;
    if (item.size % step == 0) bottoms.push_back(i);
  }
  if (bottoms.size() == instance.items.size()) bottoms.pop_back();
  return bottoms;
}

/// Items of sections [first, last) as an instance: sections in which nothing arrives go, bytes are counted anew.
Instance cut_out(std::vector<Item> items, std::int32_t first, std::int32_t last, std::int64_t unit) {
  std::vector<std::int32_t> kept_before(static_cast<std::size_t>(last - first) + 1, 0);
  for (const Item& item : items) kept_before[static_cast<std::size_t>(item.first - first) + 1] = 1;
  std::partial_sum(kept_before.begin(), kept_before.end(), kept_before.begin());
  for (Item& item : items) {
    item.first = kept_before[static_cast<std::size_t>(item.first - first)];
    item.last = kept_before[static_cast<std::size_t>(item.last - first)];
    item.size *= unit;
    if (item.grid.step > 1) item.grid = {item.grid.step * unit, item.grid.phase * unit};
    if (item.is_fixed()) item.fixed *= unit;
  }
  return make_instance(std::move(items), kept_before.back());
}

/// What is left without some items, ascending, in the parts that do not meet.
std::vector<Instance> parts_without(const Instance& instance, const std::vector<std::size_t>& gone) {
  std::vector<Instance> parts;
  std::vector<Item> items;
  std::int32_t first = 0;
  std::int32_t last = 0;
  const auto close = [&] {
    if (!items.empty()) parts.push_back(cut_out(std::move(items), first, last, instance.unit));
    items = {};
  };
  auto next_gone = gone.begin();
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    if (next_gone != gone.end() && *next_gone == i) {
      ++next_gone;
      continue;
    }
    const Item& item = instance.items[i];
    if (items.empty() || item.first >= last) {
      close();
      first = item.first;
      last = item.last;
    }
    last = std::max(last, item.last);
    items.push_back(item);
  }
  close();
  return parts;
}

}  // namespace

Presolved presolve(Instance instance) {
  Presolved done;
  std::size_t work_left = std::max(kLeastWork, kWorkAnItem * instance.items.size());
  std::vector<Presolved::Piece> waiting;  // the earliest last
  waiting.push_back({std::move(instance), 0, {}});
  while (!waiting.empty()) {
    Presolved::Piece piece = std::move(waiting.back());
    waiting.pop_back();
    const std::vector<std::size_t> bottoms = bottoms_of(piece.instance);
    if (bottoms.empty() || piece.instance.items.size() > work_left) {
      done.pieces.push_back(std::move(piece));
      continue;
    }
    work_left -= piece.instance.items.size();
    for (const std::size_t i : bottoms) {
      const Item& item = piece.instance.items[i];
      done.settled.emplace_back(item.buffer, piece.base);
      piece.base += item.size * piece.instance.unit;
      piece.below.push_back(item.buffer);
    }
    std::vector<Instance> parts = parts_without(piece.instance, bottoms);
    const std::size_t copied = piece.below.size() * parts.size();
    work_left -= std::min(work_left, copied);
    for (std::size_t k = parts.size(); k-- > 0;) waiting.push_back({std::move(parts[k]), piece.base, piece.below});
  }
  return done;
}

}  // namespace stowage
