#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/adjust.h"
#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/comparison.h"
#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "app/commands/reading.h"
#include "core/chart/figure.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

/// The plan that a file brings along, as a column of its own.
constexpr const char* kOwnPlan = "file";

struct CompareFlags {
  std::vector<std::string> files;
  std::vector<std::string> allocators;
  std::optional<std::int64_t> capacity;
  std::optional<std::int64_t> align;
  bool json = false;
  bool csv = false;
  ReadingFlags reading;
  PlanningFlags planning;
  PictureFlags pictures;
};

Result<void> prepare(const CompareFlags& flags, Outputs& outputs) {
  if (flags.json && flags.csv) return usage_error("--json and --csv exclude each other");
  if (std::count(flags.files.begin(), flags.files.end(), "-") > 1) {
    return usage_error("standard input can be read only once");
  }
  for (const std::string& id : flags.allocators) {
    if (id == kOwnPlan) continue;
    if (const auto found = allocator_by_id(id); !found) return tl::unexpected(found.error());
  }
  if (const Result<void> expected = expect_pictures(flags.pictures, outputs); !expected) return expected;
  if ((flags.json || flags.csv) && outputs.uses_stdout()) {
    return usage_error("--json and --csv print to standard output, and so would '-'");
  }
  return {};
}

/// Every file, before anything long begins. All errors are said, not only the first.
Result<std::vector<Document>> read_all(const CompareFlags& flags) {
  std::vector<Document> documents;
  std::string errors;
  Error::Kind kind = Error::Kind::kInput;
  for (const std::string& file : flags.files) {
    Result<Document> document = read_document_file(file, flags.reading);
    Result<void> sound = document ? adjust(*document, Adjustments{flags.capacity, flags.align, nullptr})
                                  : Result<void>(tl::unexpected(document.error()));
    if (!sound) {
      kind = sound.error().kind;
      errors += (errors.empty() ? "" : "\n") + sound.error().message;
    } else {
      documents.push_back(std::move(*document));
    }
  }
  if (!errors.empty()) return fail(kind, errors);
  return documents;
}

/// A slow one may take hours without a limit, so it runs when there is one, or when it is named.
bool is_wanted(const Allocator& allocator, const CompareFlags& flags, const std::vector<Document>& documents) {
  return flags.planning.time_limit || std::all_of(documents.begin(), documents.end(), [&](const Document& d) {
           return allocator.runs_unasked(*d.problem);
         });
}

std::vector<std::string> columns_for(const CompareFlags& flags, const std::vector<Document>& documents) {
  if (!flags.allocators.empty()) return flags.allocators;
  std::vector<std::string> columns;
  const bool planned =
      std::any_of(documents.begin(), documents.end(), [](const Document& d) { return !d.plans.empty(); });
  if (planned) columns.emplace_back(kOwnPlan);
  std::string left_out;
  for (const Allocator& allocator : allocators()) {
    if (is_wanted(allocator, flags, documents)) {
      columns.push_back(allocator.id);
    } else {
      left_out += (left_out.empty() ? "" : ", ") + allocator.id;
    }
  }
  if (!left_out.empty()) say("slow, left out without --time-limit: " + left_out);
  return columns;
}

Result<PlanReport> cell(const Document& document, const ProblemMetrics& facts, const std::string& column,
                        const PlanningFlags& planning, std::stop_token stop) {
  const Problem& problem = *document.problem;
  PlanReport none;
  none.allocator = column;
  none.buffers = static_cast<std::int64_t>(problem.size());
  none.load = facts.load;
  none.lower_bound = facts.lower_bound;
  if (column == kOwnPlan) {
    if (!document.plans.empty()) return candidate_of_file(document.plans.back(), problem, facts).report;
    none.status = "none";
    none.message = "no plan in the file";
    return none;
  }
  Result<Candidate> candidate = run_candidate(*find_allocator(column), problem, facts, planning, stop);
  if (stop.stop_requested()) return fail(Error::Kind::kCancelled, "nothing has been written");
  if (!candidate) {
    if (candidate.error().kind == Error::Kind::kUsage) return tl::unexpected(candidate.error());
    none.status = candidate.error().kind == Error::Kind::kRefused ? "refused" : "no plan";
    none.message = candidate.error().message;
    return none;
  }
  check_candidate(*candidate, problem);
  const auto miss = capacity_miss(problem, candidate->plan, candidate->status);
  if (miss) candidate->report.message = describe(*miss);
  return candidate->report;
}

Result<Comparison> run_comparison(const CompareFlags& flags, const std::vector<Document>& documents) {
  Comparison comparison;
  comparison.files = flags.files;
  comparison.allocators = columns_for(flags, documents);
  const Interrupt interrupt;
  for (std::size_t f = 0; f < documents.size(); ++f) {
    const ProblemMetrics facts = measure(*documents[f].problem);
    std::vector<PlanReport> row;
    for (const std::string& column : comparison.allocators) {
      Result<PlanReport> report = cell(documents[f], facts, column, flags.planning, interrupt.token());
      if (!report) return tl::unexpected(report.error());
      report->file = flags.files[f];
      row.push_back(std::move(*report));
    }
    comparison.cells.push_back(std::move(row));
  }
  return comparison;
}

Result<void> add_bars(const PictureFlags& flags, const Comparison& comparison, Outputs& outputs) {
  if (!flags.wanted()) return {};
  const Result<PictureSize> size = parse_size(flags.size);
  if (!size) return tl::unexpected(size.error());
  BarsInput bars = comparison_bars(comparison);
  bars.width = size->width;
  bars.height = size->height;
  const Theme* theme = find_theme(flags.theme);
  return add_pictures(flags, make_bars(bars, theme != nullptr ? *theme : dark_theme(), CairoTextMeasure()), outputs);
}

/// 1 when something shown is not a valid plan, or an allocator that was asked for by name has none.
Exit exit_of(const CompareFlags& flags, const Comparison& comparison) {
  for (const std::vector<PlanReport>& row : comparison.cells) {
    for (const PlanReport& report : row) {
      const bool without = report.status == "refused" || report.status == "no plan";
      if (without && !flags.allocators.empty()) return Exit::kFound;
      if (!without && report.status != "none" && !report.valid) return Exit::kFound;
    }
  }
  return Exit::kFine;
}

Exit compare(const CompareFlags& flags) {
  Outputs outputs;
  if (const Result<void> prepared = prepare(flags, outputs); !prepared) return end_with(prepared.error());
  const Result<std::vector<Document>> documents = read_all(flags);
  if (!documents) return end_with(documents.error());
  const Result<Comparison> comparison = run_comparison(flags, *documents);
  if (!comparison) return end_with(comparison.error());

  if (flags.json) {
    std::vector<PlanReport> reports;
    for (const std::vector<PlanReport>& row : comparison->cells) {
      std::copy_if(row.begin(), row.end(), std::back_inserter(reports),
                   [](const PlanReport& report) { return report.status != "none"; });
    }
    outputs.print(with_line_feed(plan_reports_json(reports)));
  } else {
    outputs.print(flags.csv ? comparison_csv(*comparison) : comparison_text(*comparison));
  }
  if (const Result<void> added = add_bars(flags.pictures, *comparison, outputs); !added) {
    return end_with(added.error());
  }
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  if (const std::string files = outputs.written(); !files.empty()) say("written: " + files);
  return exit_of(flags, *comparison);
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App& command = *program.add_subcommand("compare", "Run allocators side by side, normalised to the load");
  command
      .add_option("FILE", flags->files,
                  "One or more files; '-' is standard input, network:NAME[:KEY=VALUE,...] a network")
      ->required();
  command
      .add_option("--allocators,-a", flags->allocators,
                  "Ids with commas between; 'file' is the file's own plan (default: all)")
      ->type_name("ID,ID,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  add_bytes_option(command, "--capacity,-c", flags->capacity, "The bytes there are");
  add_bytes_option(command, "--align", flags->align, "Raise every alignment to at least this");
  command.add_flag("--json", flags->json, "Print an array of results as JSON");
  command.add_flag("--csv", flags->csv, "Print the results as CSV");
  add_planning_options(command, flags->planning, false);
  add_picture_options(command, flags->pictures, false);
  add_reading_options(command, flags->reading);
  command.callback([flags, &action] {
    action = [flags] {
      return compare(*flags);
    };
  });
}

}  // namespace stowage
