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
#include "app/commands/pool_runs.h"
#include "core/io/pool_report.h"
#include "core/io/steps_jsonl.h"

namespace stowage {
namespace {

struct PoolFlags {
  std::string file;
  PoolChoice choice;
  std::vector<std::string> out;
  std::string to;
  std::string steps;
  bool json = false;
  bool points = false;
  ReadingFlags reading;
  PlanningFlags planning;
  PictureFlags pictures;
};

/// Everything that can be known to be wrong before the file is read.
Result<void> prepare(const PoolFlags& flags, Outputs& outputs) {
  if (const auto known = check_pools(flags.choice); !known) return known;
  if (flags.choice.all() && (!flags.choice.set.empty() || !flags.steps.empty())) {
    return usage_error("--set and --steps belong to one pool: name it with --pool");
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
  return add_pool_pictures(flags.pictures, source, rows, outputs);
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
    rows = run_pools(flags.choice, flags.planning, *source, interrupt.token(), flags.steps.empty() ? nullptr : &steps);
    if (interrupt.happened()) return end_with(Error{Error::Kind::kCancelled, "nothing has been written"});
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
  const bool fine = flags.choice.all() ? std::any_of(rows->begin(), rows->end(), is_sound) : is_sound(rows->front());
  if (!flags.choice.all() && !fine) {
    const PoolRow& first = rows->front();
    say("stowage: " + (first.error.empty() ? describe(first.run.failures.front(), source->trace) : first.error));
  }
  return fine ? Exit::kFine : Exit::kFound;
}

}  // namespace

void add_pool(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<PoolFlags>();
  CLI::App& command = *program.add_subcommand("pool", "Feed online allocators with a trace of allocations and frees");
  command.add_option("FILE", flags->file, "A trace, any file with a problem, '-', or network:NAME[:KEY=VALUE,...]")
      ->required();
  command.add_option("--pool,-p", flags->choice.pool, "Its id, or 'all' (default)")->type_name("ID|all");
  command.add_option("--with", flags->choice.with, "An allocator whose plan is played beside (with all pools: fast)")
      ->type_name("ID")
      ->expected(1)
      ->take_all();
  command.add_option("--set", flags->choice.set, "A parameter of the pool (repeatable; see: stowage list pools)")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_bytes_option(command, "--capacity,-c", flags->choice.capacity,
                   "The bytes there are; exit 1 when a request fails");
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
