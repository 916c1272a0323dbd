#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/steps/step.h"

namespace stowage {

/// What the picture of a run shows, and when.
struct RunViewFlags {
  std::string view = "chart";           // or boxes
  std::optional<std::int64_t> at_step;  // after so many steps; else at the end
};

/// Adds --view and --at-step.
void add_run_view_options(CLI::App& command, RunViewFlags& flags);

/// A usage error when the options do not go together; `allocator` is its id, or empty.
Result<void> check_run_view(const RunViewFlags& flags, const PictureFlags& pictures, const std::string& allocator);
/// A usage error when this allocator builds no boxes, or none is named.
Result<void> check_boxes(const std::string& allocator);

/// The wanted pictures of a run in one space; `steps` are only needed with --at-step. Errors: usage (there are not so
/// many steps), refused (this run has made no boxes, or too many steps for a replay).
Result<void> add_run_pictures(const PictureFlags& pictures, const RunViewFlags& flags, const Document& document,
                              const Candidate& run, const StepLog& steps, std::uint16_t space, Outputs& outputs);

}  // namespace stowage
