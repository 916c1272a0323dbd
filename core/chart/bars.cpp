#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/chart/figure.h"
#include "core/chart/label.h"
#include "core/chart/transform.h"

namespace stowage {

namespace {

constexpr float kTitle = 21;
constexpr float kSmall = 12;
constexpr float kValue = 11;
constexpr float kWideBar = 30;    // its value stands above it, written across
constexpr float kNarrowBar = 15;  // narrower ones are written as a table
constexpr std::size_t kMostGrouped = 16;

std::string written(double ratio) {
  return fmt::format("{:.3f}", ratio);
}

/// The colour of a column; from the ninth on colours repeat and are hatched.
bool repeats(std::size_t column) {
  return column >= 8;
}

class Bars {
 public:
  Bars(const BarsInput& input, const Theme& theme, const TextMeasure& measure)
      : input_(input), theme_(theme), measure_(measure) {
    const float factor = std::min(input.width / 1600, input.height / 1000);
    zoom_ = factor > 1 ? std::sqrt(factor) : 1.0F;
    scene_.width = input.width / zoom_;
    scene_.height = input.height / zoom_;
    pad_ = scene_.width < 900 ? 14.0F : 24.0F;
    for (const std::vector<double>& row : input.ratios) {
      for (const double ratio : row) {
        if (std::isfinite(ratio)) highest_ = std::max(highest_, ratio);
      }
    }
  }

  Scene draw() {
    scene_.add(draw::Fill{{0, 0, scene_.width, scene_.height}, theme_.card, 0});
    float top = pad_;
    const std::string title =
        shortened(one_line(input_.title), scene_.width - 2 * pad_, kTitle, FontFace::kSemibold, measure_);
    if (!title.empty()) {
      text({pad_, top - 4}, title, theme_.text, kTitle, FontFace::kSemibold, TextAlign::kLeft);
      top += 28;
    }
    text({pad_, top}, "makespan / load: 1 is the lower bound, shorter is better", theme_.dim, kSmall, FontFace::kText,
         TextAlign::kLeft);
    top += 26;
    const bool any = !input_.rows.empty() && !input_.columns.empty();
    if (any && bar_width() >= kNarrowBar && columns() <= kMostGrouped) {
      grouped(legend(top));
    } else if (any && columns() > kMostGrouped && columns() > rows()) {
      list(top);
    } else if (any) {
      table(top);
    }
    return zoomed(std::move(scene_), zoom_);
  }

 private:
  std::size_t rows() const { return input_.rows.size(); }
  std::size_t columns() const { return input_.columns.size(); }
  double ratio(std::size_t row, std::size_t column) const {
    const bool there = row < input_.ratios.size() && column < input_.ratios[row].size();
    return there ? input_.ratios[row][column] : std::nan("");
  }
  double best_of(std::size_t row) const {
    double best = std::nan("");
    for (std::size_t c = 0; c < columns(); ++c) {
      const double value = ratio(row, c);
      if (std::isfinite(value) && !(best <= value)) best = value;
    }
    return best;
  }
  /// Where lying bars end at the latest: no reuse at all would flatten all others.
  double list_top() const { return std::min(highest_, 2.0); }
  float bar_end(double value, float longest) const {
    const double share = std::clamp((value - 1) / std::max(1e-9, list_top() - 1), 0.0, 1.0);
    return std::max(2.0F, longest * static_cast<float>(share));
  }
  float group_width() const {
    return (scene_.width - 2 * pad_ - 52) / static_cast<float>(std::max<std::size_t>(1, rows()));
  }
  float bar_width() const {
    return std::min(64.0F, group_width() * 0.84F / static_cast<float>(std::max<std::size_t>(1, columns())));
  }
  void text(Point at, std::string words, Color color, float size, FontFace face, TextAlign align,
            bool vertical = false) {
    scene_.add(draw::Text{at, std::move(words), color, size, face, align, {}, vertical});
  }
  void swatch(Rect rect, std::size_t column, float radius) {
    scene_.add(draw::Fill{rect, theme_.fill(column), radius});
    if (repeats(column)) scene_.add(draw::Hatch{rect, theme_.border(column), 6});
    scene_.add(draw::Border{rect, theme_.border(column), 1, radius});
  }

  float legend(float top);
  void grouped(float top);
  void group(std::size_t row, Rect area, double axis_top);
  void table(float top);
  void list(float top);
  void lying_bar(std::size_t row, std::size_t column, Rect rect);
  void cell(std::size_t row, std::size_t column, Rect rect);

  const BarsInput& input_;
  const Theme& theme_;
  const TextMeasure& measure_;
  Scene scene_;
  float zoom_ = 1;
  float pad_ = 24;
  double highest_ = 1;
};

float Bars::legend(float top) {
  float x = pad_;
  for (std::size_t c = 0; c < columns(); ++c) {
    const std::string name =
        shortened(one_line(input_.columns[c]), scene_.width / 3, kSmall, FontFace::kText, measure_);
    const float width = 16 + measure_.width(name, kSmall, FontFace::kText);
    if (x > pad_ && x + width > scene_.width - pad_) {
      x = pad_;
      top += 20;
    }
    swatch(Rect{x, top + 3, x + 10, top + 13}, c, 3);
    text({x + 16, top}, name, theme_.dim, kSmall, FontFace::kText, TextAlign::kLeft);
    x += width + 18;
  }
  return top + 30;
}

/// A round step of the ratio axis with at most about eight lines.
double axis_step(double span) {
  const double raw = span / 8;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= raw) return digit * power;
  }
  return 10 * power;
}

void Bars::grouped(float top) {
  const double step = axis_step(std::max(0.02, (highest_ - 1) * 1.02));
  const double axis_top = 1 + step * std::ceil((std::max(0.02, highest_ - 1) * 1.0001) / step);
  const float value_room = bar_width() >= kWideBar ? 20.0F : 40.0F;
  const Rect area{pad_ + 52, top + value_room, scene_.width - pad_, scene_.height - pad_ - 26};
  if (area.height() < 20) return table(top);
  const int decimals = std::max(1, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  for (int i = 0; 1 + i * step <= axis_top + step / 2; ++i) {
    const double value = 1 + i * step;
    const float y = std::round(area.bottom - area.height() * static_cast<float>((value - 1) / (axis_top - 1)));
    scene_.add(draw::Line{{area.left, y}, {area.right, y}, i == 0 ? theme_.dim : theme_.grid, 1, 0});
    text({area.left - 8, y - 7}, fmt::format("{:.{}f}", value, decimals), theme_.dim, kValue, FontFace::kText,
         TextAlign::kRight);
  }
  for (std::size_t row = 0; row < rows(); ++row) {
    const float left = area.left + group_width() * static_cast<float>(row);
    group(row, Rect{left, area.top, left + group_width(), area.bottom}, axis_top);
  }
}

void Bars::group(std::size_t row, Rect area, double axis_top) {
  const float width = bar_width();
  const float left = (area.left + area.right - width * static_cast<float>(columns())) / 2;
  const double best = best_of(row);
  for (std::size_t c = 0; c < columns(); ++c) {
    const double value = ratio(row, c);
    const float x = std::round(left + width * static_cast<float>(c));
    const float right = std::round(left + width * static_cast<float>(c + 1)) - 2;
    const float middle = (x + right) / 2;
    if (!std::isfinite(value)) {
      text({middle, area.bottom - 16}, "–", theme_.dim, kValue, FontFace::kText, TextAlign::kCenter);
      continue;
    }
    const double share = std::clamp((value - 1) / (axis_top - 1), 0.0, 1.0);
    const float y = std::round(area.bottom - area.height() * static_cast<float>(share));
    // A bar of no height still shows that there is a result.
    const Rect bar{x, std::min(y, area.bottom - 3), right, area.bottom};
    swatch(bar, c, 2);
    const bool wins = value <= best;
    const Color ink = wins ? theme_.text : theme_.dim;
    const FontFace face = wins ? FontFace::kSemibold : FontFace::kText;
    if (width >= measure_.width(written(value), kValue, FontFace::kSemibold) + 3) {
      text({middle, bar.top - 17}, written(value), ink, kValue, face, TextAlign::kCenter);
    } else {
      text({middle - 7, bar.top - 4}, written(value), ink, kValue, face, TextAlign::kLeft, true);
    }
  }
  const std::string name = shortened(one_line(input_.rows[row]), area.width() - 8, kSmall, FontFace::kText, measure_);
  text({(area.left + area.right) / 2, area.bottom + 9}, name, theme_.text, kSmall, FontFace::kText, TextAlign::kCenter);
}

/// Many files and allocators: one small bar with its number in each cell of a table.
void Bars::table(float top) {
  float names = 0;
  for (const std::string& row : input_.rows)
    names = std::max(names, measure_.width(one_line(row), kSmall, FontFace::kText));
  names = std::min(names, scene_.width * 0.2F);
  const Rect area{pad_ + names + 12, top, scene_.width - pad_, scene_.height - pad_};
  const float width = area.width() / static_cast<float>(columns());
  float heads = 0;
  for (const std::string& column : input_.columns) {
    heads = std::max(heads, measure_.width(one_line(column), kSmall, FontFace::kText));
  }
  const bool upright = heads + 8 > width;
  const float head = upright ? std::min(heads, area.height() * 0.3F) + 10 : 24;
  for (std::size_t c = 0; c < columns(); ++c) {
    const float x = area.left + width * static_cast<float>(c);
    const std::string name =
        shortened(one_line(input_.columns[c]), upright ? head - 8 : width - 6, kSmall, FontFace::kText, measure_);
    if (upright) {
      text({x + width / 2 - 7, top + head - 6}, name, theme_.dim, kSmall, FontFace::kText, TextAlign::kLeft, true);
    } else {
      text({x + width / 2, top + 2}, name, theme_.dim, kSmall, FontFace::kText, TextAlign::kCenter);
    }
  }
  const float height = std::min(46.0F, (area.height() - head) / static_cast<float>(rows()));
  for (std::size_t r = 0; r < rows(); ++r) {
    const float y = top + head + height * static_cast<float>(r);
    const std::string name = shortened(one_line(input_.rows[r]), names, kSmall, FontFace::kText, measure_);
    text({area.left - 10, y + height / 2 - 7.5F}, name, theme_.text, kSmall, FontFace::kText, TextAlign::kRight);
    for (std::size_t c = 0; c < columns(); ++c) {
      const float x = area.left + width * static_cast<float>(c);
      cell(r, c, Rect{x + 1, y + 1, x + width - 1, y + height - 1});
    }
  }
}

/// Many allocators: a line for each, with a lying bar and its number for each file.
void Bars::list(float top) {
  const float size = std::clamp((scene_.height - top - pad_ - 24) / static_cast<float>(columns()) * 0.7F, 7.0F, kSmall);
  const auto widest = [&](const std::vector<std::string>& names) {
    float width = 0;
    for (const std::string& name : names)
      width = std::max(width, measure_.width(one_line(name), size, FontFace::kText));
    return width;
  };
  const float names = std::min(widest(input_.columns), scene_.width * 0.25F);
  const Rect area{pad_ + names + 12, top + 24, scene_.width - pad_, scene_.height - pad_};
  const float width = area.width() / static_cast<float>(rows());
  const float height = std::min(30.0F, area.height() / static_cast<float>(columns()));
  for (std::size_t r = 0; r < rows(); ++r) {
    const float x = area.left + width * static_cast<float>(r);
    text({x + 2, top + 2}, shortened(one_line(input_.rows[r]), width - 8, kSmall, FontFace::kText, measure_),
         theme_.text, kSmall, FontFace::kText, TextAlign::kLeft);
  }
  for (std::size_t c = 0; c < columns(); ++c) {
    const float y = area.top + height * static_cast<float>(c);
    const std::string name = shortened(one_line(input_.columns[c]), names, size, FontFace::kText, measure_);
    text({area.left - 10, y + height / 2 - size * 0.62F}, name, theme_.text, size, FontFace::kText, TextAlign::kRight);
    for (std::size_t r = 0; r < rows(); ++r) {
      const float x = area.left + width * static_cast<float>(r);
      lying_bar(r, c, Rect{x + 1, y + 1, x + width - 7, y + height - 1});
    }
  }
}

/// From 1 at the left on, with the number behind it; a bar that is cut is hatched.
void Bars::lying_bar(std::size_t row, std::size_t column, Rect rect) {
  const double value = ratio(row, column);
  const bool there = std::isfinite(value);
  const bool wins = there && value <= best_of(row);
  const float size = std::clamp(rect.height() * 0.75F, 7.0F, kValue);
  const float room = measure_.width("00.000", size, FontFace::kSemibold) + 4;
  const float longest = std::max(0.0F, rect.width() - room);
  if (there && longest > 4) {
    const Rect bar{rect.left, rect.top, rect.left + bar_end(value, longest), rect.bottom};
    scene_.add(draw::Fill{bar, wins ? theme_.good : theme_.accent, 2});
    if (value > list_top()) scene_.add(draw::Hatch{bar, theme_.card, 6});
  }
  const float left = rect.left + (there && longest > 4 ? bar_end(value, longest) : 0) + 4;
  text({left, (rect.top + rect.bottom) / 2 - size * 0.62F}, there ? written(value) : "–",
       wins    ? theme_.good
       : there ? theme_.text
               : theme_.dim,
       size, wins ? FontFace::kSemibold : FontFace::kText, TextAlign::kLeft);
}

void Bars::cell(std::size_t row, std::size_t column, Rect rect) {
  scene_.add(draw::Fill{rect, theme_.raised, 3});
  const double value = ratio(row, column);
  const bool there = std::isfinite(value);
  const bool wins = there && value <= best_of(row);
  if (there) {
    const double span = std::max(1e-9, highest_ - 1);
    const float share = static_cast<float>(std::clamp((value - 1) / span, 0.0, 1.0));
    const float bar = std::min(4.0F, rect.height() / 5);
    const Rect filled{rect.left + 3, rect.bottom - bar - 2, rect.left + 3 + std::max(2.0F, (rect.width() - 6) * share),
                      rect.bottom - 2};
    scene_.add(draw::Fill{filled, wins ? theme_.good : theme_.accent, 1});
  }
  float size = kValue;
  std::string words = there ? written(value) : "–";
  while (size > 8 && measure_.width(words, size, FontFace::kSemibold) > rect.width() - 2) size -= 0.5F;
  if (there && measure_.width(words, size, FontFace::kSemibold) > rect.width()) words = fmt::format("{:.2f}", value);
  text({(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2 - size * 0.75F - 1}, words,
       wins    ? theme_.good
       : there ? theme_.text
               : theme_.dim,
       size, wins ? FontFace::kSemibold : FontFace::kText, TextAlign::kCenter);
}

}  // namespace

Scene make_bars(const BarsInput& input, const Theme& theme, const TextMeasure& measure) {
  return Bars(input, theme, measure).draw();
}

}  // namespace stowage
