#include "app/commands/plan_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "app/commands/reading.h"
#include "app/commands/table.h"
#include "core/base/text.h"

namespace stowage {
namespace {

std::string heading(const Document& document) {
  const Problem& problem = *document.problem;
  const std::uint64_t left_out = document.facts.left_out;
  std::string words = fmt::format("{}: {} buffers{}, {}, times {}\n", shown_name(document.path),
                                  format_count(static_cast<std::int64_t>(problem.size())),
                                  left_out == 0 ? ""
                                                : fmt::format(" ({} left out, see the warnings)",
                                                              format_count(static_cast<std::int64_t>(left_out))),
                                  document.facts.format, document.facts.times);
  if (document.staged != nullptr) {
    words += fmt::format("a graph of {} ops: {}\n",
                         format_count(static_cast<std::int64_t>(document.staged->graph.ops().size())),
                         describe(document.recipe));
  }
  return words;
}

std::string proof_text(const PlanReport& report) {
  if (report.optimal) return "optimal: no plan can be lower";
  return "at least " + bytes_text(report.lower_bound) + " are needed";
}

std::string fits_text(const Problem& problem, const Candidate& candidate) {
  const auto miss = capacity_miss(problem, candidate.plan, candidate.status);
  return miss ? "no: misses by " + bytes_text(miss->bytes) : std::string("yes");
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 1024) return format_bytes(bytes);
  return fmt::format("{} ({})", format_bytes(bytes), format_exact_bytes(bytes));
}

std::string with_line_feed(std::string text) {
  if (text.empty() || text.back() != '\n') text += '\n';
  return text;
}

std::string plan_text(const Document& document, const ProblemMetrics& facts, const AllCandidates& all) {
  const Candidate& best = all.candidates[all.best];
  const PlanReport& report = best.report;
  const Problem& problem = *document.problem;
  const std::size_t tried = all.candidates.size() + all.refused.size();

  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.add({"allocator", tried > 1 ? fmt::format("{}, the best of {}", report.allocator, tried) : report.allocator});
  table.add({"makespan", bytes_text(report.makespan)});
  table.add({"load", bytes_text(report.load)});
  table.add({"overhead", overhead_text(report.overhead) + ", " + proof_text(report)});
  table.add({"no reuse", bytes_text(facts.naive)});
  if (report.padding > 0) table.add({"padding", bytes_text(report.padding)});
  if (const auto capacity = problem.capacity()) {
    table.add({"capacity", bytes_text(*capacity)});
    table.add({"fits", fits_text(problem, best)});
    table.add({"below it", fmt::format("{} of {} buffers", format_count(report.fits), format_count(report.buffers))});
  }
  table.add({"valid", report.valid ? "yes" : fmt::format("no: {} issues", report.issues)});
  table.add({"time", format_seconds(report.seconds)});
  return heading(document) + table.text();
}

std::string all_plans_text(const Document& document, const ProblemMetrics& facts, const AllCandidates& all) {
  const Problem& problem = *document.problem;
  std::vector<std::size_t> rank(all.candidates.size());
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  std::stable_sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) {
    return all.candidates[a].metrics.makespan < all.candidates[b].metrics.makespan;
  });
  const bool limited = problem.capacity().has_value();

  using Align = Table::Align;
  std::vector<Align> aligns = {Align::kLeft, Align::kRight, Align::kRight, Align::kLeft, Align::kLeft};
  std::vector<std::string> header = {"allocator", "makespan", "overhead", "optimal", "valid"};
  if (limited) {
    aligns.push_back(Align::kLeft);
    header.emplace_back("fits");
  }
  aligns.push_back(Align::kRight);
  header.emplace_back("time");
  Table table(aligns);
  table.add(header);
  table.add_rule();
  for (const std::size_t k : rank) {
    const Candidate& candidate = all.candidates[k];
    const PlanReport& report = candidate.report;
    std::vector<std::string> cells = {report.allocator, format_bytes(report.makespan), overhead_text(report.overhead),
                                      report.optimal ? "yes" : "", report.valid ? "yes" : "no"};
    if (limited) cells.push_back(fits_text(problem, candidate));
    cells.push_back(format_seconds(report.seconds));
    table.add(std::move(cells));
  }
  std::string text =
      heading(document) + fmt::format("load {}, no reuse {}\n\n", bytes_text(facts.load), bytes_text(facts.naive));
  text += table.text();
  for (const PlanReport& refused : all.refused) text += refused.message + "\n";
  return text;
}

}  // namespace stowage
