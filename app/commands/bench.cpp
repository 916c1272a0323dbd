#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/bench_sets.h"
#include "app/commands/command.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/planning.h"
#include "app/commands/table.h"
#include "core/allocators/allocator.h"
#include "core/allocators/threads_param.h"
#include "core/base/text.h"
#include "core/io/bench_report.h"
#include "core/io/file.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

struct BenchFlags {
  std::vector<std::string> sets;
  std::vector<std::string> allocators;
  std::int64_t seeds = 5;
  std::optional<double> time_limit = 10;
  std::string threads = "1";
  std::optional<std::int64_t> capacity;
  bool json = false;
  std::vector<std::string> compare;  // two result files
};

/// CPU time of all threads of this program: another one on the machine does not count.
double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The middle one, of two the lower; needs one.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

RunContext context_for(const BenchFlags& flags, std::uint64_t seed, std::stop_token stop) {
  RunContext context;
  context.seed = seed;
  context.stop = std::move(stop);
  context.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                            std::chrono::duration<double>(*flags.time_limit));
  return context;
}

BenchResult measure_one(const BenchProblem& entry, const Problem& problem, const ProblemMetrics& facts,
                        const Allocator& allocator, const BenchFlags& flags, const std::stop_token& stop) {
  BenchResult result;
  result.set = entry.set;
  result.problem = entry.name;
  result.allocator = allocator.id;
  result.buffers = static_cast<std::int64_t>(problem.size());
  result.reference = entry.optimum > 0 ? entry.optimum : facts.lower_bound;
  ParamValues params;
  if (uses_threads(allocator)) params[kThreadsKey] = flags.threads;
  std::vector<double> ratios;
  std::vector<double> seconds;
  for (std::int64_t seed = 1; seed <= flags.seeds && !stop.stop_requested(); ++seed) {
    RunContext context = context_for(flags, static_cast<std::uint64_t>(seed), stop);
    const double begin = cpu_seconds();
    const auto run = run_allocator(allocator, problem, params, context);
    const double took = cpu_seconds() - begin;
    if (!run) {
      result.refused += run.error().kind == Error::Kind::kRefused ? 1 : 0;
      continue;
    }
    const CheckReport check = check_plan(problem, run->plan);
    const bool too_high_only = std::all_of(check.issues.begin(), check.issues.end(),
                                           [](const Issue& issue) { return issue.kind == IssueKind::kOverCapacity; });
    if (!check.valid() && !too_high_only) continue;
    const auto makespan = static_cast<double>(measure(problem, facts, run->plan).makespan);
    ratios.push_back(result.reference > 0 ? makespan / static_cast<double>(result.reference) : 1);
    seconds.push_back(took);
    result.proved +=
        run->result.status == RunStatus::kProvedOptimal || run->result.status == RunStatus::kProvedInfeasible ? 1 : 0;
  }
  result.runs = static_cast<std::int64_t>(ratios.size());
  if (ratios.empty()) return result;
  result.ratio_median = median(ratios);
  result.ratio_worst = *std::max_element(ratios.begin(), ratios.end());
  result.seconds_median = median(seconds);
  result.seconds_worst = *std::max_element(seconds.begin(), seconds.end());
  return result;
}

std::string results_text(const std::vector<BenchResult>& results) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
               Align::kRight, Align::kRight});
  table.add({"problem", "buffers", "allocator", "runs", "proved", "ratio", "worst", "CPU s", "worst"});
  table.add_rule();
  for (const BenchResult& r : results) {
    std::vector<std::string> row = {printable_utf8(r.problem), format_count(r.buffers), r.allocator,
                                    format_count(r.runs)};
    if (r.runs > 0) {
      for (std::string& cell : std::vector<std::string>{
               format_count(r.proved), fmt::format("{:.5f}", r.ratio_median), fmt::format("{:.5f}", r.ratio_worst),
               fmt::format("{:.4f}", r.seconds_median), fmt::format("{:.4f}", r.seconds_worst)}) {
        row.push_back(std::move(cell));
      }
    } else if (r.refused > 0) {
      row.emplace_back("refused");
    }
    table.add(std::move(row));
  }
  return table.text();
}

Exit run_bench(const BenchFlags& flags) {
  if (const auto threads = parse_threads(flags.threads); !threads) {
    return end_with(Error{Error::Kind::kUsage, "--" + threads.error().message});
  }
  std::vector<BenchProblem> problems;
  for (const std::string& set : flags.sets) {
    Result<std::vector<BenchProblem>> more = bench_set(set);
    if (!more) return end_with(more.error());
    std::move(more->begin(), more->end(), std::back_inserter(problems));
  }
  std::vector<const Allocator*> chosen;
  for (const std::string& id : flags.allocators) {
    const auto found = allocator_by_id(id);
    if (!found) return end_with(found.error());
    chosen.push_back(*found);
  }
  std::vector<BenchResult> results;
  const Interrupt interrupt;
  for (const BenchProblem& entry : problems) {
    Result<Problem> problem = entry.make();
    if (!problem) return end_with(problem.error());
    if (flags.capacity) {
      auto limited = make_problem(with_capacity(*problem, *flags.capacity));
      if (!limited) return end_with(Error{Error::Kind::kUsage, "--capacity: " + limited.error().front().message});
      *problem = std::move(*limited);
    }
    const ProblemMetrics facts = measure(*problem);
    for (const Allocator* allocator : chosen) {
      if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
      say(fmt::format("{}: {}", entry.name, allocator->id));
      results.push_back(measure_one(entry, *problem, facts, *allocator, flags, interrupt.token()));
    }
  }
  Outputs outputs;
  outputs.print(flags.json ? bench_json(results) + "\n" : results_text(results));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

Result<std::vector<BenchResult>> read_results(const std::string& path) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  return parse_bench_json(*bytes, path);
}

/// What is in both files, with the changes: below 1 the second one is better.
std::string comparison_of_results(const std::vector<BenchResult>& before, const std::vector<BenchResult>& after) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add({"problem", "allocator", "ratio", "now", "CPU s", "now", "times"});
  table.add_rule();
  for (const BenchResult& b : before) {
    const auto a = std::find_if(after.begin(), after.end(), [&](const BenchResult& x) {
      return x.set == b.set && x.problem == b.problem && x.allocator == b.allocator;
    });
    if (a == after.end() || a->runs == 0 || b.runs == 0) continue;
    const double times = b.seconds_median > 0 ? a->seconds_median / b.seconds_median : 1;
    table.add({printable_utf8(b.problem), b.allocator, fmt::format("{:.5f}", b.ratio_median),
               fmt::format("{:.5f}", a->ratio_median), fmt::format("{:.4f}", b.seconds_median),
               fmt::format("{:.4f}", a->seconds_median), fmt::format("{:.2f}", times)});
  }
  return table.text();
}

Exit compare_results(const BenchFlags& flags) {
  const auto before = read_results(flags.compare[0]);
  if (!before) return end_with(before.error());
  const auto after = read_results(flags.compare[1]);
  if (!after) return end_with(after.error());
  Outputs outputs;
  outputs.print(comparison_of_results(*before, *after));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

}  // namespace

void add_bench(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<BenchFlags>();
  flags->sets = {"samples"};
  flags->allocators = {"fast", "best"};
  CLI::App& command =
      *program.add_subcommand("bench", "Measure allocators on sets of problems: medians and worst over seeds");
  command
      .add_option("--set,-s", flags->sets,
                  "samples, tilings, random, staircase, scaling, scaling-large, or a folder or file of problems "
                  "(repeatable; default: samples)")
      ->type_name("NAME|PATH")
      ->expected(1)
      ->take_all();
  command.add_option("--allocators,-a", flags->allocators, "Ids with commas between (default: fast,best)")
      ->type_name("ID,ID,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  command.add_option("--seeds", flags->seeds, "How many seeds, from 1 on (default: 5)")->check(CLI::Range(1, 10'000));
  add_seconds_option(command, "--time-limit", flags->time_limit, "For each run (default: 10s)");
  command.add_option("--threads", flags->threads, "How many threads a search may use, or auto (default 1)")
      ->type_name("N|auto");
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are, for every problem");
  command.add_flag("--json", flags->json, "Print the results as JSON, to be compared later");
  command.add_option("--compare", flags->compare, "Run nothing: compare two results, as --json printed them")
      ->type_name("OLD NEW")
      ->expected(2);
  command.callback([flags, &action] {
    action = [flags] {
      return flags->compare.empty() ? run_bench(*flags) : compare_results(*flags);
    };
  });
}

}  // namespace stowage
