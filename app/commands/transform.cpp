#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/graph_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "app/commands/settled_file.h"
#include "app/commands/transform_text.h"
#include "core/base/text.h"
#include "core/document/graph_recipe.h"
#include "core/io/steps_jsonl.h"
#include "core/transforms/reuse.h"

namespace stowage {
namespace {

struct TransformFlags {
  std::string graph;
  std::vector<std::string> with;
  std::string schedule;
  std::string allocator = "best";
  std::vector<std::string> out;
  std::string to;
  std::string steps;
  std::string why_not;
  bool json = false;
  ReadingFlags reading;
  PlanningFlags planning;
};

/// What the flags ask for beside the graph's own way. Errors: usage.
Result<GraphRecipe> recipe_of(const TransformFlags& flags) {
  GraphRecipe recipe;
  auto pipeline = pipeline_of(flags.with);
  if (!pipeline) return tl::unexpected(pipeline.error());
  recipe.pipeline = std::move(*pipeline);
  if (!flags.schedule.empty() && find_scheduler(flags.schedule) == nullptr) {
    std::vector<std::string> known;
    for (const Scheduler& scheduler : schedulers()) known.push_back(scheduler.id);
    return usage_error(fmt::format("there is no schedule '{}'{}", flags.schedule, did_you_mean(flags.schedule, known)));
  }
  return recipe;
}

Result<void> expect_outputs(const TransformFlags& flags, Outputs& outputs) {
  if (const auto allocator = allocator_by_id(flags.allocator); !allocator) return tl::unexpected(allocator.error());
  for (const std::string& path : flags.out) {
    if (const auto format = format_to_write(path, flags.to); !format) return tl::unexpected(format.error());
    if (const auto expected = outputs.expect(path); !expected) return expected;
  }
  if (const auto expected = outputs.expect(flags.steps); !expected) return expected;
  if (flags.json && outputs.uses_stdout()) return usage_error("--json prints to standard output, and so would '-'");
  return {};
}

/// The time limit is one of the allocator: orders and transforms always come to their end.
RunContext unhurried(const PlanningFlags& flags) {
  RunContext context = context_of(flags);
  context.deadline.reset();
  return context;
}

class Run {
 public:
  Run(const TransformFlags& flags, GraphRecipe recipe, std::stop_token stop)
      : flags_(flags), recipe_(std::move(recipe)), context_(unhurried(flags.planning)) {
    context_.stop = std::move(stop);
  }

  /// The graph in its order, then after each stage.
  Result<void> stages(const Graph& graph) {
    GraphRecipe bare = recipe_;
    bare.pipeline.clear();
    auto prepared = prepare(graph, bare, context_);
    if (!prepared) return tl::unexpected(prepared.error());
    MeasuredStage first;
    first.after = std::move(prepared->first);
    if (const auto measured = measure_stage(first); !measured) return measured;
    measured_.push_back(std::move(first));
    for (const PipelineStage& stage : recipe_.pipeline) {
      if (const auto done = run(stage); !done) return done;
    }
    return {};
  }

  const std::vector<MeasuredStage>& measured() const { return measured_; }
  const std::string& steps() const { return steps_; }

 private:
  Result<void> run(const PipelineStage& stage) {
    const Staged& before = measured_.back().after;
    StepLog log;
    context_.steps = flags_.steps.empty() ? nullptr : &log;
    auto results = run_pipeline(before, {&stage, 1}, context_);
    context_.steps = nullptr;
    if (!results) return tl::unexpected(results.error());
    // Steps speak of the tensors that there were before the stage.
    Names ids;
    for (const Tensor& tensor : before.graph.tensors()) ids.push_back(tensor.id);
    if (!flags_.steps.empty()) steps_ += steps_to_jsonl(log, ids);
    if (log.truncated()) say("warning: " + stage.transform + ": too many steps; only phases at the end");
    MeasuredStage next;
    next.stage = stage;
    next.report = std::move(results->back().report);
    next.after = std::move(results->back().after);
    if (const auto measured = measure_stage(next); !measured) return measured;
    measured_.push_back(std::move(next));
    return {};
  }

  Result<void> measure_stage(MeasuredStage& stage) {
    auto lowered = lower(stage.after, recipe_.lowering);
    if (!lowered) return tl::unexpected(lowered.error());
    stage.notes = std::move(lowered->notes);
    stage.buffers = lowered->problem.size();
    stage.metrics = measure(lowered->problem);
    const auto plan = run_candidate(*find_allocator(flags_.allocator), lowered->problem, stage.metrics, flags_.planning,
                                    context_.stop);
    if (plan) {
      stage.makespan = plan->metrics.makespan;
      stage.stopped = plan->status == RunStatus::kStopped;
      if (stage.stopped) stage.message = plan->report.message;
    } else if (context_.stop.stop_requested()) {
      return fail(Error::Kind::kCancelled, "nothing has been written");
    } else {
      stage.stopped = plan.error().kind == Error::Kind::kCancelled;
      stage.message = stage.stopped ? flags_.allocator + ": no plan within the time limit" : plan.error().message;
    }
    return {};
  }

  const TransformFlags& flags_;
  GraphRecipe recipe_;
  RunContext context_;
  std::vector<MeasuredStage> measured_;
  std::string steps_;
};

/// "A,B": why the two may not share memory at the end of the pipeline.
Result<PairAnswer> why_not(const std::string& pair, const Staged& staged) {
  const std::vector<std::string> ids = split(pair, ',');
  if (ids.size() != 2) return usage_error("--why-not takes two tensors: A,B");
  std::vector<TensorIndex> tensors;
  for (const std::string& id : ids) {
    tensors.push_back(staged.graph.find_tensor(id));
    if (tensors.back() == kNoTensor) return usage_error(fmt::format("--why-not: there is no tensor '{}'", id));
  }
  return PairAnswer{ids[0], ids[1], why_not_shared(staged, tensors[0], tensors[1])};
}

Result<void> add_files(const TransformFlags& flags, const Document& document, const GraphRecipe& recipe,
                       RunContext& context, Outputs& outputs) {
  if (flags.out.empty()) return {};
  const auto changed = remade(document, *document.graph, recipe, context);
  if (!changed) return tl::unexpected(changed.error());
  for (const std::string& path : flags.out) {
    const Result<const Format*> format = format_to_write(path, flags.to);
    if (!format) return tl::unexpected(format.error());
    // What holds a graph alone gets it as the pipeline left it.
    Result<std::string> bytes = (*format)->id == "graph-json" ? settled_file(*changed, **format, path, context)
                                                              : (*format)->write(*changed, WriteOptions{});
    if (!bytes) return tl::unexpected(bytes.error());
    outputs.add(path, std::move(*bytes));
  }
  return {};
}

Exit transform(const TransformFlags& flags) {
  Outputs outputs;
  auto asked = recipe_of(flags);
  if (!asked) return end_with(asked.error());
  if (const auto expected = expect_outputs(flags, outputs); !expected) return end_with(expected.error());
  ReadingFlags reading = flags.reading;
  // The file's own order may be none that can be run.
  if (!flags.schedule.empty()) reading.choices.push_back("schedule=" + flags.schedule);
  const Result<Document> document = read_graph_document(flags.graph, reading);
  if (!document) return end_with(document.error());
  GraphRecipe recipe = document->recipe;
  if (!flags.with.empty()) recipe.pipeline = asked->pipeline;
  if (!flags.schedule.empty()) recipe.schedule = flags.schedule;

  const Interrupt interrupt;
  Run run(flags, recipe, interrupt.token());
  if (const auto done = run.stages(*document->graph); !done) return end_with(done.error());
  RunContext context = unhurried(flags.planning);
  if (const auto added = add_files(flags, *document, recipe, context, outputs); !added) return end_with(added.error());
  if (!flags.steps.empty()) outputs.add(flags.steps, run.steps());
  constexpr std::size_t kShownRemarks = 20;
  std::optional<PairAnswer> pair;
  if (!flags.why_not.empty()) {
    auto answer = why_not(flags.why_not, run.measured().back().after);
    if (!answer) return end_with(answer.error());
    pair = std::move(*answer);
  }
  outputs.print(flags.json ? with_line_feed(stages_json(run.measured(), flags.allocator, pair))
                           : stages_text(run.measured(), flags.allocator, kShownRemarks));
  if (pair && !flags.json) outputs.print("\n" + pair_text(*pair));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (const std::string files = outputs.written(); !files.empty()) say("written: " + files);
  const MeasuredStage& last = run.measured().back();
  if (last.stopped) say("stowage: " + last.message);
  return last.stopped && !last.makespan ? Exit::kFound : Exit::kFine;
}

}  // namespace

void add_transform(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<TransformFlags>();
  CLI::App& command = *program.add_subcommand("transform", "Change an operator graph step by step and measure each");
  command.add_option("GRAPH", flags->graph, "A file with an operator graph, '-', or network:NAME[:KEY=VALUE,...]")
      ->required();
  add_with_option(command, flags->with);
  command.add_option("--schedule", flags->schedule, "given, depth-first, breadth-first or memory-aware")
      ->type_name("ID");
  command.add_option("--allocator,-a", flags->allocator, "Who plans after each stage (default: best)")->type_name("ID");
  command
      .add_option("--out,-o", flags->out,
                  "Write the graph with its pipeline, or as it left it (.graph.json), in the format of the ending "
                  "(repeatable)")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--to", flags->to, "The format of --out, whatever the ending")->type_name("FORMAT");
  command.add_option("--steps", flags->steps, "Write every step of the transforms as JSON Lines")->type_name("FILE");
  command.add_option("--why-not", flags->why_not, "Also tell why two tensors may not share memory")->type_name("A,B");
  command.add_flag("--json", flags->json, "Print the result as JSON");
  add_planning_options(command, flags->planning, false);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return transform(*flags);
    };
  });
}

}  // namespace stowage
