#include "core/model/metrics.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/model/lifetime.h"
#include "core/model/load.h"

namespace stowage {
namespace {

/// The hull of all lifetimes; an open end is not known, so it stretches nothing unless there is nothing else.
void add_horizon(const Problem& problem, ProblemMetrics& facts) {
  std::int64_t low = kMaxInt64;
  std::int64_t high = kMinInt64;
  const auto widen = [&](bool with_open_ends) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      const Buffer& buffer = problem[i];
      const Details* details = problem.details(i);
      if (with_open_ends || details == nullptr || !details->open_start) {
        low = std::min(low, buffer.start);
        high = std::max(high, buffer.start);
      }
      if (with_open_ends || details == nullptr || !details->open_end) {
        low = std::min(low, buffer.end);
        high = std::max(high, buffer.end);
      }
    }
  };
  widen(false);
  if (low >= high) widen(true);
  if (low > high) return;
  facts.horizon_low = low;
  facts.horizon_high = high;
}

/// The load of one more space; the largest counts.
void add_load(const Problem& problem, std::uint16_t space, ProblemMetrics& facts) {
  const std::int64_t bytes = load(problem, space);
  if (bytes > facts.load || facts.load == 0) {
    const std::int32_t at = problem.sections().peak_of_space(space);
    if (at >= 0) {
      const Section& peak = problem.sections()[static_cast<std::size_t>(at)];
      facts.peak_start = peak.start;
      facts.peak_end = peak.end;
    }
    facts.load = bytes;
  }
  const bool is_free = problem.needs().candidates || problem.needs().slices;
  facts.lower_bound = std::max(facts.lower_bound, is_free ? least_load(problem, space) : bytes);
}

void add_buffer(const Problem& problem, BufferIndex i, ProblemMetrics& facts) {
  const Buffer& buffer = problem[i];
  facts.naive += buffer.size;
  facts.padding += align_up(buffer.size, buffer.alignment) - buffer.size;
  if (buffer.is_fixed() && buffer.takes_memory()) {
    facts.lower_bound = std::max(facts.lower_bound, buffer.fixed + buffer.size);
  }
  for_each_piece(buffer, problem.gaps(i), [&](const Piece& piece) {
    facts.area += (static_cast<double>(piece.end) - static_cast<double>(piece.start)) *
                  (static_cast<double>(piece.high) - static_cast<double>(piece.low));
  });
}

/// Counts a buffer that lies wholly below the capacity; `complete` becomes false when it has no place.
void count_fitting(const Problem& problem, const Plan& plan, BufferIndex i, PlanMetrics& metrics, bool& complete) {
  const std::int64_t offset = i < plan.offsets.size() ? plan.offsets[i] : kNoOffset;
  if (offset == kNoOffset) {
    complete = false;
    return;
  }
  const auto capacity = problem.capacity(space_of(problem, plan, i));
  const auto end = checked_add(offset, problem[i].size);
  if (offset >= 0 && end && (!capacity || *end <= *capacity)) ++metrics.fits;
}

PlanMetrics finish(PlanMetrics metrics, const ProblemMetrics& facts, bool complete) {
  if (facts.load > 0) {
    metrics.overhead = static_cast<double>(metrics.makespan) / static_cast<double>(facts.load) - 1.0;
  }
  const double horizon = static_cast<double>(facts.horizon_high) - static_cast<double>(facts.horizon_low);
  const double room = static_cast<double>(metrics.makespan) * horizon;
  metrics.utilisation = room > 0 ? facts.area / room : 0;
  metrics.optimal = complete && metrics.makespan == facts.lower_bound;
  return metrics;
}

}  // namespace

ProblemMetrics measure(const Problem& problem) {
  ProblemMetrics facts;
  for (std::size_t k = 0; k < problem.spaces().size(); ++k) add_load(problem, static_cast<std::uint16_t>(k), facts);
  for (BufferIndex i = 0; i < problem.size(); ++i) add_buffer(problem, i, facts);
  add_horizon(problem, facts);
  return facts;
}

ProblemMetrics measure(const Problem& problem, std::uint16_t space) {
  ProblemMetrics facts;
  add_load(problem, space, facts);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space == space) add_buffer(problem, i, facts);
  }
  add_horizon(problem, facts);
  return facts;
}

std::uint16_t space_of(const Problem& problem, const Plan& plan, BufferIndex i) {
  return i < plan.spaces.size() ? plan.spaces[i] : problem[i].space;
}

std::vector<std::int64_t> offsets_in(const Problem& problem, const Plan& plan, std::uint16_t space) {
  std::vector<std::int64_t> offsets = plan.offsets;
  offsets.resize(problem.size(), kNoOffset);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (space_of(problem, plan, i) != space) offsets[i] = kNoOffset;
  }
  return offsets;
}

std::vector<std::vector<std::int64_t>> offsets_by_space(const Problem& problem, const Plan& plan) {
  std::vector<std::vector<std::int64_t>> by_space;
  if (!problem.needs().candidates) return by_space;
  for (std::size_t k = 0; k < problem.spaces().size(); ++k) {
    by_space.push_back(offsets_in(problem, plan, static_cast<std::uint16_t>(k)));
  }
  return by_space;
}

std::int64_t makespan_of_space(const Problem& problem, const Plan& plan, std::uint16_t space) {
  std::int64_t makespan = 0;
  const std::size_t count = std::min(problem.size(), plan.offsets.size());
  for (BufferIndex i = 0; i < count; ++i) {
    if (space_of(problem, plan, i) != space || !problem[i].takes_memory() || plan.offsets[i] == kNoOffset) continue;
    makespan = std::max(makespan, checked_add(plan.offsets[i], problem[i].size).value_or(kMaxInt64));
  }
  return makespan;
}

PlanMetrics measure(const Problem& problem, const ProblemMetrics& facts, const Plan& plan) {
  PlanMetrics metrics;
  bool complete = true;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    metrics.makespan = std::max(metrics.makespan, makespan_of_space(problem, plan, static_cast<std::uint16_t>(space)));
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) count_fitting(problem, plan, i, metrics, complete);
  return finish(metrics, facts, complete);
}

PlanMetrics measure(const Problem& problem, const ProblemMetrics& facts, const Plan& plan, std::uint16_t space) {
  PlanMetrics metrics;
  bool complete = true;
  metrics.makespan = makespan_of_space(problem, plan, space);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (space_of(problem, plan, i) == space) count_fitting(problem, plan, i, metrics, complete);
  }
  return finish(metrics, facts, complete);
}

std::string overhead_text(double overhead) {
  return overhead < 0 ? "below the load" : format_percent(overhead);
}

std::vector<BufferIndex> live_at(const Problem& problem, std::int64_t time, std::uint16_t space) {
  std::vector<BufferIndex> live;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space) continue;
    for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
      if (piece.start <= time && time < piece.end) live.push_back(i);
    });
  }
  return live;
}

}  // namespace stowage
