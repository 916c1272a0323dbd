#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/adjust.h"
#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/graph_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "app/commands/run_pictures.h"
#include "core/allocators/threads_param.h"
#include "core/io/steps_jsonl.h"

namespace stowage {
namespace {

struct PlanFlags {
  std::string file;
  std::vector<std::string> with;
  std::string allocator = "best";
  std::optional<std::int64_t> capacity;
  std::optional<std::int64_t> align;
  bool keep_offsets = false;
  std::string plan;
  std::vector<std::string> out;
  std::string to;
  std::string steps;
  bool json = false;
  ReadingFlags reading;
  PlanningFlags planning;
  PictureFlags pictures;
  RunViewFlags view;

  bool records() const { return !steps.empty() || view.at_step; }
  bool all() const { return allocator == "all"; }
  bool one() const { return !all(); }
};

/// Everything that can be known to be wrong before the file is read.
Result<void> prepare(const PlanFlags& flags, Outputs& outputs) {
  if (flags.one()) {
    if (const auto found = allocator_by_id(flags.allocator); !found) return tl::unexpected(found.error());
  } else if (!flags.planning.set.empty()) {
    return usage_error("--set belongs to one allocator: name it with --allocator");
  }
  if (!flags.planning.threads.empty()) {
    const Result<unsigned> threads = parse_threads(flags.planning.threads);
    if (!threads) return usage_error("--" + threads.error().message);
  }
  if (const auto pipeline = pipeline_of(flags.with); !pipeline) return tl::unexpected(pipeline.error());
  for (const std::string& path : flags.out) {
    if (const auto format = format_to_write(path, flags.to); !format) return tl::unexpected(format.error());
    if (const auto expected = outputs.expect(path); !expected) return expected;
  }
  if (const auto expected = outputs.expect(flags.steps); !expected) return expected;
  if (const auto expected = expect_pictures(flags.pictures, outputs); !expected) return expected;
  if (const auto sound = check_run_view(flags.view, flags.pictures, flags.allocator); !sound) return sound;
  if (flags.json && outputs.uses_stdout()) return usage_error("--json prints to standard output, and so would '-'");
  return {};
}

Result<Document> read_problem(const PlanFlags& flags) {
  Result<Document> document = read_transformed(flags.file, flags.with, flags.reading);
  if (!document) return document;
  Adjustments adjustments{flags.capacity, flags.align, nullptr};
  if (flags.keep_offsets) {
    const Result<const Plan*> kept = choose_plan(*document, flags.plan);
    if (!kept) return tl::unexpected(kept.error());
    if (*kept == nullptr) return usage_error("--keep-offsets: " + shown_name(flags.file) + " has no plan to keep");
    adjustments.keep = *kept;
  }
  if (const Result<void> adjusted = adjust(*document, adjustments); !adjusted) return tl::unexpected(adjusted.error());
  return document;
}

/// Runs what was asked for; with one allocator the steps are recorded on the way.
Result<AllCandidates> run_wanted(const PlanFlags& flags, const Problem& problem, const ProblemMetrics& facts,
                                 std::stop_token stop, StepLog* steps) {
  if (!flags.one()) {
    Result<AllCandidates> all = run_all(problem, facts, flags.planning, flags.all(), stop);
    if (!all || steps == nullptr) return all;
    // Which one is best is known only now; the same seed gives the same plan again.
    const std::string& best = all->candidates[all->best].plan.allocator;
    const auto again = run_candidate(*find_allocator(best), problem, facts, flags.planning, stop, steps);
    if (!again) return tl::unexpected(again.error());
    return all;
  }
  Result<Candidate> one = run_candidate(*find_allocator(flags.allocator), problem, facts, flags.planning, stop, steps);
  if (!one) return tl::unexpected(one.error());
  AllCandidates all;
  all.candidates.push_back(std::move(*one));
  return all;
}

/// The files that were asked for: the new plans join those of the document, the best one last.
Result<void> add_files(const PlanFlags& flags, Document& document, const AllCandidates& all, const StepLog& steps,
                       Outputs& outputs) {
  const Plan& best = all.candidates[all.best].plan;
  if (flags.all()) {
    for (const Candidate& candidate : all.candidates) document.put_plan(candidate.plan);
  }
  std::erase_if(document.plans, [&](const Plan& plan) { return plan.id == best.id; });
  document.plans.push_back(best);
  for (const std::string& path : flags.out) {
    const Result<const Format*> format = format_to_write(path, flags.to);
    if (!format) return tl::unexpected(format.error());
    Result<std::string> bytes = (*format)->write(document, WriteOptions{best.id, false});
    if (!bytes) return tl::unexpected(bytes.error());
    outputs.add(path, std::move(*bytes));
  }
  if (!flags.steps.empty()) {
    if (steps.truncated()) say("warning: " + flags.steps + ": too many steps; only phases and incumbents at the end");
    outputs.add(flags.steps, steps_to_jsonl(steps, document.problem->input().ids));
  }
  std::uint16_t space = 0;  // the picture shows one space: the one that reaches highest
  for (std::size_t s = 1; s < document.problem->spaces().size(); ++s) {
    const auto other = static_cast<std::uint16_t>(s);
    const bool higher =
        makespan_of_space(*document.problem, best, other) > makespan_of_space(*document.problem, best, space);
    if (higher) space = other;
  }
  return add_run_pictures(flags.pictures, flags.view, document, all.candidates[all.best], steps, space, outputs);
}

Exit plan(const PlanFlags& flags) {
  Outputs outputs;
  if (const Result<void> prepared = prepare(flags, outputs); !prepared) return end_with(prepared.error());
  Result<Document> document = read_problem(flags);
  if (!document) return end_with(document.error());
  const std::shared_ptr<const Problem> problem = document->problem;
  const ProblemMetrics facts = measure(*problem);

  StepLog steps;
  Result<AllCandidates> all = fail(Error::Kind::kCancelled, "not run");
  {
    const Interrupt interrupt;
    all = run_wanted(flags, *problem, facts, interrupt.token(), flags.records() ? &steps : nullptr);
    if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
  }
  if (!all) {
    // Out of time without a plan is a finding, not an interruption.
    if (all.error().kind != Error::Kind::kCancelled) return end_with(all.error());
    say("stowage: " + flags.allocator + ": no plan within the time limit");
    return Exit::kFound;
  }
  Candidate& best = all->candidates[all->best];
  for (Candidate& candidate : all->candidates) {
    candidate.report.file = flags.file;
    if (document->graph != nullptr) candidate.report.recipe = document->recipe;
    if (flags.all() || &candidate == &best) check_candidate(candidate, *problem);
    const auto miss = capacity_miss(*problem, candidate.plan, candidate.status);
    if (miss && candidate.report.message.empty()) candidate.report.message = describe(*miss);
  }
  for (PlanReport& refused : all->refused) {
    refused.file = flags.file;
    if (document->graph != nullptr) refused.recipe = document->recipe;
  }

  if (const Result<void> added = add_files(flags, *document, *all, steps, outputs); !added) {
    return end_with(added.error());
  }
  if (!flags.json) {
    outputs.print(flags.all() ? all_plans_text(*document, facts, *all) : plan_text(*document, facts, *all));
  } else if (flags.all()) {
    std::vector<PlanReport> reports;
    for (const Candidate& candidate : all->candidates) reports.push_back(candidate.report);
    reports.insert(reports.end(), all->refused.begin(), all->refused.end());
    outputs.print(with_line_feed(plan_reports_json(reports)));
  } else {
    outputs.print(with_line_feed(plan_report_json(best.report)));
  }
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());

  if (const std::string files = outputs.written(); !files.empty()) say("written: " + files);
  if (best.status == RunStatus::kStopped) say("stowage: " + best.report.allocator + ": " + best.report.message);
  const auto miss = capacity_miss(*problem, best.plan, best.status);
  if (miss) say("stowage: " + describe(*miss));
  if (!best.issues.valid() && !miss) say(fmt::format("stowage: the plan has {} issues", best.issues.count));
  return best.issues.valid() ? Exit::kFine : Exit::kFound;
}

}  // namespace

void add_plan(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<PlanFlags>();
  CLI::App& command = *program.add_subcommand("plan", "Plan the buffers of a file with one allocator or with all");
  command.add_option("FILE", flags->file, "The file to plan, '-', or network:NAME[:KEY=VALUE,...]")->required();
  add_following_files(command, flags->reading);
  add_with_option(command, flags->with);
  command.add_option("--allocator,-a", flags->allocator, "Its id, or 'all' (default: best)")->type_name("ID|all");
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are; exit 1 when the plan needs more");
  add_bytes_option(command, "--align", flags->align, "Raise every alignment to at least this");
  CLI::Option* keep =
      command.add_flag("--keep-offsets", flags->keep_offsets, "The file's own plan stays: its offsets become fixed");
  command.add_option("--plan", flags->plan, "Which of the file's plans to keep; without it the last")
      ->type_name("ID")
      ->needs(keep);
  command.add_option("--out,-o", flags->out, "Write the plan, in the format of the ending (repeatable)")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--to", flags->to, "The format of --out, whatever the ending")->type_name("FORMAT");
  command.add_option("--steps", flags->steps, "Write every step of the allocator as JSON Lines")->type_name("FILE");
  command.add_flag("--json", flags->json, "Print the result as JSON; an array with --allocator all");
  add_planning_options(command, flags->planning, true);
  add_picture_options(command, flags->pictures, true);
  add_run_view_options(command, flags->view);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return plan(*flags);
    };
  });
}

}  // namespace stowage
