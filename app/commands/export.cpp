#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/graph_pictures.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "app/commands/pool_runs.h"
#include "app/commands/reading.h"
#include "app/commands/run_pictures.h"
#include "app/commands/steps_pictures.h"
#include "core/base/text.h"
#include "core/chart/both_ends.h"

namespace stowage {
namespace {

constexpr std::string_view kViews[] = {"chart", "load", "graph", "reuse", "pool", "steps", "boxes"};

struct ExportFlags {
  std::string file;
  std::string plan;
  std::string allocator;
  std::string view = "chart";
  std::string space;
  std::string spaces = "one";
  ReadingFlags reading;
  PlanningFlags planning;
  PictureFlags pictures;
};

Result<void> prepare(const ExportFlags& flags, Outputs& outputs) {
  if (!flags.pictures.wanted()) return usage_error("name at least one of --png, --svg and --pdf");
  if (std::find(std::begin(kViews), std::end(kViews), flags.view) == std::end(kViews)) {
    return usage_error(fmt::format("--view {}: no such view; there are: {}", flags.view, fmt::join(kViews, ", ")));
  }
  if (!flags.allocator.empty() && !flags.plan.empty()) {
    return usage_error("--allocator makes a plan, --plan takes one of the file: give one of them");
  }
  if (!flags.allocator.empty()) {
    if (const auto found = allocator_by_id(flags.allocator); !found) return tl::unexpected(found.error());
  } else if (!flags.planning.set.empty()) {
    return usage_error("--set belongs to one allocator: name it with --allocator");
  }
  if (flags.spaces != "one" && flags.view != "chart")
    return usage_error(fmt::format("--spaces {}: only the chart can show several spaces", flags.spaces));
  if (flags.spaces != "one" && !flags.space.empty()) {
    return usage_error(
        fmt::format("--space names one space, --spaces {} draws several of them: give one", flags.spaces));
  }
  if (flags.view == "steps" && flags.allocator.empty()) {
    return usage_error("--view steps: name the allocator whose steps are drawn with --allocator");
  }
  if (flags.view == "boxes") {
    if (const auto sound = check_boxes(flags.allocator); !sound) return sound;
  }
  return expect_pictures(flags.pictures, outputs);
}

/// A new run of the named allocator; its steps are kept when a log is given.
Result<Candidate> run_named(const ExportFlags& flags, const Document& document, StepLog* steps = nullptr) {
  const Problem& problem = *document.problem;
  const Interrupt interrupt;
  return run_candidate(*find_allocator(flags.allocator), problem, measure(problem), flags.planning, interrupt.token(),
                       steps);
}

/// The plan to draw: a new one when an allocator is named or the file has none.
Result<Plan> plan_to_draw(const ExportFlags& flags, const Document& document) {
  const Result<const Plan*> own = choose_plan(document, flags.plan);
  if (!own) return tl::unexpected(own.error());
  if (*own != nullptr && flags.allocator.empty()) return **own;

  if (!flags.allocator.empty()) {
    Result<Candidate> one = run_named(flags, document);
    if (!one) return tl::unexpected(one.error());
    return std::move(one->plan);
  }
  const Problem& problem = *document.problem;
  const Interrupt interrupt;
  Result<AllCandidates> all = run_all(problem, measure(problem), flags.planning, false, interrupt.token());
  if (!all) return tl::unexpected(all.error());
  return std::move(all->candidates[all->best].plan);
}

Result<void> add_wanted(const ExportFlags& flags, const Document& document, std::uint16_t space, Outputs& outputs) {
  if (flags.view == "graph") return add_graph_pictures(flags.pictures, document, outputs);
  if (flags.view == "reuse") return add_reuse_pictures(flags.pictures, document, outputs);
  if (flags.view == "load") return add_plan_pictures(flags.pictures, document, nullptr, space, outputs);
  if (flags.view == "boxes") {
    const Result<Candidate> run = run_named(flags, document);
    if (!run) return tl::unexpected(run.error());
    return add_run_pictures(flags.pictures, RunViewFlags{flags.view, std::nullopt}, document, *run, StepLog(), space,
                            outputs);
  }
  if (flags.view == "steps") {
    StepLog steps;
    const Result<Candidate> run = run_named(flags, document, &steps);
    if (!run) return tl::unexpected(run.error());
    return add_steps_pictures(flags.pictures, document, *run, steps, outputs);
  }
  const Result<Plan> plan = plan_to_draw(flags, document);
  if (!plan) return tl::unexpected(plan.error());
  if (flags.spaces != "both-ends")
    return add_plan_pictures(flags.pictures, document, &*plan, space, outputs, flags.spaces == "stacked");
  Result<BothEnds> both = both_ends(*document.problem, *plan, document.recipe.pipeline);
  if (!both) return tl::unexpected(Error{both.error().kind, "--spaces both-ends: " + both.error().message});
  Document one_axis = document;
  one_axis.problem = std::make_shared<const Problem>(std::move(both->problem));
  return add_plan_pictures(flags.pictures, one_axis, &both->plan, 0, outputs);
}

Result<std::uint16_t> space_by_id(const Document& document, const std::string& id) {
  const auto spaces = document.problem->spaces();
  if (id.empty()) return std::uint16_t{0};
  std::vector<std::string> known;
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    if (spaces[s].id == id) return static_cast<std::uint16_t>(s);
    known.push_back(printable_utf8(spaces[s].id));
  }
  return usage_error(fmt::format("no space '{}'; the file has: {}", id, fmt::join(known, ", ")));
}

/// All pools fed with the file's trace or lifetimes, and the plan of the named allocator (else of `fast`) beside them.
Result<void> add_pools(const ExportFlags& flags, Outputs& outputs) {
  const Result<PoolSource> source = read_pool_source(flags.file, flags.reading);
  if (!source) return tl::unexpected(source.error());
  PoolChoice choice;
  if (!flags.allocator.empty()) choice.with.push_back(flags.allocator);
  const Interrupt interrupt;
  const auto rows = run_pools(choice, flags.planning, *source, interrupt.token(), nullptr);
  if (!rows) return tl::unexpected(rows.error());
  return add_pool_pictures(flags.pictures, *source, *rows, outputs);
}

Result<void> add_file(const ExportFlags& flags, Outputs& outputs) {
  if (flags.view == "pool") return add_pools(flags, outputs);
  const Result<Document> document = read_document_file(flags.file, flags.reading);
  if (!document) return tl::unexpected(document.error());
  const Result<std::uint16_t> space = space_by_id(*document, flags.space);
  if (!space) return tl::unexpected(space.error());
  return add_wanted(flags, *document, *space, outputs);
}

Exit export_pictures(const ExportFlags& flags) {
  Outputs outputs;
  if (const Result<void> prepared = prepare(flags, outputs); !prepared) return end_with(prepared.error());
  if (const auto added = add_file(flags, outputs); !added) return end_with(added.error());
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (const std::string files = outputs.written(); !files.empty()) say("written: " + files);
  return Exit::kFine;
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App& command = *program.add_subcommand("export", "Draw a plan or a load curve as PNG, SVG or PDF");
  command.add_option("FILE", flags->file, "The file to draw, '-', or network:NAME[:KEY=VALUE,...]")->required();
  command.add_option("--plan", flags->plan, "Which of the file's plans; without it the last")->type_name("ID");
  command
      .add_option("--allocator,-a", flags->allocator,
                  "Make the plan with this one; a file without a plan gets the smallest makespan of all")
      ->type_name("ID");
  command
      .add_option("--view", flags->view,
                  "chart (default), load, graph, reuse (which storages may share), pool (every online pool on the "
                  "lifetimes), steps or boxes (of --allocator)")
      ->type_name("VIEW");
  command.add_option("--space", flags->space, "Which space of the file; without it the first")->type_name("ID");
  command
      .add_option("--spaces", flags->spaces,
                  "one (default); stacked: every space as a lane of one chart; both-ends: the two of a double-ended "
                  "placement on one axis")
      ->check(CLI::IsMember({"one", "stacked", "both-ends"}))
      ->type_name("one|stacked|both-ends");
  add_picture_options(command, flags->pictures, true);
  add_planning_options(command, flags->planning, true);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return export_pictures(*flags);
    };
  });
}

}  // namespace stowage
