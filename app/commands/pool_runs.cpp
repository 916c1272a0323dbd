#include "app/commands/pool_runs.h"

#include <utility>

#include "app/commands/lookup.h"
#include "core/chart/pool_figure.h"
#include "core/pools/planned_pool.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

Result<void> add_pools(const PoolChoice& choice, const PlanningFlags& planning, const Trace& trace,
                       std::stop_token stop, StepLog* steps, std::vector<PoolRow>& rows) {
  const Result<ParamValues> params = parse_params(choice.set);
  if (!params) return tl::unexpected(params.error());
  for (const Pool& pool : pools()) {
    if (!choice.all() && pool.id != choice.pool) continue;
    RunContext context = context_of(planning);
    context.stop = stop;
    context.steps = steps;
    Result<PoolRun> run = run_pool(pool, trace, *params, choice.capacity, context);
    if (!run && (!choice.all() || run.error().kind != Error::Kind::kRefused)) return tl::unexpected(run.error());
    PoolRow row;
    if (run) {
      row.run = std::move(*run);
    } else {
      row.run.pool = pool.id;
      row.error = run.error().message;
    }
    rows.push_back(std::move(row));
  }
  return {};
}

/// The plans of allocators that know the whole trace, played like pools.
Result<void> add_plans(const PoolChoice& choice, const PlanningFlags& planning, const PoolSource& source,
                       std::stop_token stop, std::vector<PoolRow>& rows) {
  const Problem& problem = *source.document.problem;
  std::vector<std::string> ids = choice.with;
  if (ids.empty() && choice.all()) ids.emplace_back("fast");
  const ProblemMetrics facts = measure(problem);
  for (const std::string& id : ids) {
    PoolRow row;
    row.offline = true;
    row.run.pool = id;
    const Result<Candidate> planned = run_candidate(*find_allocator(id), problem, facts, planning, stop);
    if (!planned && planned.error().kind == Error::Kind::kCancelled) return tl::unexpected(planned.error());
    Result<PoolRun> run = planned
                              ? play_plan(id, source.trace, offsets_by_allocation(source.trace, planned->plan.offsets))
                              : Result<PoolRun>(tl::unexpected(planned.error()));
    if (run) {
      row.run = std::move(*run);
      row.run.seconds = planned->report.seconds;
    } else {
      row.error = run.error().message;
    }
    rows.push_back(std::move(row));
  }
  return {};
}

}  // namespace

Result<void> check_pools(const PoolChoice& choice) {
  if (!choice.all()) {
    if (const auto found = pool_by_id(choice.pool); !found) return tl::unexpected(found.error());
  }
  for (const std::string& id : choice.with) {
    if (const auto found = allocator_by_id(id); !found) return tl::unexpected(found.error());
  }
  return {};
}

Result<std::vector<PoolRow>> run_pools(const PoolChoice& choice, const PlanningFlags& planning,
                                       const PoolSource& source, std::stop_token stop, StepLog* steps) {
  std::vector<PoolRow> rows;
  if (auto done = add_pools(choice, planning, source.trace, stop, steps, rows); !done) {
    return tl::unexpected(done.error());
  }
  if (auto done = add_plans(choice, planning, source, stop, rows); !done) return tl::unexpected(done.error());
  return rows;
}

Result<void> add_pool_pictures(const PictureFlags& pictures, const PoolSource& source, const std::vector<PoolRow>& rows,
                               Outputs& outputs) {
  if (!pictures.wanted()) return {};
  const Result<PictureSize> size = parse_size(pictures.size);
  if (!size) return tl::unexpected(size.error());
  PoolFigureInput input;
  input.trace = &source.trace;
  input.axis = source.axis;
  for (const PoolRow& row : rows) {
    if (row.error.empty()) input.runs.push_back(&row.run);
  }
  if (input.runs.empty()) return fail(Error::Kind::kRefused, "there is nothing to draw: " + rows.front().error);
  input.title = picture_title(source.document);
  input.width = size->width;
  input.height = size->height;
  input.scale = pictures.scale;
  input.labels = pictures.labels;
  return add_pictures(pictures, make_pool_figure(input, theme_of(pictures), CairoTextMeasure()), outputs);
}

}  // namespace stowage
