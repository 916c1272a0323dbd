#include "core/chart/pool_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/label.h"
#include "core/chart/load_scene.h"
#include "core/chart/plan_scene.h"

namespace stowage {
namespace {

using Fact = FigureFrame::Fact;
using Key = FigureFrame::Key;

class PoolFigure {
 public:
  PoolFigure(const PoolFigureInput& input, const Theme& theme, const TextMeasure& measure)
      : input_(input),
        theme_(theme),
        measure_(measure),
        places_(places_of(*input.trace, input.axis)),
        frame_(input.width, input.height, input.scale, input.unit, theme, measure) {}

  Scene draw() {
    const bool one = input_.runs.size() == 1;
    const float top = frame_.header(input_.title, one ? input_.runs.front()->pool : "pools and plans", keys(one));
    const float bottom = frame_.footer(one ? facts_of(*input_.runs.front()) : facts());
    if (one) {
      single(frame_.areas(top, bottom, true));
    } else {
      grid(top, bottom);
    }
    return frame_.take();
  }

 private:
  std::vector<Key> keys(bool one) const {
    std::vector<Key> keys = {{"segment", theme_.text, theme_.text, Key::Kind::kOutline},
                             {"block", theme_.fill(0), theme_.border(0), Key::Kind::kFilled}};
    bool slack = false, waiting = false, failed = false;
    for (const PoolRun* run : input_.runs) {
      failed = failed || !run->failures.empty();
      for (const PoolPoint& point : run->points) {
        slack = slack || point.internal_fragmentation() > 0;
        waiting = waiting || point.waiting > 0;
      }
    }
    if (slack) keys.push_back({"slack in a block", theme_.border(0), theme_.border(0), Key::Kind::kHatched});
    if (waiting) keys.push_back({"freed, waiting", theme_.dim, theme_.dim, Key::Kind::kHatched});
    if (failed) keys.push_back({"no memory", theme_.bad, theme_.bad, Key::Kind::kDashes});
    if (one) {
      keys.push_back({"reserved", theme_.warn, theme_.warn, Key::Kind::kFilled});
      keys.push_back({"allocated", theme_.accent, theme_.accent, Key::Kind::kFilled});
      keys.push_back({"requested", theme_.good, theme_.good, Key::Kind::kFilled});
    }
    return keys;
  }

  Fact failures_fact(const PoolRun& run) const {
    return Fact{{"failures", theme_.dim, FontFace::kText},
                {format_count(static_cast<std::int64_t>(run.failures.size())), theme_.bad, FontFace::kSemibold}};
  }

  std::vector<Fact> facts_of(const PoolRun& run) const {
    const PoolPeaks peaks = run.peaks();
    std::vector<Fact> facts = {frame_.bytes("reserved at most", peaks.reserved),
                               frame_.bytes("allocated at most", peaks.allocated),
                               frame_.bytes("requested at most", peaks.requested)};
    const std::uint32_t calls = run.points.empty() ? 0 : run.points.back().device_allocations;
    facts.push_back(frame_.words("device allocations", format_count(calls)));
    if (run.capacity) facts.push_back(frame_.bytes("capacity", *run.capacity));
    if (!run.failures.empty()) facts.push_back(failures_fact(run));
    return facts;
  }

  std::vector<Fact> facts() const {
    std::int64_t requested = 0;
    for (const PoolRun* run : input_.runs) requested = std::max(requested, run->peaks().requested);
    return {frame_.bytes("requested at most", requested),
            frame_.words("allocations", format_count(static_cast<std::int64_t>(input_.trace->allocations().size()))),
            frame_.words("events", format_count(static_cast<std::int64_t>(input_.trace->events().size())))};
  }

  std::string time_unit() const { return input_.axis == TraceAxis::kTime ? input_.trace->time_unit : "event"; }

  Viewport view(std::int64_t height, const Rect& area) const {
    ProblemMetrics all;
    all.horizon_low = places_.front();
    all.horizon_high = places_.back();
    return fit_all(all, height, area);
  }

  void chart(const PoolRun& run, const Viewport& view, bool labels) {
    if (view.area.width() < 20 || view.area.height() < 20) return;
    PoolSceneInput scene;
    scene.run = &run;
    scene.trace = input_.trace;
    scene.places = &places_;
    scene.time_unit = time_unit();
    scene.labels = labels;
    scene.unit = input_.unit;
    scene.scale = frame_.scale();
    add_pool(frame_.scene(), scene, view, theme_, measure_);
  }

  void single(const FigureFrame::Areas& areas) {
    const PoolRun& run = *input_.runs.front();
    const Viewport shown = view(shown_height(run), areas.chart);
    chart(run, shown, input_.labels);
    curves(run, shown, areas.load);
  }

  std::vector<LoadPoint> curve_of(const PoolRun& run, std::int64_t PoolPoint::*bytes) const {
    std::vector<LoadPoint> curve;
    curve.reserve(run.points.size());
    for (std::size_t e = 0; e < run.points.size(); ++e) curve.push_back(LoadPoint{places_[e], run.points[e].*bytes});
    return curve;
  }

  void line(const PoolRun& run, std::int64_t PoolPoint::*bytes, Color color, const Viewport& view) {
    std::vector<Point> points = step_line(curve_of(run, bytes), view);
    if (points.size() > 1) frame_.scene().add(draw::Polyline{std::move(points), color, 1.5F, false, {}, 0});
  }

  void curves(const PoolRun& run, const Viewport& times, const Rect& area) {
    if (area.width() < 20 || area.height() < 20) return;
    Viewport view = times;
    view.area = area;
    view.byte_origin = 0;
    view.byte_low = 0;
    const PoolPeaks peaks = run.peaks();
    const std::int64_t highest = std::min(peaks.reserved, std::max<std::int64_t>(1, peaks.allocated) * 3);
    view.byte_high = static_cast<double>(std::max<std::int64_t>(highest, 1)) * 1.12;
    const std::vector<LoadPoint> allocated = curve_of(run, &PoolPoint::allocated);
    LoadSceneInput load;
    load.curve = allocated;
    load.unit = input_.unit;
    load.time_unit = time_unit();
    load.scale = frame_.scale();
    add_load(frame_.scene(), load, view, theme_, measure_);
    frame_.scene().add(draw::PushClip{area});
    line(run, &PoolPoint::requested, theme_.good, view);
    line(run, &PoolPoint::reserved, theme_.warn, view);
    frame_.scene().add(draw::PopClip{});
    frame_.side_title("bytes", area);
  }

  /// Of all charts but those that would make the others flat.
  std::int64_t common_height() const {
    constexpr std::int64_t kMostTimes = 4;
    std::int64_t least = kMaxInt64;
    for (const PoolRun* run : input_.runs) least = std::min(least, shown_height(*run));
    std::int64_t common = least;
    for (const PoolRun* run : input_.runs) {
      const std::int64_t height = shown_height(*run);
      if (height / kMostTimes <= least) common = std::max(common, height);
    }
    return common;
  }

  void grid(float top, float bottom) {
    constexpr float kCaption = 20;
    const auto count = input_.runs.size();
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    const std::size_t rows = (count + columns - 1) / columns;
    const Margins margins = chart_margins();
    const FigureFrame::Areas whole = frame_.areas(top, bottom, false);
    const float left = whole.load.left - margins.left;
    const float width = (whole.load.right - left + margins.right) / static_cast<float>(columns);
    const float height = (bottom - top + 10) / static_cast<float>(rows);
    const std::int64_t height_of_most = common_height();
    for (std::size_t k = 0; k < count; ++k) {
      const float x = left + width * static_cast<float>(k % columns);
      const float y = top + height * static_cast<float>(k / columns);
      const PoolRun& run = *input_.runs[k];
      const Rect area{x + margins.left, y + kCaption, x + width - margins.right, y + height - margins.bottom};
      if (area.width() < 20 || area.height() < 20) continue;
      const std::int64_t own = shown_height(run);
      chart(run, view(std::max(own, height_of_most), area), input_.labels && columns < 3);
      caption(run, own > height_of_most, Rect{area.left, y, area.right, y + kCaption});
    }
  }

  void caption(const PoolRun& run, bool own_scale, const Rect& area) {
    const PoolPeaks peaks = run.peaks();
    const std::uint32_t calls = run.points.empty() ? 0 : run.points.back().device_allocations;
    float x = area.left;
    const auto add = [&](const std::string& words, Color color, FontFace face) {
      const std::string fitting = shortened(words, area.right - x, 12, face, measure_);
      frame_.scene().add(draw::Text{{x, area.top}, fitting, color, 12, face, TextAlign::kLeft, {}, false});
      x += measure_.width(fitting, 12, face) + 8;
    };
    add(run.pool, theme_.text, FontFace::kSemibold);
    if (!run.failures.empty()) {
      add(fmt::format("{} failed", run.failures.size()), theme_.bad, FontFace::kSemibold);
    }
    add(fmt::format("reserved {}, {} from the device", format_bytes(peaks.reserved, input_.unit),
                    calls == 1 ? std::string("once") : fmt::format("{} times", format_count(calls))),
        theme_.dim, FontFace::kText);
    if (own_scale) add("own scale", theme_.warn, FontFace::kText);
  }

  const PoolFigureInput& input_;
  const Theme& theme_;
  const TextMeasure& measure_;
  std::vector<std::int64_t> places_;
  FigureFrame frame_;
};

}  // namespace

Scene make_pool_figure(const PoolFigureInput& input, const Theme& theme, const TextMeasure& measure) {
  return PoolFigure(input, theme, measure).draw();
}

}  // namespace stowage
