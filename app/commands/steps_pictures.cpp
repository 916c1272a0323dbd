#include "app/commands/steps_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/commands/frames.h"
#include "app/commands/lookup.h"
#include "core/chart/scene_append.h"

namespace stowage {
namespace {

constexpr std::size_t kMostFrames = 12;
constexpr float kGap = 8;          // logical pixels between frames
constexpr float kNarrowest = 360;  // a frame is no narrower than this, while there is another way
constexpr double kShape = 1.6;     // width of a frame to its height, as near as it gets

struct Sheet {
  std::size_t columns = 1;
  std::size_t rows = 1;
};

/// So many columns that frames are closest to the shape that reads well.
Sheet sheet_of(std::size_t frames, PictureSize size) {
  Sheet best;
  double nearest = 0;
  for (std::size_t columns = 1; columns <= frames; ++columns) {
    const std::size_t rows = (frames + columns - 1) / columns;
    const float width = size.width / static_cast<float>(columns);
    if (columns > 1 && width < kNarrowest) break;
    const double shape = static_cast<double>(width) / static_cast<double>(size.height / static_cast<float>(rows));
    const double off = std::abs(std::log(shape / kShape));
    if (columns == 1 || off < nearest) {
      best = Sheet{columns, rows};
      nearest = off;
    }
  }
  return best;
}

}  // namespace

Result<void> add_steps_pictures(const PictureFlags& pictures, const Document& document, const Candidate& run,
                                const StepLog& steps, Outputs& outputs) {
  const Result<PictureSize> size = parse_size(pictures.size);
  if (!size) return tl::unexpected(size.error());
  if (steps.truncated()) return fail(Error::Kind::kRefused, "--view steps: too many steps to keep");
  const std::vector<std::size_t> positions = spread_evenly(0, steps.steps().size(), kMostFrames);
  const Sheet layout = sheet_of(positions.size(), *size);
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
