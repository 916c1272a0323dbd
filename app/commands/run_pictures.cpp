#include "app/commands/run_pictures.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/lookup.h"
#include "core/chart/boxes_figure.h"
#include "core/chart/boxes_layout.h"
#include "core/chart/figure.h"
#include "core/render/cairo_painter.h"
#include "core/steps/step_player.h"

namespace stowage {
namespace {

/// Everything that both kinds of picture have in common.
template <typename Input>
Result<void> prepare(Input& input, const PictureFlags& pictures, const Document& document, std::uint16_t space) {
  const Result<PictureSize> size = parse_size(pictures.size);
  if (!size) return tl::unexpected(size.error());
  input.problem = document.problem.get();
  input.title = picture_title(document);
  input.width = size->width;
  input.height = size->height;
  input.scale = pictures.scale;
  input.labels = pictures.labels;
  input.space = space;
  return {};
}

/// "idealloc · step 57 of 204: box 3 is open".
std::string subtitle(const Candidate& run, const StepLog& steps, std::size_t position, const Problem& problem) {
  std::string text = fmt::format("{} · step {} of {}", run.plan.allocator, position, steps.steps().size());
  if (position > 0) text += ": " + caption(steps.steps()[position - 1], problem);
  return text;
}

/// How many steps to apply, or nothing for the finished run.
Result<std::optional<std::size_t>> position_of(const RunViewFlags& flags, const StepLog& steps) {
  if (!flags.at_step) return std::optional<std::size_t>();
  if (steps.truncated()) {
    return fail(Error::Kind::kRefused, "--at-step: too many steps to keep; there is no replay of this run");
  }
  const std::size_t all = steps.steps().size();
  if (static_cast<std::uint64_t>(*flags.at_step) > all) {
    return usage_error(fmt::format("--at-step {}: the run has {} steps", *flags.at_step, all));
  }
  return std::optional<std::size_t>(static_cast<std::size_t>(*flags.at_step));
}

const BoxingReport* report_of(const Candidate& run, std::uint16_t space) {
  for (const BoxingReport& report : run.boxing) {
    if (report.space == space && !report.levels.empty()) return &report;
  }
  return nullptr;
}

std::vector<BufferIndex> considered(const ReplayState& state) {
  if (state.considered == kNoBuffer) return {};
  return {state.considered};
}

Result<void> add_chart_at(std::size_t position, const PictureFlags& pictures, const Document& document,
                          const Candidate& run, const StepLog& steps, std::uint16_t space, Outputs& outputs) {
  StepPlayer player(steps.steps(), document.problem->size());
  player.seek(position);
  Plan so_far = run.plan;
  so_far.offsets = player.state().offsets;
  so_far.objects.reset();
  so_far.slices.clear();
  FigureInput input;
  if (const auto prepared = prepare(input, pictures, document, space); !prepared) return prepared;
  input.plan = &so_far;
  input.partial = true;
  input.selected = considered(player.state());
  input.subtitle = subtitle(run, steps, position, *document.problem);
  return add_pictures(pictures, make_figure(input, theme_of(pictures), CairoTextMeasure()), outputs);
}

Result<void> add_boxes(std::optional<std::size_t> position, const PictureFlags& pictures, const Document& document,
                       const Candidate& run, const StepLog& steps, std::uint16_t space, Outputs& outputs) {
  const Problem& problem = *document.problem;
  const BoxingReport* report = report_of(run, space);
  if (report == nullptr) {
    return fail(
        Error::Kind::kRefused,
        fmt::format("{} made no boxes: it needs none where sizes are equal, where nothing overlaps, or where its "
                    "first plan is as low as the load (then --set bootstrap=false boxes all the same)",
                    run.plan.allocator));
  }
  BoxesFigureInput input;
  if (const auto prepared = prepare(input, pictures, document, space); !prepared) return prepared;
  BoxesLayout layout;
  if (position) {
    layout = BoxesStory(problem, steps.steps(), run.boxes, run.boxing, space).at(*position);
    input.subtitle = subtitle(run, steps, *position, problem);
  } else {
    layout = layout_boxes(problem, run.boxes, space);
    add_origins(layout, *report);
    input.subtitle = run.plan.allocator;
  }
  input.layout = &layout;
  input.report = report;
  return add_pictures(pictures, make_boxes_figure(input, theme_of(pictures), CairoTextMeasure()), outputs);
}

}  // namespace

void add_run_view_options(CLI::App& command, RunViewFlags& flags) {
  const std::string group = "Pictures";
  command
      .add_option("--view", flags.view,
                  "chart (default), or boxes: those of an allocator that packs buffers into boxes")
      ->type_name("VIEW")
      ->group(group);
  command.add_option("--at-step", flags.at_step, "Draw what there is after so many steps of the run")
      ->check(at_least(0))
      ->type_name("N")
      ->group(group);
}

Result<void> check_boxes(const std::string& allocator) {
  const Allocator* found = find_allocator(allocator);
  if (found != nullptr && found->can.boxes) return {};
  std::vector<std::string> able;
  for (const Allocator& other : allocators()) {
    if (other.can.boxes) able.push_back(other.id);
  }
  return usage_error(fmt::format("--view boxes: {}; name one that does with --allocator: {}",
                                 found == nullptr ? "not every allocator builds boxes" : allocator + " builds no boxes",
                                 fmt::join(able, ", ")));
}

Result<void> check_run_view(const RunViewFlags& flags, const PictureFlags& pictures, const std::string& allocator) {
  if (flags.view != "chart" && flags.view != "boxes") {
    return usage_error(fmt::format("--view {}: no such view of a run; there are: chart, boxes", flags.view));
  }
  const bool asked = flags.at_step || flags.view != "chart";
  if (asked && !pictures.wanted())
    return usage_error("--view and --at-step need at least one of --png, --svg and --pdf");
  return flags.view == "boxes" ? check_boxes(allocator) : Result<void>();
}

Result<void> add_run_pictures(const PictureFlags& pictures, const RunViewFlags& flags, const Document& document,
                              const Candidate& run, const StepLog& steps, std::uint16_t space, Outputs& outputs) {
  if (!pictures.wanted()) return {};
  const auto position = position_of(flags, steps);
  if (!position) return tl::unexpected(position.error());
  if (flags.view == "boxes") return add_boxes(*position, pictures, document, run, steps, space, outputs);
  if (*position) return add_chart_at(**position, pictures, document, run, steps, space, outputs);
  return add_plan_pictures(pictures, document, &run.plan, space, outputs);
}

}  // namespace stowage
