#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/fit_text.h"
#include "app/commands/graph_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "core/document/graph_recipe.h"

namespace stowage {
namespace {

struct FitFlags {
  std::string file;
  std::optional<std::int64_t> capacity;
  bool json = false;
  ReadingFlags reading;
  PlanningFlags planning;
};

/// The file's graph, ordered as its recipe says. What its pipeline would do, the search decides anew.
Result<Staged> ordered(const Document& document, RunContext& context) {
  GraphRecipe recipe = document.recipe;
  recipe.pipeline.clear();
  auto prepared = prepare(*document.graph, recipe, context);
  if (!prepared) return tl::unexpected(prepared.error());
  return std::move(prepared->first);
}

Exit fit(const FitFlags& flags) {
  const Result<Document> document = read_graph_document(flags.file, flags.reading);
  if (!document) return end_with(document.error());
  const std::optional<std::int64_t> capacity = flags.capacity ? flags.capacity : document->problem->capacity();
  if (!capacity) return end_with(Error{Error::Kind::kUsage, "fit needs a --capacity"});
  const Interrupt interrupt;
  RunContext unhurried;
  unhurried.stop = interrupt.token();
  const Result<Staged> staged = ordered(*document, unhurried);
  if (!staged) return end_with(staged.error());
  RunContext context = context_of(flags.planning);
  context.stop = interrupt.token();
  const Result<GraphFit> answer = fit_graph(*staged, document->recipe.lowering, *capacity, context);
  if (!answer) return end_with(answer.error());
  Outputs outputs;
  outputs.print(flags.json ? with_line_feed(fit_json(*document, *answer)) : fit_text(*document, *answer));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (answer->stopped) say("stowage: fit: " + stopped_text(*answer));
  return answer->best ? Exit::kFine : Exit::kFound;
}

}  // namespace

void add_fit(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<FitFlags>();
  CLI::App& command = *program.add_subcommand(
      "fit", "The cheapest mix of in-place, recomputation, swapping and compression that fits (exit 1: none does)");
  command.add_option("GRAPH", flags->file, "A file with an operator graph, '-', or network:NAME[:KEY=VALUE,...]")
      ->required();
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are; without it the file's own");
  command.add_flag("--json", flags->json, "Print JSON");
  add_reading_options(command, flags->reading);
  add_planning_options(command, flags->planning, false);
  command.callback([flags, &action] {
    action = [flags] {
      return fit(*flags);
    };
  });
}

}  // namespace stowage
