#include "core/chart/figure.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/chart/figure_frame.h"
#include "core/chart/lanes.h"
#include "core/chart/spaces_scene.h"
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
    const float top = frame_.header(input_.title, input_.subtitle, keys());
    const float bottom = frame_.footer(facts());
    charts(frame_.areas(top, bottom, input_.plan != nullptr));
    return frame_.take();
  }

 private:
  std::vector<FigureFrame::Key> keys() const;
  std::vector<Fact> facts() const;
  void charts(const FigureFrame::Areas& areas);
  Viewport view_of(Rect area, const SpacePlan& plan) const;
  PlanSceneInput chart_input(const SpacePlan& plan, std::uint16_t space) const;
  void one_space(Rect area, const SpacePlan& plan);
  void all_spaces(Rect area, const std::vector<SpacePlan>& plans);

  const FigureInput& input_;
  const Problem& problem_;
  const Theme& theme_;
  const TextMeasure& measure_;
  ProblemMetrics facts_;
  CheckReport report_;
  FigureFrame frame_;
};

std::vector<FigureFrame::Key> Figure::keys() const {
  if (input_.colouring != nullptr) return keys_of_classes(*input_.colouring, theme_, input_.hatched);
  return keys_of_kinds(problem_, input_.space, theme_, input_.hatched);
}

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
  if (input_.plan == nullptr) {
    frame_.load_chart(problem_, facts_, input_.space, areas.load, view_of(areas.chart, {}));
    return;
  }
  const std::size_t count = input_.stacked ? problem_.spaces().size() : std::size_t{input_.space} + 1;
  const std::size_t first = input_.stacked ? 0 : input_.space;
  const std::vector<ProblemMetrics> facts =
      input_.stacked ? measure_spaces(problem_) : std::vector<ProblemMetrics>(count, facts_);
  const std::vector<std::vector<std::int64_t>> chosen = offsets_by_space(problem_, *input_.plan);
  std::vector<ChartIndex> indexes(count);
  std::vector<SpacePlan> plans(count);
  for (std::size_t k = first; k < count; ++k) {
    const auto space = static_cast<std::uint16_t>(k);
    const bool given = input_.index != nullptr && space == input_.space;
    if (!given) indexes[k] = ChartIndex(problem_, space);
    plans[k] = SpacePlan{&facts[k], k < chosen.size() ? &chosen[k] : &input_.plan->offsets,
                         given ? input_.index : &indexes[k], makespan_of_space(problem_, *input_.plan, space)};
  }
  if (input_.stacked) {
    all_spaces(areas.chart, plans);
  } else {
    one_space(areas.chart, plans[input_.space]);
  }
  frame_.load_chart(problem_, facts_, input_.space, areas.load, view_of(areas.chart, {}));
}

Viewport Figure::view_of(Rect area, const SpacePlan& plan) const {
  const std::int64_t highest = plan.facts != nullptr ? top_of(problem_, input_.space, plan) : facts_.load;
  Viewport view =
      input_.view ? *input_.view : fit_all(facts_, highest, area, input_.shorten ? shortening_map(plan) : nullptr);
  view.area = area;
  return view;
}

PlanSceneInput Figure::chart_input(const SpacePlan& plan, std::uint16_t space) const {
  PlanSceneInput chart;
  chart.problem = &problem_;
  chart.index = plan.index;
  chart.facts = plan.facts;
  chart.offsets = plan.offsets;
  chart.objects = input_.plan->objects ? &*input_.plan->objects : nullptr;
  chart.makespan = input_.partial ? 0 : plan.makespan;
  chart.space = space;
  chart.report = &report_;
  chart.selected = input_.selected;
  chart.matches = input_.matches;
  chart.colouring = input_.colouring;
  chart.hatched = input_.hatched;
  chart.labels = input_.labels;
  chart.unit = input_.unit;
  chart.address_style = input_.address_style;
  chart.crowd = kFigureVectors;
  chart.scale = frame_.scale();
  return chart;
}

void Figure::one_space(Rect area, const SpacePlan& plan) {
  if (area.width() < 20 || area.height() < 20) return;
  const Viewport view = view_of(area, plan);
  const PlanSceneInput chart = chart_input(plan, input_.space);
  add_plan(frame_.scene(), chart, view, theme_, measure_);
  if (input_.marks == nullptr) return;
  StepMarks marks = *input_.marks;
  marks.problem = &problem_;
  marks.index = chart.index;
  marks.offsets = chart.offsets;
  marks.scale = frame_.scale();
  add_step_marks(frame_.scene(), marks, view, theme_);
}

void Figure::all_spaces(Rect area, const std::vector<SpacePlan>& plans) {
  if (area.width() < 20 || area.height() < 20) return;
  const std::vector<SpaceLane> lanes = stack_lanes(problem_, plans, input_.shorten);
  std::vector<PlanSceneInput> inputs;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    inputs.push_back(chart_input(plans[k], static_cast<std::uint16_t>(k)));
  }
  Viewport view = input_.view ? *input_.view : fit_lanes(facts_, lanes, area);
  view.area = area;
  add_spaces(frame_.scene(), lanes, std::move(inputs), view, theme_, measure_);
}

}  // namespace

Scene make_figure(const FigureInput& input, const Theme& theme, const TextMeasure& measure) {
  return Figure(input, theme, measure).draw();
}

}  // namespace stowage
