#include "app/commands/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/commands/plan_text.h"
#include "app/commands/reading.h"
#include "app/commands/table.h"
#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::size_t kBarColumns = 40;
constexpr double kCutAt = 2.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool has_plan(const PlanReport& report) {
  return report.status != "refused" && report.status != "none" && report.status != "no plan";
}

std::string ratio_text(double ratio) {
  return std::isnan(ratio) ? "-" : fmt::format("{:.3f}", ratio);
}

/// The ratio that a full bar stands for. Longer ones are cut, or no reuse at all would flatten all others.
double longest_bar(const Comparison& comparison) {
  double largest = 0;
  for (std::size_t a = 0; a < comparison.allocators.size(); ++a) {
    const double mean = mean_ratio(comparison, a);
    if (!std::isnan(mean)) largest = std::max(largest, mean);
  }
  return std::min(largest, kCutAt);
}

std::string bar_of(double ratio, double longest) {
  return text_bar(ratio, longest, kBarColumns) + (ratio > longest ? " ..." : "");
}

/// What is worth a word about a result: why there is none, or what is special about the plan.
std::string note_of(const PlanReport& report) {
  if (!has_plan(report)) return report.message;
  if (!report.valid) return "not valid";
  if (report.status == "stopped") return report.optimal ? "optimal, stopped" : "stopped";
  return report.optimal ? "optimal" : "";
}

/// Time, iterations and time for each of them; blank for the plan of a file.
std::vector<std::string> cost_cells(double seconds, std::int64_t iterations) {
  if (iterations == 0) return {"", "", ""};
  return {format_seconds(seconds), format_count(iterations), format_seconds(seconds / static_cast<double>(iterations))};
}

std::string one_file_text(const Comparison& comparison) {
  using Align = Table::Align;
  const double longest = longest_bar(comparison);
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kLeft,
               Align::kLeft});
  table.add({"allocator", "makespan", "/ load", "time", "iterations", "each", "", ""});
  table.add_rule();
  for (const PlanReport& report : comparison.cells.front()) {
    if (!has_plan(report)) {
      table.add({report.allocator, "-", "-", "", "", "", "", note_of(report)});
      continue;
    }
    std::vector<std::string> cells = {report.allocator, format_bytes(report.makespan), ratio_text(ratio_of(report))};
    for (std::string& cell : cost_cells(report.seconds, report.iterations)) cells.push_back(std::move(cell));
    cells.push_back(bar_of(ratio_of(report), longest));
    cells.push_back(note_of(report));
    table.add(std::move(cells));
  }
  const PlanReport& first = comparison.cells.front().front();
  return fmt::format("{}: {} buffers, load {}\n\n", shown_name(comparison.files.front()), format_count(first.buffers),
                     bytes_text(first.load)) +
         table.text();
}

/// A line for each allocator: there may be forty of them, and hardly as many files.
std::string matrix_text(const Comparison& comparison) {
  std::vector<Table::Align> aligns(comparison.files.size() + 2, Table::Align::kRight);
  aligns.front() = Table::Align::kLeft;
  std::vector<std::string> header = {"allocator"};
  std::vector<std::string> loads = {"load"};
  for (std::size_t f = 0; f < comparison.files.size(); ++f) {
    header.push_back(shown_name(comparison.files[f]));
    loads.push_back(format_bytes(comparison.cells[f].front().load));
  }
  header.emplace_back("geometric mean");
  loads.emplace_back("");
  Table table(aligns);
  table.add_broken_header(header);
  table.add(std::move(loads));
  table.add_rule();
  for (std::size_t a = 0; a < comparison.allocators.size(); ++a) {
    std::vector<std::string> cells = {comparison.allocators[a]};
    for (const std::vector<PlanReport>& row : comparison.cells) {
      cells.push_back(ratio_text(ratio_of(row[a])) + (has_plan(row[a]) && !row[a].valid ? "!" : ""));
    }
    cells.push_back(ratio_text(mean_ratio(comparison, a)));
    table.add(std::move(cells));
  }
  return "makespan / load; 1.000 is the least there can be\n\n" + table.text();
}

/// Over all files: how many have no plan and why, how many were stopped.
std::string note_over_files(const Comparison& comparison, std::size_t allocator) {
  std::size_t without = 0;
  std::size_t stopped = 0;
  std::string why;
  for (const std::vector<PlanReport>& row : comparison.cells) {
    const PlanReport& report = row[allocator];
    without += has_plan(report) ? 0U : 1U;
    stopped += report.status == "stopped" ? 1U : 0U;
    if (!has_plan(report) && why.empty()) why = report.message;
  }
  std::string note;
  if (without > 0) note = fmt::format("no plan for {} of {}: {}", without, comparison.files.size(), why);
  if (stopped > 0)
    note += fmt::format("{}stopped at {} of {}", note.empty() ? "" : "; ", stopped, comparison.files.size());
  return note;
}

std::string mean_bars(const Comparison& comparison) {
  using Align = Table::Align;
  const double longest = longest_bar(comparison);
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kLeft, Align::kLeft});
  table.add({"over all files", "mean", "time", "iterations", "each", "", ""});
  table.add_rule();
  for (std::size_t a = 0; a < comparison.allocators.size(); ++a) {
    double seconds = 0;
    std::int64_t iterations = 0;
    for (const std::vector<PlanReport>& row : comparison.cells) {
      seconds += row[a].seconds;
      iterations += row[a].iterations;
    }
    const double mean = mean_ratio(comparison, a);
    std::vector<std::string> cells = {comparison.allocators[a], ratio_text(mean)};
    for (std::string& cell : cost_cells(seconds, iterations)) cells.push_back(std::move(cell));
    cells.push_back(std::isnan(mean) ? "" : bar_of(mean, longest));
    cells.push_back(note_over_files(comparison, a));
    table.add(std::move(cells));
  }
  return table.text();
}

/// A cell of a CSV file: quoted when it has to be (RFC 4180).
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_number(double number) {
  return std::isnan(number) ? std::string() : fmt::format("{:.6f}", number);
}

}  // namespace

double ratio_of(const PlanReport& report) {
  if (!has_plan(report)) return kNone;
  if (report.load == 0) return report.makespan == 0 ? 1.0 : kNone;
  return static_cast<double>(report.makespan) / static_cast<double>(report.load);
}

double mean_ratio(const Comparison& comparison, std::size_t allocator) {
  double sum = 0;
  int count = 0;
  for (const std::vector<PlanReport>& row : comparison.cells) {
    const double ratio = ratio_of(row[allocator]);
    // A plan of a file may be so broken that it reaches below zero bytes; it has no place in a product.
    if (std::isnan(ratio) || ratio <= 0) continue;
    sum += std::log(ratio);
    ++count;
  }
  return count == 0 ? kNone : std::exp(sum / count);
}

std::string comparison_text(const Comparison& comparison) {
  if (comparison.files.size() == 1) return one_file_text(comparison);
  return matrix_text(comparison) + "\n" + mean_bars(comparison);
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "file,allocator,buffers,load,lower_bound,makespan,ratio,optimal,valid,status,seconds,"
      "iterations,seconds_per_iteration,message\n";
  for (std::size_t f = 0; f < comparison.files.size(); ++f) {
    for (const PlanReport& report : comparison.cells[f]) {
      if (report.status == "none") continue;
      const std::string makespan = has_plan(report) ? fmt::format("{}", report.makespan) : std::string();
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{:.6f},{},{:.9f},{}\n", csv_cell(comparison.files[f]),
                          report.allocator, report.buffers, report.load, report.lower_bound, makespan,
                          csv_number(ratio_of(report)), report.optimal, report.valid, report.status, report.seconds,
                          report.iterations, report.seconds_per_iteration(), csv_cell(report.message));
    }
  }
  for (std::size_t a = 0; a < comparison.allocators.size(); ++a) {
    text += fmt::format("geometric mean,{},,,,,{},,,,,,,\n", comparison.allocators[a],
                        csv_number(mean_ratio(comparison, a)));
  }
  return text;
}

BarsInput comparison_bars(const Comparison& comparison) {
  BarsInput bars;
  bars.title = "Allocators side by side";
  bars.columns = comparison.allocators;
  const auto name_of_file = [](const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return printable_utf8(path == "-" ? shown_name(path) : name);
  };
  for (std::size_t f = 0; f < comparison.files.size(); ++f) {
    bars.rows.push_back(name_of_file(comparison.files[f]));
    std::vector<double> ratios;
    for (const PlanReport& report : comparison.cells[f]) ratios.push_back(ratio_of(report));
    bars.ratios.push_back(std::move(ratios));
  }
  if (comparison.files.size() > 1) {
    bars.rows.emplace_back("geometric mean");
    std::vector<double> means;
    for (std::size_t a = 0; a < comparison.allocators.size(); ++a) means.push_back(mean_ratio(comparison, a));
    bars.ratios.push_back(std::move(means));
  }
  return bars;
}

}  // namespace stowage
