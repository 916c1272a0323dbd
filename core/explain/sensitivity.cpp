#include "core/explain/sensitivity.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/explain/peaks.h"
#include "core/explain/what_if.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

struct Candidates {
  std::vector<BufferIndex> buffers;  // first those of the peak
  std::size_t at_peak = 0;
  std::size_t left_out = 0;
};

double area_of(const Buffer& buffer) {
  return static_cast<double>(buffer.size) * static_cast<double>(buffer.lifetime());
}

Candidates candidates_of(const Problem& problem, std::uint16_t space) {
  Candidates found;
  const ProblemMetrics facts = measure(problem, space);
  std::vector<bool> taken(problem.size(), false);
  if (facts.load > 0) {
    for (const LiveBuffer& live : live_by_size(problem, facts.peak_start, space)) {
      if (found.buffers.size() == kMostCandidates) break;
      found.buffers.push_back(live.buffer);
      taken[live.buffer] = true;
    }
  }
  found.at_peak = found.buffers.size();
  std::vector<BufferIndex> others;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!taken[i] && problem[i].space == space && problem[i].takes_memory()) others.push_back(i);
  }
  const std::size_t room = std::min(kOtherCandidates, kMostCandidates - found.buffers.size());
  const std::size_t count = std::min(room, others.size());
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count), others.end(),
                    [&](BufferIndex a, BufferIndex b) {
                      const double first = area_of(problem[a]);
                      const double second = area_of(problem[b]);
                      return first != second ? first > second : a < b;
                    });
  found.buffers.insert(found.buffers.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count));
  found.left_out = others.size() - count;
  return found;
}

class Trials {
 public:
  Trials(const Allocator& allocator, std::uint16_t space, const RunContext& context)
      : allocator_(allocator), space_(space), context_(context) {
    context_.progress = nullptr;
    context_.steps = nullptr;
  }

  Result<SpaceNeed> need(const Problem& problem) const {
    RunContext context = context_;
    const auto run = run_allocator(allocator_, problem, ParamValues{}, context);
    if (!run) return tl::unexpected<Error>(run.error());
    if (run->result.status == RunStatus::kStopped && context_.should_stop()) {
      return fail(Error::Kind::kCancelled, "stopped");
    }
    return SpaceNeed{makespan_of_space(problem, run->plan, space_), measure(problem, space_).load};
  }

  std::optional<SpaceNeed> with(const Problem& problem, BufferIndex buffer, std::int64_t size) const {
    const auto changed = make_problem(with_size(problem, buffer, size));
    if (!changed) return std::nullopt;
    const auto needed = need(*changed);
    return needed ? std::optional<SpaceNeed>(*needed) : std::nullopt;
  }

 private:
  const Allocator& allocator_;
  std::uint16_t space_;
  RunContext context_;
};

void rank(SensitivityReport& report) {
  const auto key = [&](const Sensitivity& one) {
    const SpaceNeed without = one.without.value_or(report.now);
    const SpaceNeed halved = one.halved.value_or(report.now);
    return std::tuple(without.makespan, halved.makespan, without.load, one.buffer);
  };
  std::sort(report.ranks.begin(), report.ranks.end(),
            [&](const Sensitivity& a, const Sensitivity& b) { return key(a) < key(b); });
}

}  // namespace

Result<SensitivityReport> sensitivity(const Problem& problem, const Allocator& allocator, std::uint16_t space,
                                      const RunContext& context) {
  const Trials trials(allocator, space, context);
  const auto now = trials.need(problem);
  if (!now) return tl::unexpected<Error>(now.error());
  SensitivityReport report;
  report.now = *now;
  const Candidates candidates = candidates_of(problem, space);
  report.left_out = candidates.left_out;
  for (std::size_t k = 0; k < candidates.buffers.size(); ++k) {
    Sensitivity one;
    one.buffer = candidates.buffers[k];
    one.at_peak = k < candidates.at_peak;
    one.without = trials.with(problem, one.buffer, 0);
    one.halved = trials.with(problem, one.buffer, problem[one.buffer].size / 2);
    if (context.should_stop()) {
      report.complete = false;
      report.left_out += candidates.buffers.size() - k;
      break;
    }
    report.ranks.push_back(one);
    context.report(static_cast<double>(k + 1) / static_cast<double>(candidates.buffers.size()));
  }
  rank(report);
  return report;
}

}  // namespace stowage
