#include "core/chart/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/label.h"
#include "core/chart/ticks.h"
#include "core/chart/transform.h"

namespace stowage {
namespace {

constexpr float kTitle = 21;
constexpr float kHead = 14;
constexpr float kSmall = 12;
constexpr float kMarker = 3.5F;
constexpr double kDecade = 10;

/// From a value to a share of an axis, from 0 to 1.
class Scale {
 public:
  Scale() = default;
  Scale(double low, double high, bool logarithmic) : logarithmic_(logarithmic) {
    low_ = logarithmic ? std::log2(low) : low;
    high_ = logarithmic ? std::log2(high) : high;
    if (high_ <= low_) high_ = low_ + 1;
  }
  double share(double value) const { return ((logarithmic_ ? std::log2(value) : value) - low_) / (high_ - low_); }

 private:
  double low_ = 0;
  double high_ = 1;
  bool logarithmic_ = false;
};

/// The smallest of 1, 2, 5 x 10^k that is at least x.
double round_up(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= x * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

class Curves {
 public:
  Curves(const CurvesInput& input, const Theme& theme, const TextMeasure& measure)
      : input_(input), theme_(theme), measure_(measure) {
    const float factor = std::min(input.width / 1600, input.height / 1000);
    zoom_ = factor > 1 ? std::sqrt(factor) : 1.0F;
    scene_.width = input.width / zoom_;
    scene_.height = input.height / zoom_;
    pad_ = scene_.width < 900 ? 16.0F : 28.0F;
    if (!input.places.empty()) {
      const bool logarithmic = input.logarithmic && input.places.front() > 0;
      along_ = Scale(input.places.front(), input.places.back(), logarithmic);
    }
  }

  Scene draw() {
    scene_.add(draw::Fill{{0, 0, scene_.width, scene_.height}, theme_.card, 0});
    const float room = scene_.width - 2 * pad_;
    text({pad_, pad_ - 6}, shortened(one_line(input_.title), room, kTitle, FontFace::kSemibold, measure_), theme_.text,
         kTitle, FontFace::kSemibold, TextAlign::kLeft);
    text({pad_, pad_ + 24}, shortened(one_line(input_.note), room, kSmall, FontFace::kText, measure_), theme_.dim,
         kSmall, FontFace::kText, TextAlign::kLeft);
    const float top = legend(pad_ + 52);
    if (input_.places.empty() || input_.curves.empty()) return zoomed(std::move(scene_), zoom_);
    const float gap = 2 * pad_;
    const float half = (room - gap) / 2;
    const float bottom = scene_.height - pad_;
    memory_panel({pad_, top, pad_ + half, bottom});
    work_panel({pad_ + half + gap, top, scene_.width - pad_, bottom});
    return zoomed(std::move(scene_), zoom_);
  }

 private:
  void text(Point at, std::string words, Color color, float size, FontFace face, TextAlign align) {
    if (!words.empty()) scene_.add(draw::Text{at, std::move(words), color, size, face, align, {}, false});
  }

  /// A curve is told by its colour and, from the ninth on, by its dashes no more: there are never so many.
  Color color(std::size_t curve) const { return theme_.border(curve); }

  float legend(float top) {
    float x = pad_;
    for (std::size_t c = 0; c < input_.curves.size(); ++c) {
      const std::string name =
          shortened(one_line(input_.curves[c].name), scene_.width / 3, kSmall, FontFace::kText, measure_);
      const float width = 26 + measure_.width(name, kSmall, FontFace::kText);
      if (x > pad_ && x + width > scene_.width - pad_) {
        x = pad_;
        top += 20;
      }
      scene_.add(draw::Line{{x, top + 8}, {x + 18, top + 8}, color(c), 2.5F, 0});
      marker({x + 9, top + 8}, c);
      text({x + 26, top}, name, theme_.text, kSmall, FontFace::kText, TextAlign::kLeft);
      x += width + 22;
    }
    return top + 34;
  }

  void marker(Point at, std::size_t curve) {
    const Rect rect{at.x - kMarker, at.y - kMarker, at.x + kMarker, at.y + kMarker};
    scene_.add(draw::Fill{rect, color(curve), kMarker});
    scene_.add(draw::Border{rect, theme_.card, 1, kMarker});
  }

  struct AxisMark {
    double share = 0;
    std::string label;
  };

  /// Heading, grid and the places along the axis; the area that is left for curves.
  Rect frame(Rect panel, const std::string& heading, const std::vector<AxisMark>& marks) {
    text({panel.left, panel.top}, heading, theme_.text, kHead, FontFace::kSemibold, TextAlign::kLeft);
    float labels = 0;
    for (const AxisMark& mark : marks) labels = std::max(labels, measure_.width(mark.label, kSmall, FontFace::kText));
    const Rect area{panel.left + labels + 10, panel.top + 34, panel.right - 14, panel.bottom - 44};
    for (const AxisMark& mark : marks) {
      const float y = area.bottom - static_cast<float>(mark.share) * area.height();
      scene_.add(draw::Line{{area.left, y}, {area.right, y}, theme_.grid, 1, 0});
      text({area.left - 8, y - 8}, mark.label, theme_.dim, kSmall, FontFace::kText, TextAlign::kRight);
    }
    float free_from = -1e9F;
    for (const double place : input_.places) {
      const float x = x_of(place, area);
      scene_.add(draw::Line{{x, area.bottom}, {x, area.bottom + 4}, theme_.dim, 1, 0});
      const std::string label = fmt::format("{:g}", place);
      const float half = measure_.width(label, kSmall, FontFace::kText) / 2;
      if (x - half < free_from) continue;
      text({x, area.bottom + 7}, label, theme_.dim, kSmall, FontFace::kText, TextAlign::kCenter);
      free_from = x + half + 8;
    }
    scene_.add(draw::Line{{area.left, area.bottom}, {area.right, area.bottom}, theme_.dim, 1, 0});
    text({(area.left + area.right) / 2, area.bottom + 26}, one_line(input_.axis), theme_.dim, kSmall, FontFace::kText,
         TextAlign::kCenter);
    return area;
  }

  float x_of(double place, const Rect& area) const {
    constexpr float kInset = 12;
    return area.left + kInset + static_cast<float>(along_.share(place)) * (area.width() - 2 * kInset);
  }

  template <typename Value>
  void curve(std::size_t c, const Rect& area, const Scale& scale, const std::vector<Value>& values) {
    draw::Polyline line;
    line.color = color(c);
    line.width = 2.5F;
    for (std::size_t i = 0; i < std::min(values.size(), input_.places.size()); ++i) {
      const double share = scale.share(static_cast<double>(values[i]));
      line.points.push_back({x_of(input_.places[i], area), area.bottom - static_cast<float>(share) * area.height()});
    }
    const std::vector<Point> points = line.points;
    scene_.add(std::move(line));
    for (const Point& point : points) marker(point, c);
  }

  void memory_panel(Rect panel) {
    std::int64_t low = kMost;
    std::int64_t high = 1;
    for (const CurvesInput::Curve& each : input_.curves) {
      for (const std::int64_t bytes : each.bytes) {
        low = std::min(low, std::max<std::int64_t>(1, bytes));
        high = std::max(high, bytes);
      }
    }
    const bool logarithmic = static_cast<double>(high) > kDecade * static_cast<double>(low);
    std::vector<AxisMark> marks;
    Scale scale;
    if (logarithmic) {
      const double bottom = std::exp2(std::floor(std::log2(static_cast<double>(low))));
      const double top = std::exp2(std::ceil(std::log2(static_cast<double>(high))));
      scale = Scale(bottom, top, true);
      const double step = std::max(1.0, std::ceil(std::log2(top / bottom) / 12));
      for (double bytes = bottom; bytes <= top * 1.001; bytes *= std::exp2(step)) {
        marks.push_back({scale.share(bytes), format_bytes(static_cast<std::int64_t>(bytes))});
      }
    } else {
      const auto ticks = byte_ticks(0, static_cast<double>(high) * 1.05, 10, AddressStyle::kUnits, ByteUnit::kAuto);
      scale = Scale(0, static_cast<double>(high) * 1.05, false);
      for (const Tick& tick : ticks) marks.push_back({scale.share(tick.value), tick.label});
    }
    const Rect area = frame(panel, logarithmic ? "Memory (each line twice the one below)" : "Memory", marks);
    for (std::size_t c = 0; c < input_.curves.size(); ++c) {
      std::vector<std::int64_t> bytes = input_.curves[c].bytes;
      for (std::int64_t& value : bytes) value = std::max<std::int64_t>(1, value);
      curve(c, area, scale, bytes);
    }
  }

  void work_panel(Rect panel) {
    double high = 0.05;
    for (const CurvesInput::Curve& each : input_.curves) {
      for (const double work : each.work) high = std::max(high, work);
    }
    const double step = round_up(high * 1.05 / 8);
    const double top = std::ceil(high * 1.05 / step) * step;
    const Scale scale(0, top, false);
    std::vector<AxisMark> marks;
    for (int i = 0; i * step <= top * 1.0001; ++i) {
      marks.push_back({scale.share(i * step), i == 0 ? std::string("0 %") : fmt::format("{:g} %", 100 * i * step)});
    }
    const Rect area = frame(panel, "Extra time", marks);
    for (std::size_t c = 0; c < input_.curves.size(); ++c) curve(c, area, scale, input_.curves[c].work);
  }

  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  const CurvesInput& input_;
  const Theme& theme_;
  const TextMeasure& measure_;
  Scene scene_;
  Scale along_;
  float zoom_ = 1;
  float pad_ = 28;
};

}  // namespace

Scene make_curves(const CurvesInput& input, const Theme& theme, const TextMeasure& measure) {
  return Curves(input, theme, measure).draw();
}

}  // namespace stowage
