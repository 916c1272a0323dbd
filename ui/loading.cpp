#include "ui/loading.h"

#include <cstdint>
#include <utility>

#include "core/model/space_metrics.h"

namespace stowage {

std::optional<Analysis> analyse(const Problem& problem, const std::stop_token& stop) {
  Analysis analysis;
  analysis.facts = measure(problem);
  analysis.spaces = measure_spaces(problem);
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    if (stop.stop_requested()) return std::nullopt;
    const auto number = static_cast<std::uint16_t>(space);
    analysis.indexes.push_back(std::make_shared<const ChartIndex>(problem, number));
    analysis.curves.push_back(load_curve(problem, number));
  }
  return analysis;
}

PlanFacts judge(const Problem& problem, const Analysis& analysis, const Plan& plan) {
  PlanFacts facts;
  facts.metrics = measure(problem, analysis.facts, plan);
  facts.spaces = measure_spaces(problem, analysis.spaces, plan);
  facts.offsets = offsets_by_space(problem, plan);
  facts.report = check_plan(problem, plan);
  return facts;
}

Result<LoadedFile> analyse_document(Document document, const std::stop_token& stop) {
  LoadedFile loaded;
  loaded.document = std::move(document);
  const Problem& problem = *loaded.document.problem;
  const auto cancelled = [&] {
    return fail(Error::Kind::kCancelled, loaded.document.path + ": opening was cancelled");
  };
  std::optional<Analysis> analysis = analyse(problem, stop);
  if (!analysis) return cancelled();
  loaded.analysis = std::move(*analysis);
  for (const Plan& plan : loaded.document.plans) {
    if (stop.stop_requested()) return cancelled();
    loaded.plan_facts[plan.id] = judge(problem, loaded.analysis, plan);
  }
  return loaded;
}

Result<LoadedFile> load_file(const std::string& path, const ReadOptions& options, const std::stop_token& stop,
                             std::function<void(double)> progress) {
  const ReadWatch watch{stop, std::move(progress)};
  ReadOptions watched = options;
  watched.watch = &watch;
  auto document = open_document(path, watched);
  if (!document) return tl::unexpected<Error>(document.error());
  return analyse_document(std::move(*document), stop);
}

}  // namespace stowage
