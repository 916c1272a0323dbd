#include <map>
#include <memory>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/reading.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/io/report_json.h"
#include "core/model/check.h"
#include "core/model/load.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

struct InfoFlags {
  std::string file;
  bool json = false;
  ReadingFlags reading;
};

/// What only some buffers have, counted.
struct Counts {
  std::int64_t fixed = 0, gaps = 0, aligned = 0, empty = 0;
  std::map<std::uint16_t, std::int64_t> kinds;
};

Counts count(const Problem& problem) {
  Counts counts;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    if (buffer.is_fixed()) ++counts.fixed;
    if (!problem.gaps(i).empty()) ++counts.gaps;
    if (buffer.alignment > 1) ++counts.aligned;
    if (!buffer.takes_memory()) ++counts.empty;
    ++counts.kinds[buffer.kind];
  }
  return counts;
}

std::string kinds_text(const Problem& problem, const Counts& counts) {
  std::string text;
  for (const auto& kind : counts.kinds) {
    const std::string& name = problem.kinds()[kind.first];
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.second,
                        kind.first == 0 ? "of no kind" : printable_utf8(name));
  }
  return text;
}

std::string capacity_text(const Document& document) {
  if (const auto capacity = document.problem->capacity()) return bytes_text(*capacity);
  const std::string& hint = document.facts.capacity_hint;
  return hint.empty() ? "none" : "none (" + hint + ")";
}

void add_spaces(const Problem& problem, Table& table) {
  if (problem.spaces().size() < 2) return;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const Space& space = problem.spaces()[s];
    const auto capacity = problem.capacity(static_cast<std::uint16_t>(s));
    table.add({"space " + printable_utf8(space.id),
               fmt::format("load {}{}", bytes_text(load(problem, static_cast<std::uint16_t>(s))),
                           capacity ? ", capacity " + bytes_text(*capacity) : std::string())});
  }
}

void add_plans(const Document& document, const ProblemMetrics& facts, Table& table) {
  for (const Plan& plan : document.plans) {
    const PlanMetrics metrics = measure(*document.problem, facts, plan);
    const CheckReport report = check_plan(*document.problem, plan);
    table.add(
        {"plan " + plan.id,
         fmt::format("makespan {}, overhead {}, {}", bytes_text(metrics.makespan), overhead_text(metrics.overhead),
                     report.valid() ? std::string("valid")
                                    : fmt::format("{} issues (stowage check lists them)",
                                                  format_count(static_cast<std::int64_t>(report.count))))});
  }
  if (document.plans.empty()) table.add({"plan", "none"});
}

std::string info_text(const Document& document, const ProblemMetrics& facts) {
  const Problem& problem = *document.problem;
  const Counts counts = count(problem);
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.add({"format", document.facts.format});
  table.add({"times", document.facts.times});
  table.add({"offsets", document.facts.offsets});
  table.add({"buffers", format_count(static_cast<std::int64_t>(problem.size()))});
  if (counts.kinds.size() > 1 || counts.kinds.count(0) == 0) table.add({"kinds", kinds_text(problem, counts)});
  if (counts.fixed > 0) table.add({"fixed", format_count(counts.fixed)});
  if (counts.gaps > 0) table.add({"with gaps", format_count(counts.gaps)});
  if (counts.aligned > 0) table.add({"aligned", format_count(counts.aligned)});
  if (counts.empty > 0) table.add({"empty", format_count(counts.empty) + " take no memory"});
  table.add({"horizon", fmt::format("[{}, {})", facts.horizon_low, facts.horizon_high)});
  table.add({"load", bytes_text(facts.load)});
  if (facts.load > 0) table.add({"at its peak", fmt::format("[{}, {})", facts.peak_start, facts.peak_end)});
  if (facts.lower_bound > facts.load)
    table.add({"lower bound", bytes_text(facts.lower_bound) + ", from fixed offsets"});
  table.add({"no reuse", bytes_text(facts.naive)});
  table.add({"capacity", capacity_text(document)});
  add_spaces(problem, table);
  add_plans(document, facts, table);
  if (document.facts.left_out > 0) {
    table.add({"left out", format_count(static_cast<std::int64_t>(document.facts.left_out)) + ", listed below"});
  }

  std::string text = shown_name(document.path) + "\n" + table.text();
  for (const std::string& warning : document.facts.warnings) text += "warning: " + warning + "\n";
  return text;
}

Exit info(const InfoFlags& flags) {
  const Result<Document> document = read_document_file(flags.file, flags.reading, true);
  if (!document) return end_with(document.error());
  const ProblemMetrics facts = measure(*document->problem);
  Outputs outputs;
  outputs.print(flags.json ? with_line_feed(info_json(*document, facts)) : info_text(*document, facts));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<InfoFlags>();
  CLI::App& command = *program.add_subcommand("info", "Say what is in a file and how it was read");
  command.add_option("FILE", flags->file, "The file, '-', or network:NAME[:KEY=VALUE,...]")->required();
  add_following_files(command, flags->reading);
  command.add_flag("--json", flags->json, "Print it as JSON");
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return info(*flags);
    };
  });
}

}  // namespace stowage
