#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/state.h"

namespace stowage {

/// A plan with the problem that it is for: one of the open document, the shown one of an entry of its history, or that
/// of a point of its pipeline. Valid until the document changes.
struct ComparedSide {
  std::string key;  // the plan's id, entry_key(), or the key of a ComparedPoint
  std::shared_ptr<const Problem> problem;
  const Plan* plan = nullptr;
  const PlanFacts* facts = nullptr;  // may be null
  const Analysis* analysis = nullptr;
  bool past = false;  // of an entry or a point: the problem is not the present one
};

/// The key of an entry of the history, by the number that it keeps; no plan's id begins like it.
std::string entry_key(std::uint64_t entry);
/// The number of the entry that the key names; 0 when it names a plan.
std::uint64_t entry_of_key(const std::string& key);

/// Nothing when there is no such plan, or when the entry was forgotten, holds no plan, or is the present.
std::optional<ComparedSide> side_of_key(const Workbench::State& state, const std::string& key);
/// "Best fit", "Before: Size of conv1".
std::string title_of_side(const Workbench::State& state, const std::string& key);
/// Everything that a plan can be compared with: plans by their rank, the points of the pipeline that were asked for,
/// then entries of the history, the nearest first, at most `most_entries` of them.
std::vector<std::string> comparable_keys(const Workbench::State& state, std::size_t most_entries = 40);
/// The entry before (`step` -1) or after the one that the key names, among those with a plan; from the present when it
/// names none. Empty when there is none.
std::string neighbouring_entry(const Workbench::State& state, const std::string& key, int step);

/// The offsets that are drawn in a space.
const std::vector<std::int64_t>& offsets_of_side(const ComparedSide& side, std::uint16_t space);

}  // namespace stowage
