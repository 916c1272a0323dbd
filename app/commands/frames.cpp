#include "app/commands/frames.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/chart/boxes_figure.h"
#include "core/chart/figure.h"
#include "core/model/space_metrics.h"

namespace stowage {
namespace {

constexpr std::size_t kTried = 1;  // the moment's lists are not drawn

std::uint16_t highest_space(const Problem& problem, const Plan& plan) {
  std::uint16_t highest = 0;
  for (std::size_t s = 1; s < problem.spaces().size(); ++s) {
    const auto space = static_cast<std::uint16_t>(s);
    if (makespan_of_space(problem, plan, space) > makespan_of_space(problem, plan, highest)) highest = space;
  }
  return highest;
}

}  // namespace

void add_frame_options(CLI::App& command, PictureFlags& flags) {
  const std::string group = "Pictures";
  command.add_option("--size", flags.size, "Logical pixels (default " + flags.size + ")")
      ->type_name("WxH")
      ->group(group);
  command.add_option("--scale", flags.scale, "Pixels for each logical one (default 1)")
      ->type_name("N")
      ->check(CLI::Range(0.1F, 8.0F))
      ->group(group);
  command.add_option("--theme", flags.theme, "dark (default) or light")
      ->check(CLI::IsMember({"dark", "light"}))
      ->type_name("THEME")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--labels", [&flags](const std::string& text) { flags.labels = text == "on"; },
          "Names in the rectangles: on (default) or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->group(group);
}

std::vector<std::size_t> spread_evenly(std::size_t first, std::size_t last, std::size_t most) {
  const std::size_t all = last - first + 1;
  const std::size_t count = std::min(all, most);
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < count; ++k) {
    // The last one is what it comes to: a single frame shows it.
    chosen.push_back(count == 1 ? last : first + k * (all - 1) / (count - 1));
  }
  return chosen;
}

FrameArtist::FrameArtist(const Problem& problem, const Candidate& run, const StepLog& steps, FrameLook look,
                         const Theme& theme)
    : problem_(problem),
      run_(run),
      steps_(steps.steps()),
      look_(std::move(look)),
      theme_(theme),
      space_(highest_space(problem, run.plan)),
      player_(steps_, problem.size()),
      index_(steps_),
      chart_(problem, space_),
      metrics_(measure_spaces(problem)[space_]),
      highest_(highest()) {
  for (const BoxingReport& report : run.boxing) {
    if (report.space == space_ && !report.levels.empty()) report_ = &report;
  }
  if (!index_.all(StepKind::kOpenBox).empty()) story_.emplace(problem, steps_, run.boxes, run.boxing, space_);
}

/// Of everything that is ever placed, so that the scale stays.
std::int64_t FrameArtist::highest() const {
  std::int64_t highest = metrics_.load;
  for (const std::uint32_t step : index_.all(StepKind::kPlace)) {
    const auto& place = std::get<step::Place>(steps_[step].fact);
    const Buffer& buffer = problem_[place.buffer];
    if (buffer.space == space_ && buffer.takes_memory()) highest = std::max(highest, place.offset + buffer.size);
  }
  return highest;
}

std::string FrameArtist::subtitle(std::size_t position) const {
  std::string text = fmt::format("{} \u00B7 step {} of {}", run_.plan.allocator, position, steps_.size());
  if (position > 0) text += ": " + caption(steps_[position - 1], problem_);
  return text;
}

Result<Scene> FrameArtist::frame(std::size_t position) {
  if (look_.boxes) return boxes(position);
  return map(position);
}

Scene FrameArtist::map(std::size_t position) {
  player_.seek(position);
  Plan so_far;
  so_far.allocator = run_.plan.allocator;
  so_far.offsets = player_.state().offsets;
  so_far.spaces = run_.plan.spaces;
  StepMarks marks;
  if (position > 0) mark_step(marks, steps_[position - 1], index_.moment(position, kTried));
  if (story_ && report_ != nullptr) marks.points = story_->at(position).call_points;
  FigureInput input;
  input.problem = &problem_;
  input.plan = &so_far;
  input.title = look_.title;
  input.subtitle = subtitle(position);
  input.width = look_.width;
  input.height = look_.height;
  input.scale = look_.scale;
  input.labels = look_.labels;
  input.space = space_;
  input.partial = true;
  input.marks = &marks;
  input.index = &chart_;
  input.metrics = &metrics_;
  input.view = fit_all(metrics_, highest_, Rect{0, 0, look_.width, look_.height});
  return make_figure(input, theme_, measure_);
}

Result<Scene> FrameArtist::boxes(std::size_t position) {
  if (!story_ || report_ == nullptr) {
    return fail(
        Error::Kind::kRefused,
        fmt::format("{} made no boxes: it needs none where sizes are equal, where nothing overlaps, or where its "
                    "first plan is as low as the load (then --set bootstrap=false boxes all the same)",
                    run_.plan.allocator));
  }
  const BoxesLayout layout = story_->at(position);
  BoxesFigureInput input;
  input.problem = &problem_;
  input.layout = &layout;
  input.report = report_;
  input.title = look_.title;
  input.subtitle = subtitle(position);
  input.width = look_.width;
  input.height = look_.height;
  input.scale = look_.scale;
  input.labels = look_.labels;
  input.space = space_;
  return make_boxes_figure(input, theme_, measure_);
}

}  // namespace stowage
