#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/commands/adjust.h"
#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/explain_text.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "core/base/text.h"

namespace stowage {
namespace {

struct ExplainFlags {
  std::string file;
  std::optional<std::int64_t> capacity;
  std::string buffer;
  std::string plan;
  std::string allocator;
  bool json = false;
  ReadingFlags reading;
  PlanningFlags planning;
};

Result<BufferIndex> buffer_by_id(const Problem& problem, const std::string& id) {
  BufferIndex found = kNoBuffer;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem.id(i) != id) continue;
    if (found != kNoBuffer) return usage_error(fmt::format("several buffers are called '{}'", printable_utf8(id)));
    found = i;
  }
  if (found == kNoBuffer) return usage_error(fmt::format("there is no buffer '{}'", printable_utf8(id)));
  return found;
}

/// The file's plan, or without one a plan of the allocator.
Result<Plan> plan_to_explain(const ExplainFlags& flags, const Document& document) {
  if (flags.allocator.empty()) {
    const Result<const Plan*> chosen = choose_plan(document, flags.plan);
    if (!chosen) return tl::unexpected(chosen.error());
    if (*chosen != nullptr) return **chosen;
    return usage_error(shown_name(flags.file) + " has no plan to explain: name an --allocator that makes one");
  }
  const Result<const Allocator*> allocator = allocator_by_id(flags.allocator);
  if (!allocator) return tl::unexpected(allocator.error());
  const Interrupt interrupt;
  Result<Candidate> candidate =
      run_candidate(**allocator, *document.problem, measure(*document.problem), flags.planning, interrupt.token());
  if (!candidate) return tl::unexpected(candidate.error());
  return std::move(candidate->plan);
}

Exit print(const std::string& text, Exit exit) {
  Outputs outputs;
  outputs.print(text);
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return exit;
}

Exit explain_buffer(const ExplainFlags& flags, const Document& document) {
  const Problem& problem = *document.problem;
  const Result<BufferIndex> buffer = buffer_by_id(problem, flags.buffer);
  if (!buffer) return end_with(buffer.error());
  const Result<Plan> plan = plan_to_explain(flags, document);
  if (!plan) return end_with(plan.error());
  const Result<WhyHere> here = why(problem, *plan, *buffer);
  if (!here) return end_with(here.error());
  return print(flags.json ? with_line_feed(why_json(problem, *here)) : why_text(problem, *plan, *here), Exit::kFine);
}

Exit explain_fit(const ExplainFlags& flags, const Document& document) {
  const Problem& problem = *document.problem;
  const std::optional<std::int64_t> capacity = problem.capacity();
  if (!capacity) return end_with(Error{Error::Kind::kUsage, "explain needs a --capacity, or a --buffer"});
  RunContext context = context_of(flags.planning);
  Result<CapacityExplanation> explained = fail(Error::Kind::kCancelled, "not run");
  {
    const Interrupt interrupt;
    context.stop = interrupt.token();
    explained = explain_capacity(problem, *capacity, context);
  }
  if (!explained) return end_with(explained.error());
  const bool fits = explained->verdict == CapacityExplanation::Verdict::kFits;
  return print(flags.json ? with_line_feed(capacity_json(problem, *explained)) : capacity_text(problem, *explained),
               fits ? Exit::kFine : Exit::kFound);
}

Exit explain(const ExplainFlags& flags) {
  Result<Document> document = read_document_file(flags.file, flags.reading);
  if (!document) return end_with(document.error());
  if (const auto adjusted = adjust(*document, Adjustments{flags.capacity, std::nullopt, nullptr}); !adjusted) {
    return end_with(adjusted.error());
  }
  return flags.buffer.empty() ? explain_fit(flags, *document) : explain_buffer(flags, *document);
}

}  // namespace

void add_explain(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<ExplainFlags>();
  CLI::App& command = *program.add_subcommand(
      "explain", "Why a file does not fit under a capacity (exit 1), or why a buffer lies where it lies");
  command.add_option("FILE", flags->file, "The file, or '-'")->required();
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are; without it the file's own");
  CLI::Option* buffer =
      command.add_option("--buffer", flags->buffer, "Explain this buffer of the file's plan")->type_name("ID");
  command.add_option("--plan", flags->plan, "Which of the file's plans; without it the last")
      ->type_name("ID")
      ->needs(buffer);
  command.add_option("--allocator,-a", flags->allocator, "Explain the plan of this allocator instead")
      ->type_name("ID")
      ->needs(buffer);
  command.add_flag("--json", flags->json, "Print it as JSON");
  add_planning_options(command, flags->planning, false);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return explain(*flags);
    };
  });
}

}  // namespace stowage
