#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/allocators/allocator.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/report_json.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/run/run.h"

namespace stowage {

/// How to run allocators; shared by plan, export and compare.
struct PlanningFlags {
  std::uint64_t seed = 0;
  std::optional<double> time_limit;  // seconds, for each allocator
  std::vector<std::string> set;      // KEY=VALUE
  std::string threads;               // of an allocator that searches with several; empty: its own default
};

/// Whether an allocator takes a number of threads.
bool uses_threads(const Allocator& allocator);

/// The values of --set; a usage error for what is not KEY=VALUE.
Result<ParamValues> parse_params(const std::vector<std::string>& set);

/// Adds --seed, --time-limit and, for a single allocator, --set and --threads.
void add_planning_options(CLI::App& command, PlanningFlags& flags, bool with_set);

/// Seed and deadline: the time limit counts from now.
RunContext context_of(const PlanningFlags& flags);

/// One run of one allocator and everything that is shown of it.
struct Candidate {
  Plan plan;
  PlanMetrics metrics;
  RunStatus status = RunStatus::kComplete;
  CheckReport issues;
  bool checked = false;
  PlanReport report;
  std::vector<Box> boxes;            // of an allocator that builds some, in all spaces
  std::vector<BoxingReport> boxing;  // how they came to be
};

/// Runs one allocator and measures its plan; the steps are recorded when a log is given. A plan that was stopped
/// before every buffer had its place is an error (cancelled).
Result<Candidate> run_candidate(const Allocator& allocator, const Problem& problem, const ProblemMetrics& facts,
                                const PlanningFlags& flags, std::stop_token stop, StepLog* steps = nullptr);

/// Checks the candidate's plan with the independent checker and fills in `valid` and `issues` of its report.
void check_candidate(Candidate& candidate, const Problem& problem);

/// Measures and checks a plan that came with a file, as if an allocator "file" had made it.
Candidate candidate_of_file(const Plan& plan, const Problem& problem, const ProblemMetrics& facts);

/// All registered allocators on one problem, in their order; the slow ones only on demand. Refusals are reports with
/// status "refused"; stops when interrupted (cancelled).
struct AllCandidates {
  std::vector<Candidate> candidates;
  std::vector<PlanReport> refused;
  std::size_t best = 0;  // the smallest makespan; the first registered one of equals
};
Result<AllCandidates> run_all(const Problem& problem, const ProblemMetrics& facts, const PlanningFlags& flags,
                              bool also_slow, std::stop_token stop);

/// A plan above the capacity of a space: by how many bytes, and whether no plan can fit.
struct CapacityMiss {
  std::int64_t bytes = 0;
  std::int64_t capacity = 0;
  std::string space;  // empty when the problem has only one
  std::string proof;  // why no plan fits; empty when that is not proven
};
/// The space that misses most, or nothing when all fit.
std::optional<CapacityMiss> capacity_miss(const Problem& problem, const Plan& plan, RunStatus status);
/// "does not fit in 256 bytes: misses by 96 bytes, not proven".
std::string describe(const CapacityMiss& miss);

}  // namespace stowage
