#include "core/allocators/xla_order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {
namespace {

struct Named {
  XlaStrategy strategy = XlaStrategy::kSpatial;
  std::string_view name;
};
constexpr std::array<Named, 10> kNames = {{
    {XlaStrategy::kSpatial, "spatial"},
    {XlaStrategy::kTemporal, "temporal"},
    {XlaStrategy::kSpatialTemporal, "spatial-temporal"},
    {XlaStrategy::kFastMerge, "fast-merge"},
    {XlaStrategy::kPhaseWindow, "phase-window"},
    {XlaStrategy::kPhaseWindowEnd, "phase-window-end"},
    {XlaStrategy::kFastSplit, "fast-split"},
    {XlaStrategy::kGiven, "given"},
    {XlaStrategy::kPhaseWindow, "start"},
    {XlaStrategy::kPhaseWindowEnd, "end"},
}};

/// How long any member of the unit lives; overlapping lifetimes count once.
Int128 time_in_use(const Problem& problem, const Unit& unit) {
  std::vector<std::pair<std::int64_t, std::int64_t>> lives;
  for (const Body::Member& member : unit.members) {
    const Buffer& buffer = problem[member.buffer];
    if (buffer.takes_memory()) lives.emplace_back(buffer.start, buffer.end);
  }
  std::sort(lives.begin(), lives.end());
  Int128 length = 0;
  std::int64_t until = kMinInt64;
  for (const auto& life : lives) {
    const std::int64_t from = std::max(until, life.first);
    if (life.second > from) length += Int128{life.second} - from;
    until = std::max(until, life.second);
  }
  return length;
}

/// Compared in turn, less first.
using Key = std::array<Int128, 2>;

Key key_of(const Problem& problem, XlaStrategy strategy, const Unit& unit) {
  const Buffer& leader = problem[unit.leader];
  const Int128 size = leader.size;
  switch (strategy) {
    case XlaStrategy::kSpatial:
    case XlaStrategy::kFastSplit:
      return {-size, Int128{leader.start} - leader.end};
    case XlaStrategy::kTemporal:
      return {Int128{unit.start} - unit.end, -size};
    case XlaStrategy::kSpatialTemporal:
      return {-unit.extent * time_in_use(problem, unit), 0};
    case XlaStrategy::kFastMerge:
    case XlaStrategy::kPhaseWindow:
      return {unit.start, -size};
    case XlaStrategy::kPhaseWindowEnd:
      return {unit.end, -size};
    case XlaStrategy::kGiven:
      break;
  }
  return {0, 0};
}

}  // namespace

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const Named& named : kNames) names.emplace_back(named.name);
  return names;
}

std::string_view name_of(XlaStrategy strategy) {
  for (const Named& named : kNames) {
    if (named.strategy == strategy) return named.name;
  }
  return "";
}

std::optional<XlaStrategy> strategy_named(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.strategy;
  }
  return std::nullopt;
}

std::vector<Unit> units_led_by_the_first_live(const Problem& problem) {
  std::vector<Unit> units = units_of(problem);
  for (Unit& unit : units) {
    for (const Body::Member& member : unit.members) {
      const Buffer& buffer = problem[member.buffer];
      if (buffer.takes_memory() && buffer.start < problem[unit.leader].start) unit.leader = member.buffer;
    }
  }
  return units;
}

void sort_units(const Problem& problem, XlaStrategy strategy, std::vector<const Unit*>& units) {
  struct Keyed {
    Key key;
    const Unit* unit = nullptr;
  };
  std::vector<Keyed> keyed;
  for (const Unit* unit : units) keyed.push_back(Keyed{key_of(problem, strategy, *unit), unit});
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.unit->leader < b.unit->leader;
  });
  for (std::size_t k = 0; k < units.size(); ++k) units[k] = keyed[k].unit;
}

}  // namespace stowage
