#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/chart/theme.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// What the colour of a rectangle says.
enum class ColourBy { kKind, kSize, kLifetime, kSpace, kProducer, kRow, kMoved, kWaste, kStorage };

struct ColourChoice {
  ColourBy by = ColourBy::kKind;
  std::string_view id;     // "size"
  std::string_view title;  // "Size"
};
/// In the order of menus.
std::span<const ColourChoice> colour_choices();

/// One class of a colouring, as the legend shows it.
struct ColourClass {
  std::string title;
  std::string query;  // finds its buffers in the find box; empty when no query can: a name with quotes in it
};

/// Which of at most kMost classes each buffer is in. Ordered classes are steps of one quantity and get a ramp of one
/// hue; others get the categories of the palette.
struct Colouring {
  static constexpr std::size_t kMost = 8;
  ColourBy by = ColourBy::kKind;
  bool ordered = false;
  std::vector<std::uint8_t> classes;  // by buffer
  std::vector<ColourClass> legend;    // by class; only those that exist
};

/// What colours may depend on besides the problem.
struct ColouringInput {
  const Problem* problem = nullptr;
  const std::vector<std::int64_t>* offsets = nullptr;   // of the shown plan; may be empty
  const Objects* objects = nullptr;                     // of the shown plan; may be null
  const std::vector<std::int64_t>* compared = nullptr;  // of the plan it is compared with; null: none
  ByteUnit unit = ByteUnit::kAuto;
};

/// kSize, kLifetime and kWaste cut the range of values into classes by powers of two; kWaste is the free bytes right
/// below a buffer during its whole life; kStorage gives buffers that share their lowest address, or their shared
/// object, one colour; kMoved tells same, up, down and placed here only. O(n log n).
Colouring colour_by(ColourBy by, const ColouringInput& input);

/// Free bytes right below each placed buffer: how far it could slide down alone; -1 where nothing is placed.
std::vector<std::int64_t> free_below(const Problem& problem, const std::vector<std::int64_t>& offsets);

/// By buffer: another one has its lowest address, or its shared object, as well. `objects` may be null.
std::vector<bool> sharing_storage(std::size_t buffers, const std::vector<std::int64_t>& offsets,
                                  const Objects* objects);

/// A set of colours for categories. `hatched` ones draw a pattern over each class but the first as well, so that colour
/// is never the only sign.
struct Palette {
  std::string_view id;
  std::string_view title;
  std::array<Color, 8> categories;
  bool hatched = false;
};
/// The first is the theme's own.
std::span<const Palette> palettes();
Theme with_palette(Theme theme, const Palette& palette);
/// Categories as a ramp of the accent colour, from little to much.
Theme with_ramp(Theme theme);

}  // namespace stowage
