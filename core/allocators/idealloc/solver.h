#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/allocators/idealloc/attempt.h"

namespace stowage::idealloc {

/// What the parameters say.
struct Settings {
  ByHand by_hand;
  bool bootstrap = true;
  bool dummy = true;
  std::int64_t lives = 1;  // boxings tried; 0: as many as the deadline allows
  double overhead = 0;     // a makespan of load * (1 + overhead) is good enough
  std::int64_t start_address = 0;
};

/// The parameters that all of the family have.
std::vector<ParamSpec> common_params();
/// Errors: usage, naming the parameter.
Result<Settings> read_settings(const ParamValues& params);

/// The state of one space while boxings are tried.
struct Search {
  Search(const Problem& the_problem, const Site& the_site, const Settings& the_settings, RunContext& the_context)
      : problem(the_problem), site(the_site), settings(the_settings), context(the_context) {}

  const Problem& problem;
  const Site& site;
  const Settings& settings;
  RunContext& context;
  double progress_low = 0;  // the share of the run before this search, and after it
  double progress_high = 1;
  std::int64_t target = 0;            // a makespan that is good enough
  std::optional<Squeezed> placement;  // the best so far
  std::optional<Attempt> boxed;       // the best of those that came from boxes
  std::uint32_t first_box = 0;
  std::int64_t iterations = 0;
  bool stopped = false;
  std::optional<Error> error;  // why there is no placement

  /// Boxes that come above this makespan are of no use.
  std::int64_t limit() const { return boxed ? boxed->squeezed.makespan : kMaxInt64; }
  bool is_good_enough() const { return placement && placement->makespan <= target; }
  void report(double share) const { context.report(progress_low + share * (progress_high - progress_low)); }
  /// Takes over what is better.
  void offer(Result<Attempt> attempt);
};

/// Tries boxings until the search ends.
using TryBoxings = std::function<void(Search&)>;

/// The whole algorithm with one way to choose: prelude and bootstrap in each space, then boxings.
Result<RunResult> solve(const Problem& problem, const Settings& settings, const TryBoxings& try_boxings,
                        RunContext& context);

}  // namespace stowage::idealloc
