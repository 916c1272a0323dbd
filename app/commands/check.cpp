#include "core/model/check.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/adjust.h"
#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "core/base/text.h"
#include "core/io/report_json.h"

namespace stowage {
namespace {

constexpr std::size_t kIssuesPrinted = 1000;

struct CheckFlags {
  std::string file;
  std::string plan;
  std::optional<std::int64_t> capacity;
  std::optional<std::int64_t> max_makespan;
  std::optional<double> max_overhead;
  std::string baseline;
  bool json = false;
  ReadingFlags reading;
};

/// The makespan of the plan in another file.
Result<std::int64_t> baseline_makespan(const CheckFlags& flags) {
  const Result<Document> old = read_document_file(flags.baseline, flags.reading, true);
  if (!old) return tl::unexpected(old.error());
  if (old->plans.empty()) return input_error(flags.baseline + ": has no plan to compare with");
  return measure(*old->problem, measure(*old->problem), old->plans.back()).makespan;
}

/// The limits that the plan breaks, in words.
Result<std::vector<std::string>> broken_gates(const CheckFlags& flags, const PlanMetrics& metrics) {
  std::vector<std::string> broken;
  const std::int64_t makespan = metrics.makespan;
  if (flags.max_makespan && makespan > *flags.max_makespan) {
    broken.push_back(fmt::format("makespan {} is above the limit of {} by {} bytes", makespan, *flags.max_makespan,
                                 makespan - *flags.max_makespan));
  }
  if (flags.max_overhead && metrics.overhead > *flags.max_overhead) {
    broken.push_back(fmt::format("overhead {} is above the limit of {}", format_percent(metrics.overhead),
                                 format_percent(*flags.max_overhead)));
  }
  if (!flags.baseline.empty()) {
    const Result<std::int64_t> before = baseline_makespan(flags);
    if (!before) return tl::unexpected(before.error());
    if (makespan > *before) {
      broken.push_back(fmt::format("makespan {} is worse than {} in {} by {} bytes", makespan, *before, flags.baseline,
                                   makespan - *before));
    }
  }
  return broken;
}

std::string report_text(const CheckReport& report, const Problem& problem, const std::vector<std::string>& gates) {
  std::string text;
  for (std::size_t k = 0; k < report.issues.size() && k < kIssuesPrinted; ++k) {
    text += fmt::format("{}\n", describe(report.issues[k], problem));
  }
  if (report.count > kIssuesPrinted) text += fmt::format("... and {} more issues\n", report.count - kIssuesPrinted);
  for (const std::string& gate : gates) text += gate + "\n";
  return text;
}

/// The last line: what was checked, and how it ended.
std::string verdict(const Document& document, const Plan* plan, const CheckReport& report, const PlanMetrics& metrics,
                    const ProblemMetrics& facts) {
  const std::string buffers = format_count(static_cast<std::int64_t>(document.problem->size())) + " buffers";
  if (plan == nullptr) {
    return fmt::format("{}: the problem is sound: {}, load {}; the file has no plan to check\n",
                       shown_name(document.path), buffers, bytes_text(facts.load));
  }
  const std::string ending = report.count == 1 ? "1 issue" : fmt::format("{} issues", report.count);
  return fmt::format("{}: {}: {}, makespan {}, load {}, overhead {}\n", shown_name(document.path),
                     report.valid() ? "valid" : ending, buffers, bytes_text(metrics.makespan), bytes_text(facts.load),
                     overhead_text(metrics.overhead));
}

Exit check(const CheckFlags& flags) {
  if (flags.file == "-" && flags.baseline == "-") {
    return end_with(Error{Error::Kind::kUsage, "standard input can be read only once"});
  }
  Result<Document> document = read_document_file(flags.file, flags.reading);
  if (!document) return end_with(document.error());
  if (const auto adjusted = adjust(*document, Adjustments{flags.capacity, std::nullopt, nullptr}); !adjusted) {
    return end_with(adjusted.error());
  }
  const Problem& problem = *document->problem;
  const Result<const Plan*> plan = choose_plan(*document, flags.plan);
  if (!plan) return end_with(plan.error());

  const ProblemMetrics facts = measure(problem);
  CheckReport report;
  PlanMetrics metrics;
  std::vector<std::string> gates;
  if (*plan != nullptr) {
    report = check_plan(problem, **plan);
    metrics = measure(problem, facts, **plan);
    Result<std::vector<std::string>> broken = broken_gates(flags, metrics);
    if (!broken) return end_with(broken.error());
    gates = std::move(*broken);
  }
  Outputs outputs;
  if (flags.json) {
    outputs.print(with_line_feed(check_report_json(report, problem, gates, metrics.makespan, *plan != nullptr)));
  } else {
    outputs.print(report_text(report, problem, gates));
    outputs.print(verdict(*document, *plan, report, metrics, facts));
  }
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (flags.json && *plan == nullptr) say(shown_name(flags.file) + ": the file has no plan; its problem is sound");
  return report.valid() && gates.empty() ? Exit::kFine : Exit::kFound;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<CheckFlags>();
  CLI::App& command = *program.add_subcommand("check", "List every violation of a file's plan; exit 1 if there is one");
  command.add_option("FILE", flags->file, "The file to check, or '-'")->required();
  command.add_option("--plan", flags->plan, "Which of the file's plans; without it the last")->type_name("ID");
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are");
  add_bytes_option(command, "--max-makespan", flags->max_makespan, "Exit 1 when the makespan is above this");
  add_ratio_option(command, "--max-overhead", flags->max_overhead, "Exit 1 when makespan / load - 1 is above this");
  command.add_option("--baseline", flags->baseline, "Exit 1 when the makespan is above that of the plan in this file")
      ->type_name("OLD");
  command.add_flag("--json", flags->json, "Print the report as JSON");
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return check(*flags);
    };
  });
}

}  // namespace stowage
