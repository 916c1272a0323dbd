#include "app/commands/planning.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/progress_line.h"
#include "core/allocators/threads_param.h"
#include "core/model/load.h"

namespace stowage {
namespace {

PlanReport report_of(const Candidate& candidate, const Problem& problem, const ProblemMetrics& facts) {
  PlanReport report;
  report.allocator = candidate.plan.allocator;
  report.buffers = static_cast<std::int64_t>(problem.size());
  report.load = facts.load;
  report.lower_bound = facts.lower_bound;
  report.padding = facts.padding;
  report.makespan = candidate.metrics.makespan;
  report.overhead = candidate.metrics.overhead;
  report.optimal = candidate.metrics.optimal;
  report.fits = candidate.metrics.fits;
  report.status = std::string(name_of(candidate.status));
  return report;
}

/// A search that has shown that no plan can be lower than so knows more than load and pins. With several spaces its
/// bound speaks of one of them only.
void raise_bound(PlanReport& report, const Allocator& allocator, const Problem& problem, const RunResult& run) {
  if (!allocator.can.exact || problem.spaces().size() != 1 || !run.lower_bound) return;
  if (*run.lower_bound <= report.lower_bound || *run.lower_bound > report.makespan) return;
  report.lower_bound = *run.lower_bound;
  report.optimal = report.makespan == report.lower_bound;
}

/// The end of the highest pin in a space.
std::int64_t highest_pin(const Problem& problem, std::uint16_t space) {
  std::int64_t highest = 0;
  for (const Buffer& buffer : problem.buffers()) {
    if (buffer.space == space && buffer.is_fixed() && buffer.takes_memory()) {
      highest = std::max(highest, buffer.fixed + buffer.size);
    }
  }
  return highest;
}

std::string proof_of(const Problem& problem, std::uint16_t space, std::int64_t capacity, RunStatus status) {
  const std::int64_t load = least_load(problem, space);
  if (load > capacity) return fmt::format("the load alone is {} bytes", load);
  const std::int64_t pin = problem.has_fixed() ? highest_pin(problem, space) : 0;
  if (pin > capacity) return fmt::format("a fixed offset ends at {} bytes", pin);
  if (status == RunStatus::kProvedInfeasible) return "the search tried everything";
  const bool one_space = problem.spaces().size() == 1;
  if (status == RunStatus::kProvedOptimal && one_space) return "the plan is the lowest there is";
  return {};
}

}  // namespace

Result<ParamValues> parse_params(const std::vector<std::string>& set) {
  ParamValues values;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return usage_error(fmt::format("--set {}: a parameter is given as KEY=VALUE", text));
    }
    values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return values;
}

bool uses_threads(const Allocator& allocator) {
  return std::any_of(allocator.params.begin(), allocator.params.end(),
                     [](const ParamSpec& spec) { return spec.key == kThreadsKey; });
}

void add_planning_options(CLI::App& command, PlanningFlags& flags, bool with_set) {
  const std::string group = "Planning";
  if (with_set) {
    command.add_option("--set", flags.set, "A parameter of the allocator (repeatable; see: stowage list allocators)")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all()
        ->group(group);
    command
        .add_option("--threads", flags.threads,
                    "How many threads may search, or auto; the plan is the same with any number (default 1)")
        ->type_name("N|auto")
        ->group(group);
  }
  command.add_option("--seed", flags.seed, "The seed of allocators that draw random numbers (default 0)")
      ->type_name("N")
      ->group(group);
  add_seconds_option(command, "--time-limit", flags.time_limit, "Stop each allocator after this time")->group(group);
}

RunContext context_of(const PlanningFlags& flags) {
  RunContext context;
  context.seed = flags.seed;
  if (flags.time_limit) {
    // A limit beyond a century is none; the clock could not hold it.
    const double seconds = std::min(*flags.time_limit, 3.0e9);
    context.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  return context;
}

Result<Candidate> run_candidate(const Allocator& allocator, const Problem& problem, const ProblemMetrics& facts,
                                const PlanningFlags& flags, std::stop_token stop, StepLog* steps) {
  Result<ParamValues> params = parse_params(flags.set);
  if (!params) return tl::unexpected(params.error());
  if (!flags.threads.empty() && uses_threads(allocator)) (*params)[kThreadsKey] = flags.threads;
  RunContext context = context_of(flags);
  context.stop = std::move(stop);
  context.steps = steps;
  Result<PlannedRun> run = [&] {
    ProgressLine line(allocator.id);
    context.progress = line.taker();
    return run_allocator(allocator, problem, *params, context);
  }();
  if (!run) return tl::unexpected(run.error());

  Candidate candidate;
  candidate.plan = std::move(run->plan);
  candidate.boxes = std::move(run->result.boxes);
  candidate.boxing = std::move(run->result.boxing);
  candidate.status = run->result.status;
  const std::vector<std::int64_t>& offsets = candidate.plan.offsets;
  const auto missing = std::count(offsets.begin(), offsets.end(), kNoOffset);
  if (candidate.status == RunStatus::kStopped && missing > 0) {
    return fail(Error::Kind::kCancelled,
                fmt::format("{}: stopped with {} of {} buffers placed", allocator.id,
                            offsets.size() - static_cast<std::size_t>(missing), problem.size()));
  }
  candidate.metrics = measure(problem, facts, candidate.plan);
  candidate.report = report_of(candidate, problem, facts);
  raise_bound(candidate.report, allocator, problem, run->result);
  candidate.report.seconds = run->result.seconds;
  candidate.report.iterations = run->result.iterations;
  if (candidate.status == RunStatus::kStopped) candidate.report.message = "stopped early; the best plan until then";
  return candidate;
}

void check_candidate(Candidate& candidate, const Problem& problem) {
  if (candidate.checked) return;
  candidate.issues = check_plan(problem, candidate.plan);
  candidate.checked = true;
  candidate.report.valid = candidate.issues.valid();
  candidate.report.issues = candidate.issues.count;
}

Candidate candidate_of_file(const Plan& plan, const Problem& problem, const ProblemMetrics& facts) {
  Candidate candidate;
  candidate.plan = plan;
  candidate.metrics = measure(problem, facts, plan);
  candidate.report = report_of(candidate, problem, facts);
  candidate.report.allocator = "file";
  check_candidate(candidate, problem);
  return candidate;
}

Result<AllCandidates> run_all(const Problem& problem, const ProblemMetrics& facts, const PlanningFlags& flags,
                              bool also_slow, std::stop_token stop) {
  AllCandidates all;
  for (const Allocator& allocator : allocators()) {
    if (!also_slow && !allocator.runs_unasked(problem)) continue;
    Result<Candidate> candidate = run_candidate(allocator, problem, facts, flags, stop);
    if (stop.stop_requested()) return fail(Error::Kind::kCancelled, "nothing has been written");
    if (!candidate) {
      PlanReport refused;
      refused.allocator = allocator.id;
      refused.buffers = static_cast<std::int64_t>(problem.size());
      refused.load = facts.load;
      refused.lower_bound = facts.lower_bound;
      refused.status = candidate.error().kind == Error::Kind::kRefused ? "refused" : "stopped";
      refused.message = candidate.error().message;
      all.refused.push_back(std::move(refused));
      continue;
    }
    all.candidates.push_back(std::move(*candidate));
    if (all.candidates.back().metrics.makespan < all.candidates[all.best].metrics.makespan) {
      all.best = all.candidates.size() - 1;
    }
  }
  if (all.candidates.empty()) {
    const std::string why = all.refused.empty() ? "none is registered" : all.refused.front().message;
    return fail(Error::Kind::kRefused, "no allocator has a plan: " + why);
  }
  return all;
}

std::optional<CapacityMiss> capacity_miss(const Problem& problem, const Plan& plan, RunStatus status) {
  std::optional<CapacityMiss> worst;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const auto space = static_cast<std::uint16_t>(s);
    const std::optional<std::int64_t> capacity = problem.capacity(space);
    if (!capacity) continue;
    const std::int64_t missed = makespan_of_space(problem, plan, space) - *capacity;
    if (missed <= 0 || (worst && worst->bytes >= missed)) continue;
    worst = CapacityMiss{missed, *capacity, problem.spaces().size() > 1 ? problem.spaces()[s].id : std::string(),
                         proof_of(problem, space, *capacity, status)};
  }
  return worst;
}

std::string describe(const CapacityMiss& miss) {
  const std::string where = miss.space.empty() ? std::string() : " of space " + miss.space;
  const std::string proof = miss.proof.empty() ? "not proven" : "proven: " + miss.proof;
  return fmt::format("does not fit in the {} bytes{}: misses by {} bytes, {}", miss.capacity, where, miss.bytes, proof);
}

}  // namespace stowage
