#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/command.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/reading.h"
#include "core/base/text.h"
#include "core/document/losses.h"
#include "core/document/match_plan.h"
#include "core/model/check.h"

namespace stowage {
namespace {

struct ConvertFlags {
  std::string in;
  std::string out;
  std::string to;
  std::string into;
  std::string plan;
  bool problem_only = false;
  ReadingFlags reading;
};

/// What the written file does not hold of the document, found by reading it again; empty when it holds all.
std::string lost_words(const Document& document, const Format& format, const std::string& bytes,
                       const ConvertFlags& flags) {
  if (format.read == nullptr) return {};
  const Result<Document> again = format.read(bytes, flags.out, ReadOptions{});
  if (!again) return fmt::format("the written file does not open again: {}", again.error().message);
  Document wanted = document;
  if (flags.problem_only) wanted.plans.clear();
  const std::vector<std::string> lost = losses(wanted, *again);
  return lost.empty() ? std::string() : fmt::format("not in the written file: {}", fmt::join(lost, ", "));
}

/// The model with the plan of a document, which must be right for it: each of its buffers is one of the model.
Result<Document> with_plan(Document model, const Document& document, const Plan& plan) {
  MatchedPlan matched = match_plan(*model.problem, *document.problem, plan);
  if (!matched.unmatched.empty()) {
    return input_error(fmt::format("{}: {} of {} buffers of the plan are not in the model, the first is \"{}\"",
                                   model.path, matched.unmatched.size(), document.problem->size(),
                                   printable_utf8(matched.unmatched.front())));
  }
  const CheckReport report = check_plan(*model.problem, matched.plan);
  for (const Issue& issue : report.issues) {
    if (issue.kind == IssueKind::kMissingOffset || issue.kind == IssueKind::kWrongMakespan) continue;
    return input_error(
        fmt::format("{}: the plan is wrong for the model: {}", model.path, describe(issue, *model.problem)));
  }
  if (matched.unplaced > 0) {
    say(fmt::format("{}: {} buffers of the model have no place in the plan", model.path, matched.unplaced));
  }
  matched.plan.id = plan.id;
  model.plans.clear();
  model.put_plan(std::move(matched.plan));
  return model;
}

/// The document that is written: what was read, or a copy of a model with its plan in it.
Result<Document> document_to_write(Document document, const Format& format, const ConvertFlags& flags) {
  const Result<const Plan*> plan = choose_plan(document, flags.plan);
  if (!plan) return tl::unexpected(plan.error());
  if (flags.into.empty()) return document;
  if (*plan == nullptr) return input_error(fmt::format("{}: there is no plan to put into a model", flags.in));
  Result<Document> model = open_document(flags.into, ReadOptions{});
  if (!model) return model;
  if (model->original == nullptr || model->facts.format != format.id) {
    return usage_error(fmt::format("--into {}: {} is not written into a copy of that file ({})", flags.into, format.id,
                                   model->facts.format));
  }
  return with_plan(std::move(*model), document, **plan);
}

Exit convert(const ConvertFlags& flags) {
  Outputs outputs;
  const Result<const Format*> format = format_to_write(flags.out, flags.to);
  if (!format) return end_with(format.error());
  if (const Result<void> expected = outputs.expect(flags.out); !expected) return end_with(expected.error());
  Result<Document> read = read_document_file(flags.in, flags.reading);
  if (!read) return end_with(read.error());
  const Result<Document> document = document_to_write(std::move(*read), **format, flags);
  if (!document) return end_with(document.error());

  Result<std::string> bytes = (*format)->write(*document, WriteOptions{flags.plan, flags.problem_only});
  if (!bytes) return end_with(bytes.error());
  const std::string lost = lost_words(*document, **format, *bytes, flags);
  outputs.add(flags.out, std::move(*bytes));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (flags.out != "-") {
    say(fmt::format("written: {} ({}, {} buffers)", flags.out, (*format)->id, document->problem->size()));
  }
  if (!lost.empty()) say(lost);
  return Exit::kFine;
}

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<ConvertFlags>();
  CLI::App& command = *program.add_subcommand("convert", "Write a file in another format");
  command.add_option("IN", flags->in, "The file to read, '-', or network:NAME[:KEY=VALUE,...]")->required();
  command.add_option("OUT", flags->out, "The file to write, in the format of its ending, or '-'")->required();
  command.add_option("--to", flags->to, "The format to write, whatever the ending")->type_name("FORMAT");
  command
      .add_option("--into", flags->into,
                  "The model (.tflite) that the plan is for: OUT is a copy of it with the plan in it")
      ->type_name("FILE");
  command.add_option("--plan", flags->plan, "The plan to write where only one fits; without it the last")
      ->type_name("ID");
  command.add_flag("--problem-only", flags->problem_only, "Leave plans out");
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return convert(*flags);
    };
  });
}

}  // namespace stowage
