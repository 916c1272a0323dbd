#include "ui/compared_side.h"

#include <utility>

#include <fmt/format.h>

#include "ui/pipeline_results.h"

namespace stowage {
namespace {

using State = Workbench::State;
using Entry = History<std::shared_ptr<Snapshot>>::Entry;

constexpr std::string_view kEntryKey =
    "\x01"
    "entry ";

/// The entry's place in the row; nothing when it was forgotten.
std::optional<std::size_t> place_of_entry(const State& state, std::uint64_t id) {
  const auto& history = state.editing.history;
  for (std::size_t k = 0; k < history.size(); ++k) {
    if (history[k].id == id) return k;
  }
  return std::nullopt;
}

bool has_plan(const Entry& entry) {
  return entry.snapshot && (*entry.snapshot)->document.find_plan((*entry.snapshot)->shown_plan) != nullptr;
}

}  // namespace

std::string entry_key(std::uint64_t entry) {
  return fmt::format("{}{}", kEntryKey, entry);
}

std::uint64_t entry_of_key(const std::string& key) {
  if (key.rfind(kEntryKey, 0) != 0) return 0;
  const auto number = parse_int(std::string_view(key).substr(kEntryKey.size()));
  return number ? static_cast<std::uint64_t>(*number) : 0;
}

std::optional<ComparedSide> side_of_key(const State& state, const std::string& key) {
  ComparedSide side;
  side.key = key;
  if (const std::uint64_t id = entry_of_key(key); id != 0) {
    const auto place = place_of_entry(state, id);
    if (!place || !has_plan(state.editing.history[*place])) return std::nullopt;
    const Snapshot& past = **state.editing.history[*place].snapshot;
    const auto facts = past.plan_facts.find(past.shown_plan);
    side.problem = past.document.problem;
    side.plan = past.document.find_plan(past.shown_plan);
    side.facts = facts != past.plan_facts.end() ? &facts->second : nullptr;
    side.analysis = &past.analysis;
    side.past = true;
    return side;
  }
  if (const ComparedPoint* point = compared_point(state, key)) {
    side.problem = point->made.document.problem;
    side.plan = &point->plan();
    side.facts = &point->made.plan_facts.at(side.plan->id);
    side.analysis = &point->made.analysis;
    side.past = true;
    return side;
  }
  side.plan = state.document.find_plan(key);
  if (side.plan == nullptr) return std::nullopt;
  side.problem = state.document.problem;
  side.facts = state.facts_of(key);
  side.analysis = &state.analysis;
  return side;
}

std::string title_of_side(const State& state, const std::string& key) {
  const std::uint64_t id = entry_of_key(key);
  if (id == 0) {
    const ComparedPoint* point = compared_point(state, key);
    return point != nullptr ? title_of(point->point) : State::title_of_plan(key);
  }
  const auto place = place_of_entry(state, id);
  if (!place) return "Forgotten entry";
  const bool ahead = *place > state.editing.history.position();
  return fmt::format("{}: {}", ahead ? "Undone" : "Earlier", printable_utf8(state.editing.history[*place].label));
}

std::vector<std::string> comparable_keys(const State& state, std::size_t most_entries) {
  std::vector<std::string> keys = state.ranked_plans();
  for (std::string& point : compared_points(state)) keys.push_back(std::move(point));
  const auto& history = state.editing.history;
  const std::size_t all = keys.size() + most_entries;
  for (std::size_t away = 1; away < history.size() && keys.size() < all; ++away) {
    const std::size_t here = history.position();
    if (away <= here && has_plan(history[here - away])) keys.push_back(entry_key(history[here - away].id));
    if (here + away < history.size() && has_plan(history[here + away]) && keys.size() < all) {
      keys.push_back(entry_key(history[here + away].id));
    }
  }
  return keys;
}

std::string neighbouring_entry(const State& state, const std::string& key, int step) {
  const auto& history = state.editing.history;
  const std::uint64_t id = entry_of_key(key);
  const auto from = id != 0 ? place_of_entry(state, id) : std::nullopt;
  auto at = static_cast<std::ptrdiff_t>(from.value_or(history.position())) + step;
  for (; at >= 0 && at < static_cast<std::ptrdiff_t>(history.size()); at += step) {
    const Entry& entry = history[static_cast<std::size_t>(at)];
    if (has_plan(entry)) return entry_key(entry.id);
  }
  return {};
}

const std::vector<std::int64_t>& offsets_of_side(const ComparedSide& side, std::uint16_t space) {
  return side.facts != nullptr && space < side.facts->offsets.size() ? side.facts->offsets[space] : side.plan->offsets;
}

}  // namespace stowage
