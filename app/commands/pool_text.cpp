#include "app/commands/pool_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/commands/plan_text.h"
#include "app/commands/reading.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr std::size_t kFailuresSaid = 10;

std::string count(std::size_t number) {
  return format_count(static_cast<std::int64_t>(number));
}

std::string heading(const Document& document, const Trace& trace) {
  return fmt::format("{}: {} allocations, {} events, {}\n", shown_name(document.path),
                     count(trace.allocations().size()), count(trace.events().size()), document.facts.format);
}

std::string percent(double share) {
  return share > 0 ? format_percent(share) : std::string("0 %");
}

double overhead(const PoolPeaks& peaks) {
  if (peaks.requested == 0) return 0;
  return static_cast<double>(peaks.reserved) / static_cast<double>(peaks.requested) - 1;
}

}  // namespace

std::string pool_text(const Document& document, const Trace& trace, const PoolRun& run) {
  const PoolPeaks peaks = run.peaks();
  const PoolPoint end = run.points.empty() ? PoolPoint{} : run.points.back();
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.add({"pool", run.pool});
  table.add({"requested", bytes_text(peaks.requested) + " at most"});
  table.add({"allocated", bytes_text(peaks.allocated) + " at most"});
  table.add({"reserved", fmt::format("{} at most, {} above what is requested", bytes_text(peaks.reserved),
                                     percent(overhead(peaks)))});
  table.add({"inside blocks", bytes_text(peaks.internal_fragmentation) + " at most that nobody asked for"});
  table.add({"fragmented", fmt::format("{} of what is free at most, {} in the end",
                                       percent(peaks.external_fragmentation), percent(end.external_fragmentation()))});
  table.add({"device", fmt::format("asked {} times, {} segments at most", format_count(end.device_allocations),
                                   format_count(peaks.segments))});
  table.add({"in the end", fmt::format("{} allocated, {} free, the largest {}", format_bytes(end.allocated),
                                       format_bytes(end.free()), format_bytes(end.largest_free))});
  table.add({"highest", bytes_text(run.highest_address())});
  for (const PoolFact& fact : run.facts) {
    table.add({fact.name, fact.is_bytes ? bytes_text(fact.value) : format_count(fact.value)});
  }
  if (run.capacity) table.add({"capacity", bytes_text(*run.capacity)});
  table.add({"failures", run.failures.empty() ? std::string("none") : count(run.failures.size())});
  table.add({"time", format_seconds(run.seconds)});
  std::string text = heading(document, trace) + table.text();
  for (std::size_t k = 0; k < std::min(run.failures.size(), kFailuresSaid); ++k) {
    text += fmt::format("event {}: {}\n", run.failures[k].event, describe(run.failures[k], trace));
  }
  if (run.failures.size() > kFailuresSaid) {
    text += fmt::format("... and {} more (all: --json)\n", count(run.failures.size() - kFailuresSaid));
  }
  return text;
}

std::string pools_text(const Document& document, const Trace& trace, const std::vector<PoolRow>& rows) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
               Align::kRight});
  table.add({"pool", "reserved", "overhead", "in blocks", "fragmented", "device calls", "failed", "time"});
  table.add_rule();
  std::string errors;
  std::int64_t requested = 0;
  for (const PoolRow& row : rows) {
    if (!row.error.empty()) {
      errors += row.error + "\n";
      continue;
    }
    const PoolPeaks peaks = row.run.peaks();
    requested = std::max(requested, peaks.requested);
    const std::uint32_t calls = row.run.points.empty() ? 0 : row.run.points.back().device_allocations;
    table.add({row.run.pool + (row.offline ? " (offline)" : ""), format_bytes(peaks.reserved), percent(overhead(peaks)),
               format_bytes(peaks.internal_fragmentation), percent(peaks.external_fragmentation), format_count(calls),
               count(row.run.failures.size()), format_seconds(row.run.seconds)});
  }
  return heading(document, trace) + fmt::format("requested {} at most\n\n", bytes_text(requested)) + table.text() +
         errors;
}

}  // namespace stowage
