#include "ui/loading.h"

#include <cstdint>
#include <utility>

#include "core/io/format.h"
#include "core/model/space_metrics.h"

namespace stowage {

Result<LoadedFile> load_file(const std::string& path, const std::stop_token& stop) {
  auto document = open_document(path, ReadOptions{});
  if (!document) return tl::unexpected<Error>(document.error());
  LoadedFile loaded;
  loaded.document = std::move(*document);
  const Problem& problem = *loaded.document.problem;
  loaded.analysis.facts = measure(problem);
  loaded.analysis.spaces = measure_spaces(problem);
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    if (stop.stop_requested()) return fail(Error::Kind::kCancelled, path + ": opening was cancelled");
    const auto number = static_cast<std::uint16_t>(space);
    loaded.analysis.indexes.push_back(std::make_shared<const ChartIndex>(problem, number));
    loaded.analysis.curves.push_back(load_curve(problem, number));
  }
  for (const Plan& plan : loaded.document.plans) {
    if (stop.stop_requested()) return fail(Error::Kind::kCancelled, path + ": opening was cancelled");
    PlanFacts& facts = loaded.plan_facts[plan.id];
    facts.metrics = measure(problem, loaded.analysis.facts, plan);
    facts.spaces = measure_spaces(problem, loaded.analysis.spaces, plan);
    facts.offsets = offsets_by_space(problem, plan);
    facts.report = check_plan(problem, plan);
  }
  return loaded;
}

}  // namespace stowage
