#include "core/chart/figure.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/chart/figure_frame.h"
#include "core/model/space_metrics.h"

namespace stowage {

namespace {

constexpr std::size_t kFigureVectors = 20'000;  // sharp at any zoom of the reader; the file stays a few megabytes

using Fact = FigureFrame::Fact;

class Figure {
 public:
  Figure(const FigureInput& input, const Theme& theme, const TextMeasure& text_measure)
      : input_(input),
        problem_(*input.problem),
        theme_(theme),
        measure_(text_measure),
        facts_(input.metrics != nullptr ? *input.metrics : measure_spaces(problem_)[input.space]),
        frame_(input.width, input.height, input.scale, input.unit, theme, text_measure) {
    if (input.plan != nullptr && !input.partial) report_ = check_plan(problem_, *input.plan);
  }

  Scene draw() {
    const float top = frame_.header(input_.title, input_.subtitle, keys_of_kinds(problem_, input_.space, theme_));
    const float bottom = frame_.footer(facts());
    charts(frame_.areas(top, bottom, input_.plan != nullptr));
    return frame_.take();
  }

 private:
  std::vector<Fact> facts() const;
  void charts(const FigureFrame::Areas& areas);
  void plan_chart(const Viewport& view, std::int64_t makespan);

  const FigureInput& input_;
  const Problem& problem_;
  const Theme& theme_;
  const TextMeasure& measure_;
  ProblemMetrics facts_;
  CheckReport report_;
  FigureFrame frame_;
};

std::vector<Fact> Figure::facts() const {
  std::vector<Fact> facts = {frame_.bytes("load", facts_.load)};
  if (input_.plan == nullptr) {
    facts.push_back(Fact{{"no plan yet", theme_.warn, FontFace::kSemibold}});
  } else if (input_.partial) {
    std::size_t placed = 0;
    for (BufferIndex i = 0; i < problem_.size(); ++i) placed += input_.plan->offsets[i] != kNoOffset;
    facts.push_back(frame_.bytes("highest so far", makespan_of_space(problem_, *input_.plan, input_.space)));
    facts.push_back(frame_.words("placed", format_count(static_cast<std::int64_t>(placed))));
  } else {
    const PlanMetrics plan = measure_spaces(problem_, measure_spaces(problem_), *input_.plan)[input_.space];
    facts.push_back(frame_.bytes("makespan", plan.makespan));
    std::string overhead = overhead_text(plan.overhead);
    if (plan.optimal && report_.valid()) overhead += ", optimal";
    facts.push_back(frame_.words("overhead", std::move(overhead)));
    if (!report_.valid()) {
      facts.push_back(Fact{{"issues", theme_.dim, FontFace::kText},
                           {format_count(static_cast<std::int64_t>(report_.count)), theme_.bad, FontFace::kSemibold}});
    }
  }
  if (const auto capacity = problem_.capacity(input_.space)) facts.push_back(frame_.bytes("capacity", *capacity));
  facts.push_back(frame_.words("buffers", format_count(static_cast<std::int64_t>(problem_.size()))));
  return facts;
}

void Figure::charts(const FigureFrame::Areas& areas) {
  const bool has_plan = input_.plan != nullptr;
  const std::int64_t makespan = has_plan ? makespan_of_space(problem_, *input_.plan, input_.space) : 0;
  std::int64_t highest = makespan;
  const auto capacity = problem_.capacity(input_.space);
  if (capacity && static_cast<double>(*capacity) <= 1.5 * static_cast<double>(std::max(makespan, facts_.load))) {
    highest = std::max(highest, *capacity);
  }
  Viewport view = input_.view ? *input_.view : fit_all(facts_, highest, areas.chart);
  view.area = areas.chart;
  if (has_plan) plan_chart(view, makespan);
  frame_.load_chart(problem_, facts_, input_.space, areas.load, view);
}

void Figure::plan_chart(const Viewport& view, std::int64_t makespan) {
  if (view.area.width() < 20 || view.area.height() < 20) return;
  std::optional<ChartIndex> made;
  if (input_.index == nullptr) made.emplace(problem_, input_.space);
  const ChartIndex& index = made ? *made : *input_.index;
  PlanSceneInput chart;
  chart.problem = &problem_;
  chart.index = &index;
  chart.facts = &facts_;
  const std::vector<std::int64_t> chosen =
      problem_.needs().candidates ? offsets_in(problem_, *input_.plan, input_.space) : std::vector<std::int64_t>();
  chart.offsets = chosen.empty() ? &input_.plan->offsets : &chosen;
  chart.objects = input_.plan->objects ? &*input_.plan->objects : nullptr;
  chart.makespan = input_.partial ? 0 : makespan;
  chart.space = input_.space;
  chart.report = &report_;
  chart.selected = input_.selected;
  chart.labels = input_.labels;
  chart.unit = input_.unit;
  chart.address_style = input_.address_style;
  chart.crowd = kFigureVectors;
  chart.scale = frame_.scale();
  add_plan(frame_.scene(), chart, view, theme_, measure_);
  if (input_.marks == nullptr) return;
  StepMarks marks = *input_.marks;
  marks.problem = &problem_;
  marks.index = &index;
  marks.offsets = chart.offsets;
  marks.scale = frame_.scale();
  add_step_marks(frame_.scene(), marks, view, theme_);
}

}  // namespace

Scene make_figure(const FigureInput& input, const Theme& theme, const TextMeasure& measure) {
  return Figure(input, theme, measure).draw();
}

}  // namespace stowage
