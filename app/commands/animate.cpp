#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/frames.h"
#include "app/commands/graph_frames.h"
#include "app/commands/graph_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/movie.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "app/commands/run_pictures.h"
#include "core/io/format.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

struct AnimateFlags {
  std::string file;
  std::string allocator;
  std::vector<std::string> with;
  std::string out;
  std::string view = "map";
  std::optional<std::int64_t> from_step;
  std::optional<std::int64_t> to_step;
  std::int64_t max_frames = 600;
  int fps = 12;
  PictureFlags pictures;
  PlanningFlags planning;
  ReadingFlags reading;
};

bool is_page(std::string_view path) {
  const Format* format = format_for_path(path);
  return format != nullptr && format->id == "html-page";
}

/// Either the steps of an allocator are drawn or those of a transform.
Result<void> check_actor(const AnimateFlags& flags) {
  if (const auto pipeline = pipeline_of(flags.with); !pipeline) return tl::unexpected(pipeline.error());
  if (flags.view == "graph") {
    const std::pair<const char*, bool> of_allocators[] = {{"--allocator", !flags.allocator.empty()},
                                                          {"--set", !flags.planning.set.empty()},
                                                          {"--threads", !flags.planning.threads.empty()},
                                                          {"--time-limit", flags.planning.time_limit.has_value()}};
    for (const auto& [name, given] : of_allocators) {
      if (given)
        return usage_error(fmt::format("{}: --view graph draws the steps of a transform, not of an allocator", name));
    }
    if (!flags.pictures.labels) return usage_error("--labels is for rectangles; --view graph has none");
    return {};
  }
  if (flags.allocator.empty()) {
    return usage_error("name the allocator whose steps are drawn with --allocator, or draw a transform: --view graph");
  }
  const auto allocator = allocator_by_id(flags.allocator);
  if (!allocator) return tl::unexpected(allocator.error());
  return flags.view == "boxes" ? check_boxes(flags.allocator) : Result<void>();
}

Result<void> check_flags(const AnimateFlags& flags) {
  if (const Result<void> actor = check_actor(flags); !actor) return actor;
  if (const auto size = parse_size(flags.pictures.size); !size) return tl::unexpected(size.error());
  if (flags.from_step && flags.to_step && *flags.from_step > *flags.to_step) {
    return usage_error(fmt::format("--from-step {} comes after --to-step {}", *flags.from_step, *flags.to_step));
  }
  if (is_page(flags.out) && flags.view != "map") {
    return usage_error(fmt::format("a page plays the plan so far, not the {}", flags.view));
  }
  return {};
}

/// The positions in the log that become frames.
Result<std::vector<std::size_t>> positions_of(const AnimateFlags& flags, std::size_t steps) {
  const auto all = static_cast<std::int64_t>(steps);
  for (const auto& [name, step] : {std::pair("--from-step", flags.from_step), std::pair("--to-step", flags.to_step)}) {
    if (step && *step > all) return usage_error(fmt::format("{} {}: the run has {} steps", name, *step, all));
  }
  return spread_evenly(static_cast<std::size_t>(flags.from_step.value_or(0)),
                       static_cast<std::size_t>(flags.to_step.value_or(all)),
                       static_cast<std::size_t>(flags.max_frames));
}

/// Runs the allocator and keeps what it says.
Result<Candidate> record(const AnimateFlags& flags, const Document& document, const Interrupt& interrupt,
                         StepLog& steps) {
  const Problem& problem = *document.problem;
  const Result<const Allocator*> allocator = allocator_by_id(flags.allocator);
  if (!allocator) return tl::unexpected(allocator.error());
  return run_candidate(**allocator, problem, measure(problem), flags.planning, interrupt.token(), &steps);
}

using DrawFrame = std::function<Result<Scene>(std::size_t)>;

Result<void> draw_frames(const AnimateFlags& flags, const DrawFrame& frame, const std::vector<std::size_t>& positions,
                         const Interrupt& interrupt, MovieWriter& movie) {
  for (const std::size_t position : positions) {
    if (interrupt.happened()) return fail(Error::Kind::kCancelled, "nothing has been written");
    const Result<Scene> scene = frame(position);
    if (!scene) return tl::unexpected(scene.error());
    const auto png = paint(*scene, PictureFormat::kPng, flags.pictures.scale, theme_of(flags.pictures).background);
    if (!png) return tl::unexpected(png.error());
    if (const Result<void> added = movie.add(*png); !added) return added;
  }
  return movie.finish();
}

Exit make_movie(const AnimateFlags& flags, const StepLog& steps, const DrawFrame& frame, const Interrupt& interrupt,
                MovieWriter& movie) {
  const auto positions = positions_of(flags, steps.steps().size());
  if (!positions) return end_with(positions.error());
  const Result<void> drawn = draw_frames(flags, frame, *positions, interrupt, movie);
  if (!drawn) return end_with(drawn.error());
  if (steps.truncated()) say("warning: too many steps to keep: the end of the run is missing");
  if (movie.stale() > 0) {
    say(fmt::format("warning: {}: {} frames of an earlier animation are still there", flags.out, movie.stale()));
  }
  say(fmt::format("written: {} ({} frames of {} steps)", flags.out, movie.frames(), steps.steps().size()));
  return Exit::kFine;
}

Result<FrameLook> look_of(const AnimateFlags& flags, const Document& document) {
  const Result<PictureSize> size = parse_size(flags.pictures.size);
  if (!size) return tl::unexpected(size.error());
  FrameLook look;
  look.boxes = flags.view == "boxes";
  look.title = picture_title(document);
  look.width = size->width;
  look.height = size->height;
  look.scale = flags.pictures.scale;
  look.labels = flags.pictures.labels;
  return look;
}

/// One page with all steps and a player, instead of frames.
Exit animate_page(const AnimateFlags& flags, Document document) {
  Outputs outputs;
  if (const Result<void> expected = outputs.expect(flags.out); !expected) return end_with(expected.error());
  const Interrupt interrupt;
  StepLog steps;
  Result<Candidate> run = record(flags, document, interrupt, steps);
  if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
  if (!run) return end_with(run.error());
  WriteOptions options;
  options.plan = run->plan.id;
  options.steps = &steps;
  document.put_plan(std::move(run->plan));
  Result<std::string> page = find_format("html-page")->write(document, options);
  if (!page) return end_with(page.error());
  outputs.add(flags.out, std::move(*page));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (flags.out != "-") say(fmt::format("written: {} ({} steps)", flags.out, steps.steps().size()));
  return Exit::kFine;
}

/// The last transform of the pipeline, on the graph before it.
Exit animate_graph(const AnimateFlags& flags) {
  Result<Document> document = read_graph_document(flags.file, flags.reading);
  if (!document) return end_with(document.error());
  if (!flags.with.empty()) document->recipe.pipeline = *pipeline_of(flags.with);
  Result<MovieWriter> movie = MovieWriter::open(flags.out, flags.fps);
  if (!movie) return end_with(movie.error());
  const Result<FrameLook> look = look_of(flags, *document);
  if (!look) return end_with(look.error());

  const Interrupt interrupt;
  RunContext context = context_of(flags.planning);
  context.stop = interrupt.token();
  const Result<PlayedStage> stage = play_last_stage(*document, std::move(context));
  if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
  if (!stage) return end_with(stage.error());
  const GraphFrameArtist artist(*stage, *look, theme_of(flags.pictures));
  return make_movie(
      flags, stage->steps, [&](std::size_t position) { return artist.frame(position); }, interrupt, *movie);
}

Exit animate(const AnimateFlags& flags) {
  if (const Result<void> checked = check_flags(flags); !checked) return end_with(checked.error());
  if (flags.view == "graph") return animate_graph(flags);
  Result<Document> document = read_transformed(flags.file, flags.with, flags.reading);
  if (!document) return end_with(document.error());
  if (document->problem->size() == 0) return end_with(Error{Error::Kind::kInput, flags.file + ": has no buffers"});
  if (is_page(flags.out)) return animate_page(flags, std::move(*document));
  Result<MovieWriter> movie = MovieWriter::open(flags.out, flags.fps);
  if (!movie) return end_with(movie.error());
  Result<FrameLook> look = look_of(flags, *document);
  if (!look) return end_with(look.error());

  const Interrupt interrupt;
  StepLog steps;
  const Result<Candidate> run = record(flags, *document, interrupt, steps);
  if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
  if (!run) return end_with(run.error());
  FrameArtist artist(*document->problem, *run, steps, std::move(*look), theme_of(flags.pictures));
  return make_movie(
      flags, steps, [&](std::size_t position) { return artist.frame(position); }, interrupt, *movie);
}

}  // namespace

void add_animate(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<AnimateFlags>();
  flags->pictures.size = "1280x800";
  CLI::App& command = *program.add_subcommand(
      "animate", "Draw an allocator or a transform at work, step by step, as pictures or a film");
  command.add_option("FILE", flags->file, "The file to plan, '-', or network:NAME[:KEY=VALUE,...]")->required();
  command.add_option("--allocator,-a", flags->allocator, "Whose steps, unless those of a transform (--view graph)")
      ->type_name("ID");
  add_with_option(command, flags->with);
  command
      .add_option("--out,-o", flags->out,
                  "A folder for frame_00001.png and so on; a .gif, .apng or .webm file; or a .html page with a player")
      ->type_name("DIR|FILE")
      ->required();
  command
      .add_option("--view", flags->view,
                  "map (default): the plan so far; boxes: of an allocator that builds some; graph: the last transform")
      ->check(CLI::IsMember({"map", "boxes", "graph"}))
      ->type_name("map|boxes|graph");
  command.add_option("--from-step", flags->from_step, "The first frame is after so many steps (default 0)")
      ->check(at_least(0))
      ->type_name("N");
  command.add_option("--to-step", flags->to_step, "The last one (default: the end)")
      ->check(at_least(0))
      ->type_name("N");
  command.add_option("--max-frames", flags->max_frames, "Of more steps some are left out, evenly (default 600)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{99'999}))
      ->type_name("N");
  command.add_option("--fps", flags->fps, "Frames a second (default 12); a GIF shows at most 50")
      ->check(CLI::Range(1, 60))
      ->type_name("N");
  add_frame_options(command, flags->pictures);
  add_planning_options(command, flags->planning, true);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return animate(*flags);
    };
  });
}

}  // namespace stowage
