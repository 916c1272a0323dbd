#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/chart/chart_index.h"
#include "core/document/document.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/load_curve.h"
#include "core/model/metrics.h"

namespace stowage {

/// Facts of a plan; checked and measured off the window's thread.
struct PlanFacts {
  PlanMetrics metrics;                             // of the whole plan
  std::vector<PlanMetrics> spaces;                 // of each space by itself
  std::vector<std::vector<std::int64_t>> offsets;  // by space, where the plan chose spaces; else empty
  CheckReport report;
  double seconds = -1;  // of the allocator; negative: not known
  bool stale = false;   // made for the problem before an edit; a new one is on its way
};

/// What the views need to know of a problem; made once, off the window's thread. By space.
struct Analysis {
  ProblemMetrics facts;                // of the whole problem
  std::vector<ProblemMetrics> spaces;  // of each space by itself
  std::vector<std::shared_ptr<const ChartIndex>> indexes;
  std::vector<std::shared_ptr<const std::vector<LoadPoint>>> curves;
};

struct LoadedFile {
  Document document;
  Analysis analysis;
  std::map<std::string, PlanFacts> plan_facts;
};

/// Empty when it was stopped.
std::optional<Analysis> analyse(const Problem& problem, const std::stop_token& stop);
/// The same after an edit. Of the load curves only the stretch is computed again in which something has changed.
/// `becomes`: by buffer before, the one it is now.
std::optional<Analysis> analyse_edited(const Problem& before, const Analysis& known, const Problem& problem,
                                       std::span<const BufferIndex> becomes, const std::stop_token& stop);
/// Measures a plan of the problem; does not check it.
PlanFacts measure_plan(const Problem& problem, const Analysis& analysis, const Plan& plan);
/// Measures and checks a plan of the problem.
PlanFacts judge(const Problem& problem, const Analysis& analysis, const Plan& plan);

/// What the window needs of a document that was just read. Error: cancelled.
Result<LoadedFile> analyse_document(Document document, const std::stop_token& stop);
/// Reads and analyses a file. `progress` gets the share of the reading that is done, and may be empty. Errors are those
/// of open_document, with the same words as on the command line.
Result<LoadedFile> load_file(const std::string& path, const ReadOptions& options, const std::stop_token& stop,
                             std::function<void(double)> progress = {});

}  // namespace stowage
