#include "core/allocators/idealloc/theorem_16.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/allocators/idealloc/corollary_15.h"

namespace stowage::idealloc {
namespace {

constexpr double kPhi = 0.6180339887498949;  // (sqrt 5 - 1) / 2: mu (1 + mu) < 1 below
constexpr double kLeastMu = 1e-3;            // below, buckets are countless; only by hand can it be so low
constexpr int kMostLevels = 64;
constexpr int kMostTrials = 100;

struct Sizes {
  std::int64_t smallest = kMaxInt64;
  std::int64_t largest = 0;
  double ratio() const { return static_cast<double>(largest) / static_cast<double>(smallest); }
};

Sizes sizes_of(const BoxTree& tree, const std::vector<ItemIndex>& items) {
  Sizes sizes;
  for (const ItemIndex i : items) {
    sizes.smallest = std::min(sizes.smallest, tree[i].size);
    sizes.largest = std::max(sizes.largest, tree[i].size);
  }
  return sizes;
}

double squared_log(double ratio) {
  const double log = std::log2(ratio);
  return log * log;
}

std::vector<ItemIndex> all_jobs(const BoxTree& tree) {
  std::vector<ItemIndex> items(tree.items.size());
  std::iota(items.begin(), items.end(), ItemIndex{0});
  return items;
}

std::int64_t in_bytes(const Instance& instance, double size) {
  return size < 0x1.0p62 ? instance.bytes(static_cast<std::int64_t>(size)) : kMaxInt64;
}

}  // namespace

EpsilonRange epsilon_range(const BoxTree& jobs) {
  const double ratio = sizes_of(jobs, all_jobs(jobs)).ratio();
  const double lg2r = squared_log(ratio);
  return {std::pow(std::pow(lg2r, 7) / ratio, 1.0 / 6), kPhi * lg2r};
}

Safety safety(const Instance& instance, const BoxTree& tree, const std::vector<ItemIndex>& items, double epsilon,
              const ByHand& by_hand) {
  const Sizes sizes = sizes_of(tree, items);
  const double lg2r = squared_log(sizes.ratio());
  Safety result;
  BoxingLevel& level = result.level;
  level.jobs = static_cast<std::uint32_t>(items.size());
  level.ratio = sizes.ratio();
  level.smallest = instance.bytes(sizes.smallest);
  level.largest = instance.bytes(sizes.largest);
  level.mu = lg2r > 0 ? std::max(kLeastMu, epsilon / lg2r) : std::numeric_limits<double>::infinity();
  if (by_hand.level_height) {
    result.height = static_cast<double>(*by_hand.level_height / instance.unit);
  } else if (lg2r > 0) {
    result.height = std::ceil(std::pow(level.mu, 5) * static_cast<double>(sizes.largest) / lg2r);
  }
  if (!(level.mu < kPhi)) return result;
  result.threshold = std::floor(level.mu * result.height);
  level.height = in_bytes(instance, result.height);
  level.threshold = in_bytes(instance, result.threshold);
  result.safe = result.threshold >= static_cast<double>(sizes.smallest);
  return result;
}

std::optional<Boxing> rogue(const Site& site, double epsilon, Choices& choices) {
  Boxing boxing;
  boxing.tree = site.instance.jobs;
  boxing.items = all_jobs(boxing.tree);
  boxing.report.space = site.instance.space;
  boxing.report.hardness = site.instance.hardness;
  if (site.instance.dummy) boxing.report.dummy = site.instance.bytes(site.instance.jobs.items.back().size);
  boxing.report.epsilon = epsilon;
  Recorder recorder = site.silent ? Recorder() : Recorder(site.instance, boxing.report);
  Workplace at{boxing.tree, choices, recorder, site.context};
  for (int round = 0; round < kMostLevels; ++round) {
    Safety now = safety(site.instance, boxing.tree, boxing.items, epsilon, site.by_hand);
    if (!now.safe) break;
    const auto large = std::stable_partition(boxing.items.begin(), boxing.items.end(), [&](ItemIndex i) {
      return static_cast<double>(boxing.tree[i].size) > now.threshold;
    });
    const std::vector<ItemIndex> small(large, boxing.items.end());
    boxing.items.erase(large, boxing.items.end());
    now.level.small = static_cast<std::uint32_t>(small.size());
    recorder.level(now.level);
    const std::vector<ItemIndex> boxes = box_jobs(at, small, now.height, now.level.mu);
    if (at.stopped) return std::nullopt;
    boxing.items.insert(boxing.items.end(), boxes.begin(), boxes.end());
  }
  return boxing;
}

std::optional<Boxing> best_start(const Site& site, Choices& choices) {
  if (site.by_hand.epsilon) return rogue(site, *site.by_hand.epsilon, choices);
  const EpsilonRange range = epsilon_range(site.instance.jobs);
  double epsilon = range.small;
  double least = std::numeric_limits<double>::infinity();
  std::optional<Boxing> best;
  int tries = 3;
  for (int trial = 0; trial < kMostTrials && tries > 0; ++trial) {
    std::optional<Boxing> boxing = rogue(site, epsilon, choices);
    if (!boxing) return std::nullopt;
    const double ratio = sizes_of(boxing->tree, boxing->items).ratio();
    if (ratio < least) {
      least = ratio;
      best = std::move(boxing);
      tries = 3;
    } else {
      --tries;
    }
    epsilon += 0.01 * (range.big - epsilon);
  }
  return best;
}

bool converge(const Site& site, Boxing& boxing, double epsilon, Choices& choices) {
  const Instance& instance = site.instance;
  BoxingLevel level = safety(instance, boxing.tree, boxing.items, epsilon, ByHand{}).level;
  if (level.mu > kPhi) level.mu = 0.99 * kPhi;
  level.converges = true;
  const double largest_job = static_cast<double>(sizes_of(instance.jobs, all_jobs(instance.jobs)).largest);
  // A box of an earlier round is hardly ever higher than every job; then it has to fit in.
  const double largest = std::max(largest_job, static_cast<double>(sizes_of(boxing.tree, boxing.items).largest));
  double height = largest / level.mu;
  if (site.by_hand.height) {
    const double by_hand = static_cast<double>(*site.by_hand.height / instance.unit);
    height = std::max(by_hand, largest * (1 + level.mu));  // the largest, rounded up, must fit
  }
  height = std::min(height, 0x1.0p52);
  level.height = in_bytes(instance, height);
  level.threshold = level.largest;
  level.small = level.jobs;
  boxing.report.mu = level.mu;
  Recorder recorder = site.silent ? Recorder() : Recorder(instance, boxing.report);
  recorder.level(level);
  Workplace at{boxing.tree, choices, recorder, site.context};
  boxing.items = box_jobs(at, boxing.items, height, level.mu);
  return !at.stopped;
}

}  // namespace stowage::idealloc
