#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/document/changes.h"
#include "core/tasks/background.h"
#include "ui/workbench.h"

namespace stowage {

/// An entry of the history beside the present.
struct ComparedEntry {
  std::uint64_t entry = 0;  // its id; 0: nothing is compared
  std::string label;
  std::int64_t load = 0;
  std::int64_t makespan = 0;
  std::shared_ptr<const Problem> problem;  // of the entry
  std::optional<Changes> changes;          // from the entry to the present; nothing while they are looked for

  // What `changes` was made for.
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  Background<Changes> work;
};

/// What the history panel has last scrolled to.
struct HistoryScroll {
  std::uint64_t present = 0;
};

/// Compares the present with an entry, by its number; with none when it is compared already.
void compare_with_entry(Workbench::State& state, std::size_t entry);
void stop_comparing(Workbench::State& state);

}  // namespace stowage
