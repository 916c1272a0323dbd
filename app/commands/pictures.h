#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "app/commands/outputs.h"
#include "core/base/result.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/document/document.h"

namespace stowage {

/// Where pictures go and how they look.
struct PictureFlags {
  std::string png, svg, pdf;  // paths; empty: not wanted
  std::string size = "1600x1000";
  float scale = 1;
  std::string theme = "dark";
  bool labels = true;

  bool wanted() const { return !png.empty() || !svg.empty() || !pdf.empty(); }
};

/// Adds --png, --svg, --pdf, --size, --scale and --theme; with `labels` also --labels.
void add_picture_options(CLI::App& command, PictureFlags& flags, bool labels);

/// The named theme.
const Theme& theme_of(const PictureFlags& flags);
/// The problem's name, else the file's.
std::string picture_title(const Document& document);

/// Logical pixels of "1600x1000"; a usage error for anything else.
struct PictureSize {
  float width = 0;
  float height = 0;
};
Result<PictureSize> parse_size(std::string_view text);

/// Announces the wanted files; a usage error for a wrong size.
Result<void> expect_pictures(const PictureFlags& flags, Outputs& outputs);

/// Paints the scene for each wanted file.
Result<void> add_pictures(const PictureFlags& flags, const Scene& scene, Outputs& outputs);

/// The figure of a plan (null: the load curve alone) in one space, or with all of them `stacked`, for each wanted file.
Result<void> add_plan_pictures(const PictureFlags& flags, const Document& document, const Plan* plan,
                               std::uint16_t space, Outputs& outputs, bool stacked = false);

}  // namespace stowage
