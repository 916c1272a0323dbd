#include "core/search/large_fit.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/search/core_first.h"
#include "core/search/item_order.h"
#include "core/search/window_repair.h"

namespace stowage {
namespace {

constexpr HardFit::Rule kFirst = HardFit::Rule::kFirst;
constexpr HardFit::Rule kBest = HardFit::Rule::kBest;

/// While few of all buffers live at once, the fullest stretches are small problems.
constexpr std::array<LargeFit::Attempt, 8> kFewLive = {{
    {"BS", kFirst, 0.93, 0},
    {"BS", kFirst, 0.90, 0},
    {"BS", kFirst, 0, 0},
    {"Z", kFirst, 0.97, 0},
    {"BS", kFirst, 0.97, 0},
    {"TW", kFirst, 0, 1},
    {"BS", kFirst, 0.85, 0},
    {"BS", kBest, 0.93, 0},
}};
constexpr std::array<LargeFit::Attempt, 9> kManyLive = {{
    {"TW", kFirst, 0.93, 0},
    {"TW", kFirst, 0, 1},
    {"TZ", kFirst, 0, 3},
    {"Z", kFirst, 0.97, 0},
    {"TW", kBest, 0.97, 0},
    {"Z", kFirst, 0, 1},
    {"TZ", kFirst, 0.995, 0},
    {"TZ", kBest, 0, 1},
    {"Z", kFirst, 0.999, 0},
}};

constexpr std::size_t kRepairable = 200;

}  // namespace

LargeFit::LargeFit(const Instance& instance, std::uint64_t seed, EnginePart without)
    : instance_(instance),
      fit_(instance),
      seed_(seed),
      without_(without),
      random_(seed),
      in_core_(instance.items.size(), false) {}

bool LargeFit::attempt(std::size_t number, std::int64_t capacity, std::int64_t looks, const RunContext& context) {
  const std::span<const Attempt> attempts =
      fit_.many_live() ? std::span<const Attempt>(kManyLive) : std::span<const Attempt>(kFewLive);
  const Attempt& attempt = attempts[number % attempts.size()];
  std::vector<std::uint32_t> order = item_order(instance_, attempt.order);
  if (number >= attempts.size()) shake(order);
  return try_order(std::move(order), attempt, seed_ + number, capacity, looks, context);
}

bool LargeFit::attempt(const Attempt& attempt, std::int64_t capacity, std::int64_t looks, const RunContext& context) {
  return try_order(item_order(instance_, attempt.order), attempt, seed_, capacity, looks, context);
}

bool LargeFit::try_order(std::vector<std::uint32_t> order, const Attempt& attempt, std::uint64_t seed,
                         std::int64_t capacity, std::int64_t looks, const RunContext& context) {
  in_core_.assign(instance_.items.size(), false);
  std::vector<std::pair<std::uint32_t, std::int64_t>> core;
  if (attempt.core > 0 && without_ != EnginePart::kCore) {
    core = solve_core(instance_, capacity, attempt.core, seed, attempt.nodes, context);
  }
  const int greases = without_ == EnginePart::kGrease ? 0 : attempt.greases;
  for (int k = 0;; ++k) {
    fit_.clear();
    for (const auto& [item, offset] : core) {
      if (instance_.items[item].is_fixed()) continue;
      in_core_[item] = fit_.is_free(item, offset);  // outside its stretch it may meet a pin, or one of another stretch
      if (in_core_[item]) fit_.put(item, offset);
    }
    if (pass(order, capacity, attempt.rule, context)) return true;
    if (context.should_stop() || k == greases) break;
    order = greased(order);
  }
  if (failed_.size() > kRepairable || looks <= 0 || context.should_stop()) return false;
  if (without_ == EnginePart::kRepair) return false;
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) ranks[order[k]] = k;
  WindowRepair repair(instance_, fit_, capacity, std::move(ranks), std::move(failed_), in_core_, random_.next());
  const bool done = repair.go_on(looks, context);
  failed_ = repair.failed();
  looks_of_solving_ += repair.looks_of_solving();
  return done;
}

void LargeFit::loose(std::string_view order, const RunContext& context) {
  fit_.clear();
  pass(item_order(instance_, order), instance_.limit(), kFirst, context);
}

bool LargeFit::pass(const std::vector<std::uint32_t>& order, std::int64_t capacity, HardFit::Rule rule,
                    const RunContext& context) {
  constexpr std::size_t kAhead = 8;
  failed_.clear();
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k + kAhead < order.size()) fit_.prefetch(order[k + kAhead]);
    // After a stop the rest has no place, and complete() finds one above.
    const bool late = k % 1024 == 0 && context.should_stop();
    if (late) {
      for (; k < order.size(); ++k) {
        if (!fit_.is_placed(order[k])) failed_.push_back(order[k]);
      }
      break;
    }
    if (!fit_.is_placed(order[k]) && !fit_.place(order[k], capacity, rule)) failed_.push_back(order[k]);
  }
  return failed_.empty();
}

/// What failed at random places further in front.
std::vector<std::uint32_t> LargeFit::greased(const std::vector<std::uint32_t>& order) {
  std::vector<double> key(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) key[order[k]] = static_cast<double>(k);
  for (const std::uint32_t i : failed_) key[i] *= random_.unit();
  std::vector<std::uint32_t> next = order;
  std::sort(next.begin(), next.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
  return next;
}

/// Every item a little out of its place, now and then a lot.
void LargeFit::shake(std::vector<std::uint32_t>& order) {
  const double loudness = 0.3 * random_.unit() * random_.unit();
  std::vector<double> key(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    key[order[k]] = static_cast<double>(k) * (1 + loudness * (random_.unit() - 0.5));
  }
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
}

tl::expected<std::vector<std::int64_t>, std::uint32_t> LargeFit::complete() {
  for (const std::uint32_t i : failed_) {
    const std::optional<std::int64_t> place = fit_.find(i, instance_.limit(), HardFit::Rule::kFirst);
    if (!place) return tl::unexpected(i);
    fit_.put(i, *place);
  }
  failed_.clear();
  return fit_.offsets();
}

}  // namespace stowage
