#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/model/metrics.h"
#include "core/model/problem.h"

namespace stowage {

struct Colouring;

/// What surrounds the chart of every picture: title, legend, load curve, and a line of facts.
class FigureFrame {
 public:
  struct Key {
    enum class Kind { kFilled, kOutline, kDashes, kHatched };
    std::string name;
    Color color;
    Color border;
    Kind kind = Kind::kFilled;
    std::optional<std::size_t> pattern = std::nullopt;  // that of this class over the fill
  };
  struct Part {
    std::string text;
    Color color;
    FontFace face = FontFace::kText;
  };
  using Fact = std::vector<Part>;
  /// The chart, and the load curve below it with the same times.
  struct Areas {
    Rect chart;
    Rect load;
  };

  /// Logical pixels; larger pictures have larger letters.
  FigureFrame(float width, float height, float scale, ByteUnit unit, const Theme& theme, const TextMeasure& measure);

  /// Title and subtitle on one line, the legend to the right of them or below; returns where the chart may begin.
  float header(const std::string& title, const std::string& subtitle, std::vector<Key> keys);
  /// The facts in as many rows as they need; returns where the chart must end.
  float footer(const std::vector<Fact>& facts);
  /// Without a chart the load curve gets all there is.
  Areas areas(float top, float bottom, bool has_chart) const;
  void load_chart(const Problem& problem, const ProblemMetrics& facts, std::uint16_t space, Rect area,
                  const Viewport& times);

  /// Upwards, left of an area's labels.
  void side_title(const std::string& title, const Rect& area);

  /// "load 1 MiB 1,048,576 B".
  Fact bytes(std::string_view name, std::int64_t value) const;
  Fact words(std::string_view name, std::string value) const;

  Scene& scene() { return scene_; }
  float margin() const { return pad_; }   // pixels that stay free on every side
  float scale() const { return scale_; }  // device pixels per pixel of the scene
  Scene take();

 private:
  float width_of(const std::string& text, float size, FontFace face) const { return measure_.width(text, size, face); }
  void text(Point at, std::string words, Color color, float size, FontFace face);
  float legend(float top, float left, const std::vector<Key>& keys);
  void mark(Point at, const Key& key);
  float fact_width(const Fact& fact) const;

  const Theme& theme_;
  const TextMeasure& measure_;
  ByteUnit unit_;
  Scene scene_;
  float zoom_ = 1;
  float scale_ = 1;
  float pad_ = 24;
};

/// A swatch for each kind of buffer in a space; none in a problem without kinds. `hatched`: with the patterns of
/// classes.
std::vector<FigureFrame::Key> keys_of_kinds(const Problem& problem, std::uint16_t space, const Theme& theme,
                                            bool hatched = false);
/// A swatch for each class of a colouring.
std::vector<FigureFrame::Key> keys_of_classes(const Colouring& colouring, const Theme& theme, bool hatched);

}  // namespace stowage
