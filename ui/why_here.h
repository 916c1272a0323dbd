#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/explain/why.h"
#include "core/tasks/background.h"
#include "ui/workbench.h"

namespace stowage {

/// Why the selected buffer lies where it lies in the shown plan; looked for while its panel is shown.
struct WhyView {
  std::optional<WhyHere> here;
  std::string unknown;      // why there is no answer
  int shown_in_frame = -2;  // of Dear ImGui: when the panel was drawn last

  // What `here` was made for.
  BufferIndex buffer = kNoBuffer;
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  Background<Result<WhyHere>> work;

  bool panel_shown() const;
};

/// The answer for the selected buffer, when it is there.
const WhyHere* why_here(const Workbench::State& state);

}  // namespace stowage
