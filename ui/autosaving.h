#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/io/autosave.h"
#include "core/tasks/background.h"
#include "ui/loading.h"
#include "ui/workbench.h"

namespace stowage {

/// Unsaved work is written beside the settings when it is quiet after a change, at the latest after some seconds, and
/// offered when a program left it behind.
struct Autosaving {
  static constexpr double kQuiet = 2;     // seconds after a change
  static constexpr double kLongest = 10;  // without it being quiet
  static constexpr double kAgain = 5;     // after a write that failed

  using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // entry, problem, plan

  std::shared_ptr<Autosave> store;  // made at the first frame
  Background<Result<void>> writing;
  std::optional<Key> kept;  // what the file holds or is being given; nothing: there is no file
  Key changing{0, 0, 0};
  double changed_at = 0;
  std::optional<double> unkept_since;  // the first change that is not in the file
  std::optional<double> failed_at;     // the last write, when it failed; what was kept before is still there

  Background<std::vector<LeftWork>> looking;
  std::vector<LeftWork> left;  // offered
  std::optional<LeftWork> opening;
  Background<Result<LoadedFile>> reading;
};

/// Nobody wants the unsaved work any more: the program is about to end.
void end_autosaving(Workbench::State& state);
/// Opens work that was left behind; it stays unsaved.
void recover(Workbench::State& state, const LeftWork& work);
void discard_left(Workbench::State& state, const LeftWork& work);

}  // namespace stowage
