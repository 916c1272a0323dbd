#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/problem.h"
#include "ui/workbench.h"

namespace stowage {

/// Rectangles that an edit has moved glide to their places.
struct Easing {
  static constexpr double kSeconds = 0.15;
  std::shared_ptr<const std::vector<std::int64_t>> drawn;  // null: everything is where it belongs
  std::vector<std::int64_t> from;
  double since = 0;

  // What was shown last, to see what has changed.
  std::shared_ptr<const Problem> problem;
  std::vector<std::int64_t> offsets;  // as drawn
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::uint64_t history = 0;  // the id of its first entry: another one is another document
  std::uint16_t space = 0;
  std::string plan;
};

/// Settings keep it under this name in `layout`: 0 off, everything jumps.
inline constexpr const char* kEasingSetting = "easing";
bool easing_wanted(const Workbench::State& state);
/// Nothing but gliding decides what is drawn: it is the shown plan.
bool shows_plan_itself(const Workbench::State& state);

}  // namespace stowage
