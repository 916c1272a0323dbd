#include "core/model/metrics.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/model/lifetime.h"

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

}  // namespace

ProblemMetrics measure(const Problem& problem) {
  ProblemMetrics facts;
  const Sections& sections = problem.sections();
  facts.load = sections.load();
  if (sections.peak() >= 0) {
    const Section& peak = sections[static_cast<std::size_t>(sections.peak())];
    facts.peak_start = peak.start;
    facts.peak_end = peak.end;
  }
  facts.lower_bound = facts.load;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
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
  add_horizon(problem, facts);
  return facts;
}

std::int64_t makespan_of_space(const Problem& problem, const Plan& plan, std::uint16_t space) {
  std::int64_t makespan = 0;
  const std::size_t count = std::min(problem.size(), plan.offsets.size());
  for (BufferIndex i = 0; i < count; ++i) {
    const Buffer& buffer = problem[i];
    if (buffer.space != space || !buffer.takes_memory() || plan.offsets[i] == kNoOffset) continue;
    makespan = std::max(makespan, checked_add(plan.offsets[i], buffer.size).value_or(kMaxInt64));
  }
  return makespan;
}

PlanMetrics measure(const Problem& problem, const ProblemMetrics& facts, const Plan& plan) {
  PlanMetrics metrics;
  bool complete = plan.offsets.size() == problem.size();
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    metrics.makespan = std::max(metrics.makespan, makespan_of_space(problem, plan, static_cast<std::uint16_t>(space)));
  }
  const std::size_t count = std::min(problem.size(), plan.offsets.size());
  for (BufferIndex i = 0; i < count; ++i) {
    const std::int64_t offset = plan.offsets[i];
    if (offset == kNoOffset) {
      complete = false;
      continue;
    }
    const auto end = checked_add(offset, problem[i].size);
    const auto capacity = problem.capacity(problem[i].space);
    if (offset >= 0 && end && (!capacity || *end <= *capacity)) ++metrics.fits;
  }
  if (facts.load > 0) {
    metrics.overhead = static_cast<double>(metrics.makespan) / static_cast<double>(facts.load) - 1.0;
  }
  const double horizon = static_cast<double>(facts.horizon_high) - static_cast<double>(facts.horizon_low);
  const double room = static_cast<double>(metrics.makespan) * horizon;
  metrics.utilisation = room > 0 ? facts.area / room : 0;
  metrics.optimal = complete && metrics.makespan == facts.lower_bound;
  return metrics;
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
