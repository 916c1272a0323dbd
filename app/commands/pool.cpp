#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/pool_source.h"
#include "app/commands/pool_text.h"
#include "core/chart/pool_figure.h"
#include "core/io/pool_report.h"
#include "core/io/steps_jsonl.h"
#include "core/pools/planned_pool.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

constexpr const char* kAll = "all";

struct PoolFlags {
  std::string file;
  std::string pool = kAll;
  std::vector<std::string> with;  // allocators
  std::vector<std::string> set;
  std::optional<std::int64_t> capacity;
  std::vector<std::string> out;
  std::string to;
  std::string steps;
  bool json = false;
  bool points = false;
  ReadingFlags reading;
  PlanningFlags planning;
  PictureFlags pictures;

  bool all() const { return pool == kAll; }
};

/// Everything that can be known to be wrong before the file is read.
Result<void> prepare(const PoolFlags& flags, Outputs& outputs) {
  if (!flags.all()) {
    if (const auto found = pool_by_id(flags.pool); !found) return tl::unexpected(found.error());
  } else if (!flags.set.empty() || !flags.steps.empty()) {
    return usage_error("--set and --steps belong to one pool: name it with --pool");
  }
  for (const std::string& id : flags.with) {
    if (const auto found = allocator_by_id(id); !found) return tl::unexpected(found.error());
  }
  for (const std::string& path : flags.out) {
    if (const auto format = format_to_write(path, flags.to); !format) return tl::unexpected(format.error());
    if (const auto expected = outputs.expect(path); !expected) return expected;
  }
  if (const auto expected = outputs.expect(flags.steps); !expected) return expected;
  if (const auto expected = expect_pictures(flags.pictures, outputs); !expected) return expected;
  if (flags.points && !flags.json) return usage_error("--points belongs to --json");
  if (flags.json && outputs.uses_stdout()) return usage_error("--json prints to standard output, and so would '-'");
  return {};
}

/// The pools that are wanted. With several, one that refuses becomes a row that says so.
Result<std::vector<PoolRow>> run_pools(const PoolFlags& flags, const Trace& trace, std::stop_token stop,
                                       StepLog* steps) {
  const Result<ParamValues> params = parse_params(flags.set);
  if (!params) return tl::unexpected(params.error());
  std::vector<PoolRow> rows;
  for (const Pool& pool : pools()) {
    if (!flags.all() && pool.id != flags.pool) continue;
    RunContext context = context_of(flags.planning);
    context.stop = stop;
    context.steps = steps;
    Result<PoolRun> run = run_pool(pool, trace, *params, flags.capacity, context);
    if (!run && (!flags.all() || run.error().kind != Error::Kind::kRefused)) return tl::unexpected(run.error());
    PoolRow row;
    if (run) {
      row.run = std::move(*run);
    } else {
      row.run.pool = pool.id;
      row.error = run.error().message;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// An offset for each allocation, from one for each buffer.
std::vector<std::int64_t> by_allocation(const Trace& trace, const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> result;
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const BufferIndex row = trace.allocations()[i].buffer;
    result.push_back(offsets[row == kNoBuffer ? i : row]);
  }
  return result;
}

/// The plans of allocators that know the whole trace, played like pools.
Result<void> add_plans(const PoolFlags& flags, PoolSource& source, std::stop_token stop, std::vector<PoolRow>& rows) {
  const Problem& problem = *source.document.problem;
  std::vector<std::string> ids = flags.with;
  if (ids.empty() && flags.all()) ids.emplace_back("fast");
  const ProblemMetrics facts = measure(problem);
  for (const std::string& id : ids) {
    PoolRow row;
    row.offline = true;
    row.run.pool = id;
    const Result<Candidate> planned = run_candidate(*find_allocator(id), problem, facts, flags.planning, stop);
    if (!planned && planned.error().kind == Error::Kind::kCancelled) return tl::unexpected(planned.error());
    Result<PoolRun> run = planned ? play_plan(id, source.trace, by_allocation(source.trace, planned->plan.offsets))
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

Result<void> add_pool_pictures(const PoolFlags& flags, const PoolSource& source, const std::vector<PoolRow>& rows,
                               Outputs& outputs) {
  if (!flags.pictures.wanted()) return {};
  const Result<PictureSize> size = parse_size(flags.pictures.size);
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
  input.scale = flags.pictures.scale;
  input.labels = flags.pictures.labels;
  return add_pictures(flags.pictures, make_pool_figure(input, theme_of(flags.pictures), CairoTextMeasure()), outputs);
}

Result<void> add_files(const PoolFlags& flags, PoolSource& source, const std::vector<PoolRow>& rows,
                       const StepLog& steps, Outputs& outputs) {
  Document& document = source.document;
  std::string last;
  for (const PoolRow& row : rows) {
    if (!row.error.empty()) continue;
    last = row.run.pool;
    document.put_plan(plan_of(row.run, source.trace, document.problem->size()));
  }
  for (const std::string& path : flags.out) {
    const Result<const Format*> format = format_to_write(path, flags.to);
    if (!format) return tl::unexpected(format.error());
    Result<std::string> bytes = (*format)->write(document, WriteOptions{last, false});
    if (!bytes) return tl::unexpected(bytes.error());
    outputs.add(path, std::move(*bytes));
  }
  if (!flags.steps.empty()) {
    if (steps.truncated()) say("warning: " + flags.steps + ": too many steps; the last ones are left out");
    outputs.add(flags.steps, steps_to_jsonl(steps, document.problem->input().ids));
  }
  return add_pool_pictures(flags, source, rows, outputs);
}

std::string report(const PoolFlags& flags, const PoolSource& source, const std::vector<PoolRow>& rows) {
  const bool one = rows.size() == 1;
  if (!flags.json) {
    return one ? pool_text(source.document, source.trace, rows.front().run)
               : pools_text(source.document, source.trace, rows);
  }
  std::vector<PoolReport> reports;
  for (const PoolRow& row : rows) reports.push_back({shown_name(flags.file), row.error, &row.run, row.offline});
  return with_line_feed(one ? pool_report_json(reports.front(), source.trace, flags.points)
                            : pool_reports_json(reports, source.trace, flags.points));
}

Exit pool(const PoolFlags& flags) {
  Outputs outputs;
  if (const Result<void> prepared = prepare(flags, outputs); !prepared) return end_with(prepared.error());
  Result<PoolSource> source = read_pool_source(flags.file, flags.reading);
  if (!source) return end_with(source.error());

  StepLog steps;
  Result<std::vector<PoolRow>> rows = fail(Error::Kind::kCancelled, "not run");
  {
    const Interrupt interrupt;
    rows = run_pools(flags, source->trace, interrupt.token(), flags.steps.empty() ? nullptr : &steps);
    Result<void> planned;
    if (rows) planned = add_plans(flags, *source, interrupt.token(), *rows);
    if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
    if (!planned) rows = tl::unexpected(planned.error());
  }
  if (!rows) {
    // Out of time is a finding, not an interruption.
    if (rows.error().kind != Error::Kind::kCancelled) return end_with(rows.error());
    say("stowage: " + rows.error().message);
    return Exit::kFound;
  }
  outputs.print(report(flags, *source, *rows));
  if (const Result<void> added = add_files(flags, *source, *rows, steps, outputs); !added) {
    return end_with(added.error());
  }
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (const std::string files = outputs.written(); !files.empty()) say("written: " + files);
  const auto is_sound = [](const PoolRow& row) {
    return row.error.empty() && row.run.failures.empty();
  };
  // With all of them, one that serves every request is enough.
  const bool fine = flags.all() ? std::any_of(rows->begin(), rows->end(), is_sound) : is_sound(rows->front());
  if (!flags.all() && !fine) {
    const PoolRow& first = rows->front();
    say("stowage: " + (first.error.empty() ? describe(first.run.failures.front(), source->trace) : first.error));
  }
  return fine ? Exit::kFine : Exit::kFound;
}

}  // namespace

void add_pool(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<PoolFlags>();
  CLI::App& command = *program.add_subcommand("pool", "Feed online allocators with a trace of allocations and frees");
  command.add_option("FILE", flags->file, "A trace, or any file with a problem, or '-'")->required();
  command.add_option("--pool,-p", flags->pool, "Its id, or 'all' (default)")->type_name("ID|all");
  command.add_option("--with", flags->with, "An allocator whose plan is played beside (with all pools: fast)")
      ->type_name("ID")
      ->expected(1)
      ->take_all();
  command.add_option("--set", flags->set, "A parameter of the pool (repeatable; see: stowage list pools)")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are; exit 1 when a request fails");
  command.add_option("--out,-o", flags->out, "Write the addresses as a plan, in the format of the ending (repeatable)")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command.add_option("--to", flags->to, "The format of --out, whatever the ending")->type_name("FORMAT");
  command.add_option("--steps", flags->steps, "Write every step of the pool as JSON Lines")->type_name("FILE");
  command.add_flag("--json", flags->json, "Print the result as JSON; an array for several");
  command.add_flag("--points", flags->points, "With --json, the bytes after every event as well");
  add_planning_options(command, flags->planning, false);
  add_picture_options(command, flags->pictures, true);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return pool(*flags);
    };
  });
}

}  // namespace stowage
