#include "ui/loading.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/model/lifetime.h"
#include "core/model/space_metrics.h"

namespace stowage {

namespace {

using CurveOf = std::function<std::vector<LoadPoint>(std::uint16_t space)>;

std::optional<Analysis> analyse_with(const Problem& problem, const CurveOf& curve_of, const std::stop_token& stop) {
  Analysis analysis;
  analysis.facts = measure(problem);
  const bool alone = problem.spaces().size() == 1;  // then the space is the whole
  analysis.spaces = alone ? std::vector<ProblemMetrics>{analysis.facts} : measure_spaces(problem);
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    if (stop.stop_requested()) return std::nullopt;
    const auto number = static_cast<std::uint16_t>(space);
    analysis.indexes.push_back(std::make_shared<const ChartIndex>(problem, number));
    analysis.curves.push_back(std::make_shared<const std::vector<LoadPoint>>(curve_of(number)));
  }
  return analysis;
}

bool same_pieces(const Problem& before, BufferIndex was, const Problem& after, BufferIndex is) {
  const Buffer& a = before[was];
  const Buffer& b = after[is];
  return a.start == b.start && a.end == b.end && a.size == b.size && a.space == b.space &&
         std::ranges::equal(before.gaps(was), after.gaps(is));
}

/// How much more or less the buffer's pieces need from each instant on.
void add_changes(const Problem& problem, BufferIndex i, bool comes, std::vector<LoadChange>& changes) {
  for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
    const std::int64_t bytes = comes ? piece.high - piece.low : piece.low - piece.high;
    changes.push_back({piece.start, bytes});
    changes.push_back({piece.end, -bytes});
  });
}

/// By space: how the load changes.
std::vector<std::vector<LoadChange>> changes_of_load(const Problem& before, const Problem& after,
                                                     std::span<const BufferIndex> becomes) {
  std::vector<std::vector<LoadChange>> changes(std::max(before.spaces().size(), after.spaces().size()));
  std::vector<bool> kept(after.size(), false);
  for (BufferIndex was = 0; was < before.size(); ++was) {
    const BufferIndex is = becomes[was];
    const bool stays = is != kNoBuffer && !kept[is] && same_pieces(before, was, after, is);
    if (stays) kept[is] = true;
    if (!stays) add_changes(before, was, false, changes[before[was].space]);
  }
  for (BufferIndex is = 0; is < after.size(); ++is) {
    if (!kept[is]) add_changes(after, is, true, changes[after[is].space]);
  }
  return changes;
}

}  // namespace

std::optional<Analysis> analyse(const Problem& problem, const std::stop_token& stop) {
  return analyse_with(
      problem, [&](std::uint16_t space) { return load_curve(problem, space); }, stop);
}

std::optional<Analysis> analyse_edited(const Problem& before, const Analysis& known, const Problem& problem,
                                       std::span<const BufferIndex> becomes, const std::stop_token& stop) {
  // What tied buffers share counts once: there the sum of changes is not the change of the sum.
  const bool sums_up = before.bodies().empty() && problem.bodies().empty();
  if (!sums_up || becomes.size() != before.size()) return analyse(problem, stop);
  auto changes = changes_of_load(before, problem, becomes);
  const auto curve_of = [&](std::uint16_t space) {
    if (space >= known.curves.size()) return load_curve(problem, space);
    return changed_curve(*known.curves[space], std::move(changes[space]));
  };
  return analyse_with(problem, curve_of, stop);
}

PlanFacts measure_plan(const Problem& problem, const Analysis& analysis, const Plan& plan) {
  PlanFacts facts;
  facts.metrics = measure(problem, analysis.facts, plan);
  const bool alone = problem.spaces().size() == 1;
  facts.spaces = alone ? std::vector<PlanMetrics>{facts.metrics} : measure_spaces(problem, analysis.spaces, plan);
  facts.offsets = offsets_by_space(problem, plan);
  return facts;
}

PlanFacts judge(const Problem& problem, const Analysis& analysis, const Plan& plan) {
  PlanFacts facts = measure_plan(problem, analysis, plan);
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
