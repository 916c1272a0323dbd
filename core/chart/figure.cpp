#include "core/chart/figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/label.h"
#include "core/chart/load_scene.h"
#include "core/chart/transform.h"
#include "core/model/load_curve.h"
#include "core/model/space_metrics.h"

namespace stowage {

namespace {

constexpr float kTitle = 21;
constexpr float kSubtitle = 13;
constexpr float kSmall = 12;
constexpr float kLegendGap = 16;
constexpr float kSwatch = 10;
constexpr std::size_t kFigureVectors = 20'000;  // sharp at any zoom of the reader; the file stays a few megabytes

/// One word or number of the line below the chart.
struct Part {
  std::string text;
  Color color;
  FontFace face = FontFace::kText;
};
using Fact = std::vector<Part>;

class Figure {
 public:
  Figure(const FigureInput& input, const Theme& theme, const TextMeasure& text_measure)
      : input_(input),
        problem_(*input.problem),
        theme_(theme),
        measure_(text_measure),
        facts_(measure_spaces(problem_)[input.space]) {
    if (input.plan != nullptr) report_ = check_plan(problem_, *input.plan);
    const float factor = std::min(input.width / 1600, input.height / 1000);
    zoom_ = factor > 1 ? std::sqrt(factor) : 1.0F;
    scene_.width = input.width / zoom_;
    scene_.height = input.height / zoom_;
    scale_ = input.scale * zoom_;
    pad_ = scene_.width < 900 || scene_.height < 560 ? 14.0F : 24.0F;
  }

  Scene draw() {
    scene_.add(draw::Fill{{0, 0, scene_.width, scene_.height}, theme_.card, 0});
    const float top = header();
    const float bottom = footer();
    charts(top, bottom);
    return zoomed(std::move(scene_), zoom_);
  }

 private:
  float width_of(const std::string& text, float size, FontFace face) const { return measure_.width(text, size, face); }
  void text(Point at, std::string words, Color color, float size, FontFace face, TextAlign align = TextAlign::kLeft) {
    scene_.add(draw::Text{at, std::move(words), color, size, face, align, {}, false});
  }

  float header();
  float legend(float top, float left);
  std::vector<std::uint16_t> kinds_in_use() const;
  float footer();
  std::vector<Fact> footer_facts() const;
  float fact_width(const Fact& fact) const;
  void charts(float top, float bottom);
  void plan_chart(Rect area, std::int64_t makespan);
  void load_chart(Rect area, const Viewport& times);

  const FigureInput& input_;
  const Problem& problem_;
  const Theme& theme_;
  const TextMeasure& measure_;
  ProblemMetrics facts_;
  CheckReport report_;
  Scene scene_;
  float zoom_ = 1;
  float scale_ = 1;
  float pad_ = 24;
  Viewport shown_;
};

/// Title and subtitle on one line, the legend to the right of them or below; returns where the chart may begin.
float Figure::header() {
  const float room = scene_.width - 2 * pad_;
  const std::string title = shortened(one_line(input_.title), room, kTitle, FontFace::kSemibold, measure_);
  float right = pad_;
  if (!title.empty()) {
    text({pad_, pad_ - 4}, title, theme_.text, kTitle, FontFace::kSemibold);
    right += width_of(title, kTitle, FontFace::kSemibold) + 14;
  }
  const std::string subtitle =
      shortened(one_line(input_.subtitle), scene_.width - pad_ - right, kSubtitle, FontFace::kText, measure_);
  if (!subtitle.empty()) {
    text({right, pad_ + 4}, subtitle, theme_.dim, kSubtitle, FontFace::kText);
    right += width_of(subtitle, kSubtitle, FontFace::kText) + 30;
  }
  const bool has_line = !title.empty() || !subtitle.empty();
  return legend(has_line ? pad_ + 4 : pad_, has_line ? right : pad_) + 8;
}

std::vector<std::uint16_t> Figure::kinds_in_use() const {
  if (problem_.kinds().size() <= 1) return {};
  std::vector<std::size_t> counts(problem_.kinds().size());
  for (const Buffer& buffer : problem_.buffers()) {
    if (buffer.space == input_.space) ++counts[buffer.kind];
  }
  std::vector<std::uint16_t> kinds;
  for (std::size_t k = 1; k < counts.size(); ++k) {
    if (counts[k] > 0) kinds.push_back(static_cast<std::uint16_t>(k));
  }
  if (counts[0] > 0 && !kinds.empty()) kinds.push_back(0);
  return kinds;
}

/// Right-aligned beside the title when it fits there, else in at most two rows below; what is left is counted.
float Figure::legend(float top, float left) {
  const float below_title = top + 24;
  std::vector<std::uint16_t> kinds = kinds_in_use();
  if (kinds.empty()) return below_title;
  std::vector<std::string> names;
  std::vector<float> widths;
  float total = 0;
  for (const std::uint16_t kind : kinds) {
    names.push_back(kind == 0 ? "other"
                              : shortened(one_line(problem_.kinds()[kind]), 150, kSmall, FontFace::kText, measure_));
    widths.push_back(kSwatch + 6 + width_of(names.back(), kSmall, FontFace::kText) + kLegendGap);
    total += widths.back();
  }
  const float right = scene_.width - pad_;
  const bool beside = left + total - kLegendGap <= right;
  float x = beside ? right - total + kLegendGap : pad_;
  float y = beside ? top : below_title;
  int row = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const bool last = k + 1 == kinds.size();
    const float reserve = last ? 0 : 70;  // for "+12 more"
    if (x > pad_ && x + widths[k] - kLegendGap + (row == 1 ? reserve : 0) > right + 0.5F) {
      if (row == 1) {
        text({x, y}, fmt::format("+{} more", kinds.size() - k), theme_.dim, kSmall, FontFace::kText);
        break;
      }
      ++row;
      x = pad_;
      y += 20;
    }
    const std::size_t category = category_of_kind(problem_, kinds[k]);
    const Rect swatch{x, y + 3, x + kSwatch, y + 3 + kSwatch};
    scene_.add(draw::Fill{swatch, theme_.fill(category), 3});
    scene_.add(draw::Border{swatch, theme_.border(category), 1, 3});
    text({x + kSwatch + 6, y}, names[k], theme_.dim, kSmall, FontFace::kText);
    x += widths[k];
  }
  return std::max(below_title, y + 22);
}

float Figure::fact_width(const Fact& fact) const {
  float width = 0;
  for (const Part& part : fact) width += width_of(part.text, kSmall, part.face) + 6;
  return width;
}

std::vector<Fact> Figure::footer_facts() const {
  const auto bytes = [&](const char* name, std::int64_t value) {
    Fact fact = {Part{name, theme_.dim, FontFace::kText},
                 Part{format_bytes(value, input_.unit), theme_.text, FontFace::kSemibold}};
    if (format_exact_bytes(value) != fact[1].text) {
      fact.push_back(Part{format_exact_bytes(value), theme_.dim, FontFace::kText});
    }
    return fact;
  };
  const auto words = [&](const char* name, std::string value) {
    return Fact{Part{name, theme_.dim, FontFace::kText}, Part{std::move(value), theme_.text, FontFace::kSemibold}};
  };
  std::vector<Fact> facts = {bytes("load", facts_.load)};
  if (input_.plan != nullptr) {
    const PlanMetrics plan = measure_spaces(problem_, measure_spaces(problem_), *input_.plan)[input_.space];
    facts.push_back(bytes("makespan", plan.makespan));
    std::string overhead = overhead_text(plan.overhead);
    if (plan.optimal && report_.valid()) overhead += ", optimal";
    facts.push_back(words("overhead", std::move(overhead)));
    if (!report_.valid()) {
      facts.push_back(
          Fact{Part{"issues", theme_.dim, FontFace::kText},
               Part{format_count(static_cast<std::int64_t>(report_.count)), theme_.bad, FontFace::kSemibold}});
    }
  } else {
    facts.push_back(Fact{Part{"no plan yet", theme_.warn, FontFace::kSemibold}});
  }
  if (const auto capacity = problem_.capacity(input_.space)) facts.push_back(bytes("capacity", *capacity));
  facts.push_back(words("buffers", format_count(static_cast<std::int64_t>(problem_.size()))));
  return facts;
}

/// The facts in as many rows as they need; returns where the chart must end.
float Figure::footer() {
  constexpr float kRow = 20;
  constexpr float kBetween = 26;
  std::vector<Fact> facts = footer_facts();
  const float right = scene_.width - pad_;
  std::vector<std::pair<std::size_t, float>> places;  // row, x
  std::size_t row = 0;
  float x = pad_;
  for (const Fact& fact : facts) {
    const float width = fact_width(fact);
    if (x > pad_ && x + width - 6 > right) {
      ++row;
      x = pad_;
    }
    places.emplace_back(row, x);
    x += width - 6 + kBetween;
  }
  const float top = scene_.height - pad_ + 6 - kRow * static_cast<float>(row + 1);
  for (std::size_t k = 0; k < facts.size(); ++k) {
    Point at{places[k].second, top + kRow * static_cast<float>(places[k].first)};
    for (const Part& part : facts[k]) {
      text(at, part.text, part.color, kSmall, part.face);
      at.x += width_of(part.text, kSmall, part.face) + 6;
    }
  }
  return top - 8;
}

void Figure::charts(float top, float bottom) {
  const Margins margins = chart_margins();
  const bool has_plan = input_.plan != nullptr;
  const float left = snapped(pad_ + margins.left - 8, scale_);
  const float right = snapped(scene_.width - pad_ - margins.right + 8, scale_);
  const float load_bottom = snapped(bottom - 22, scale_);
  const float load_height = has_plan ? std::clamp((bottom - top) * 0.17F, 44.0F, 150.0F) : load_bottom - top - 10;
  const float load_top = snapped(load_bottom - load_height, scale_);
  const float plan_bottom = snapped(load_top - margins.bottom - 8, scale_);
  const std::int64_t makespan = has_plan ? makespan_of_space(problem_, *input_.plan, input_.space) : 0;
  const Rect area{left, snapped(top + 4, scale_), right, plan_bottom};
  std::int64_t highest = makespan;
  const auto capacity = problem_.capacity(input_.space);
  if (capacity && static_cast<double>(*capacity) <= 1.5 * static_cast<double>(std::max(makespan, facts_.load))) {
    highest = std::max(highest, *capacity);
  }
  shown_ = input_.view ? *input_.view : fit_all(facts_, highest, area);
  shown_.area = area;
  if (has_plan) plan_chart(area, makespan);
  load_chart(Rect{left, load_top, right, load_bottom}, shown_);
}

void Figure::plan_chart(Rect area, std::int64_t makespan) {
  if (area.width() < 20 || area.height() < 20) return;
  const ChartIndex index(problem_, input_.space);
  PlanSceneInput chart;
  chart.problem = &problem_;
  chart.index = &index;
  chart.facts = &facts_;
  const std::vector<std::int64_t> chosen =
      problem_.needs().candidates ? offsets_in(problem_, *input_.plan, input_.space) : std::vector<std::int64_t>();
  chart.offsets = chosen.empty() ? &input_.plan->offsets : &chosen;
  chart.objects = input_.plan->objects ? &*input_.plan->objects : nullptr;
  chart.makespan = makespan;
  chart.space = input_.space;
  chart.report = &report_;
  chart.labels = input_.labels;
  chart.unit = input_.unit;
  chart.address_style = input_.address_style;
  chart.crowd = kFigureVectors;
  chart.scale = scale_;
  shown_.area = area;
  add_plan(scene_, chart, shown_, theme_, measure_);
}

void Figure::load_chart(Rect area, const Viewport& times) {
  if (area.width() < 20 || area.height() < 20) return;
  const std::vector<LoadPoint> curve = load_curve(problem_, input_.space);
  LoadSceneInput load;
  load.curve = curve;
  load.facts = &facts_;
  load.unit = input_.unit;
  load.time_unit = problem_.time_unit();
  load.scale = scale_;
  Viewport view = times;
  view.area = area;
  view.byte_origin = 0;
  view.byte_low = 0;
  view.byte_high = static_cast<double>(std::max<std::int64_t>(facts_.load, 1)) * 1.12;
  add_load(scene_, load, view, theme_, measure_);
  const char* title = "load";
  const float width = width_of(title, 11.5F, FontFace::kText);
  scene_.add(draw::Text{{area.left - chart_margins().left + 4, (area.top + area.bottom + width) / 2},
                        title,
                        theme_.dim,
                        11.5F,
                        FontFace::kText,
                        TextAlign::kLeft,
                        {},
                        true});
}

}  // namespace

Scene make_figure(const FigureInput& input, const Theme& theme, const TextMeasure& measure) {
  return Figure(input, theme, measure).draw();
}

}  // namespace stowage
