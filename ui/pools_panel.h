#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/pools/pool_run.h"
#include "core/pools/trace.h"
#include "core/tasks/background.h"
#include "ui/figure_pane.h"
#include "ui/workbench.h"

namespace stowage {

/// The open problem's lifetimes as a program's requests, served by every online pool, beside the plan that is shown.
struct PoolsPanel {
  struct Played {
    Trace trace;
    std::vector<PoolRun> runs;          // the plan that is shown first, if there is one
    bool planned = false;               // it is there
    std::vector<std::string> refusals;  // "buddy: ...": those that would not run
  };

  std::uint64_t problem_revision = 0;  // for which this was played
  std::uint64_t plan_revision = 0;
  std::string plan;
  std::shared_ptr<const Played> played;
  std::string failure;  // why there is nothing to play
  Background<Result<Played>> work;
  std::string chosen;          // id of the pool whose picture is large; empty: all of them, small
  std::uint64_t revision = 0;  // grows with what the picture shows
  FigurePane figure;
};

/// Plays in the background when the problem or the plan has changed.
void follow_pools(Workbench::State& state);
/// One pool large, or all of them (empty).
void choose_pool(Workbench::State& state, std::string id);

}  // namespace stowage
