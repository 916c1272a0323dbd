#include "app/commands/steps_pictures.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/commands/frames.h"
#include "app/commands/lookup.h"
#include "core/chart/scene_append.h"

namespace stowage {
namespace {

constexpr float kGap = 8;           // logical pixels between frames
constexpr float kFrameWidth = 480;  // a frame is at least so large: smaller ones have no room for the chart
constexpr float kFrameHeight = 420;

struct Sheet {
  std::size_t columns = 1;
  std::size_t rows = 1;
};

Sheet sheet_of(PictureSize size) {
  const auto many = [](float room, float one) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(room / one));
  };
  return Sheet{many(size.width, kFrameWidth), many(size.height, kFrameHeight)};
}

}  // namespace

Result<void> add_steps_pictures(const PictureFlags& pictures, const Document& document, const Candidate& run,
                                const StepLog& steps, Outputs& outputs) {
  const Result<PictureSize> size = parse_size(pictures.size);
  if (!size) return tl::unexpected(size.error());
  if (steps.truncated()) return fail(Error::Kind::kRefused, "--view steps: too many steps to keep");
  const Sheet layout = sheet_of(*size);
  const std::vector<std::size_t> positions = spread_evenly(0, steps.steps().size(), layout.columns * layout.rows);
  FrameLook look;
  look.title = picture_title(document);
  look.width = (size->width + kGap) / static_cast<float>(layout.columns) - kGap;
  look.height = (size->height + kGap) / static_cast<float>(layout.rows) - kGap;
  look.scale = pictures.scale;
  look.labels = pictures.labels;
  FrameArtist artist(*document.problem, run, steps, look, theme_of(pictures));
  Scene sheet;
  sheet.width = size->width;
  sheet.height = size->height;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    Result<Scene> frame = artist.frame(positions[k]);
    if (!frame) return tl::unexpected(frame.error());
    const auto column = static_cast<float>(k % layout.columns);
    const auto row = static_cast<float>(k / layout.columns);
    append_scene(sheet, std::move(*frame), Point{column * (look.width + kGap), row * (look.height + kGap)});
  }
  return add_pictures(pictures, sheet, outputs);
}

}  // namespace stowage
