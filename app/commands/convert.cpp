#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/command.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/reading.h"
#include "core/document/losses.h"

namespace stowage {
namespace {

struct ConvertFlags {
  std::string in;
  std::string out;
  std::string to;
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

Exit convert(const ConvertFlags& flags) {
  Outputs outputs;
  const Result<const Format*> format = format_to_write(flags.out, flags.to);
  if (!format) return end_with(format.error());
  if (const Result<void> expected = outputs.expect(flags.out); !expected) return end_with(expected.error());
  const Result<Document> document = read_document_file(flags.in, flags.reading);
  if (!document) return end_with(document.error());
  if (const Result<const Plan*> plan = choose_plan(*document, flags.plan); !plan) return end_with(plan.error());

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
  command.add_option("IN", flags->in, "The file to read, or '-'")->required();
  command.add_option("OUT", flags->out, "The file to write, in the format of its ending, or '-'")->required();
  command.add_option("--to", flags->to, "The format to write, whatever the ending")->type_name("FORMAT");
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
