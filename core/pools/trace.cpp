#include "core/pools/trace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::size_t kMostEvents = kNoEvent - 1;

}  // namespace

std::string_view name_of(TraceOp op) {
  constexpr std::array<std::string_view, 5> names = {"alloc", "free", "use", "reset", "empty"};
  return names[static_cast<std::size_t>(op)];
}

void Trace::stand_alone() {
  for (Allocation& allocation : allocations_) allocation.buffer = kNoBuffer;
}

TraceBuilder::Fault TraceBuilder::check_time(std::int64_t time) const {
  if (trace_.events_.size() >= kMostEvents) return "too many events";
  if (trace_.events_.empty() || time >= trace_.events_.back().time) return std::nullopt;
  return fmt::format("time falls from {} to {}", trace_.events_.back().time, time);
}

TraceBuilder::Fault TraceBuilder::find(std::string_view id, BufferIndex& allocation) const {
  const auto found = last_.find(std::string(id));
  if (found == last_.end()) return fmt::format("{} was never allocated", printable_utf8(id));
  if (trace_.allocations_[found->second].ended != kNoEvent) {
    return fmt::format("{} is no longer live", printable_utf8(id));
  }
  allocation = found->second;
  return std::nullopt;
}

void TraceBuilder::push(std::int64_t time, TraceOp op, BufferIndex allocation, std::int32_t stream) {
  trace_.events_.push_back(TraceEvent{time, allocation, stream, op});
}

TraceBuilder::Fault TraceBuilder::alloc(std::int64_t time, std::string_view id, std::int64_t bytes, std::int32_t stream,
                                        bool is_static) {
  if (auto fault = check_time(time)) return fault;
  if (bytes < 0) return fmt::format("{} asks for {} bytes", printable_utf8(id), bytes);
  const auto sum = checked_add(sum_, bytes);
  if (!sum) return "the sum of all sizes is above 2^63-1";
  const auto index = static_cast<BufferIndex>(trace_.allocations_.size());
  const auto [entry, is_new] = last_.try_emplace(std::string(id), index);
  if (!is_new && trace_.allocations_[entry->second].ended == kNoEvent) {
    return fmt::format("{} is allocated while it is live", printable_utf8(id));
  }
  entry->second = index;
  sum_ = *sum;
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.made = static_cast<std::uint32_t>(trace_.events_.size());
  allocation.stream = stream;
  allocation.is_static = is_static;
  trace_.allocations_.push_back(allocation);
  trace_.ids_.push_back(id);
  if (!is_static) dynamic_.push_back(index);
  push(time, TraceOp::kAlloc, index, stream);
  return std::nullopt;
}

TraceBuilder::Fault TraceBuilder::free(std::int64_t time, std::string_view id, std::optional<std::int64_t> bytes) {
  BufferIndex index = kNoBuffer;
  if (auto fault = check_time(time)) return fault;
  if (auto fault = find(id, index)) return fault;
  Allocation& allocation = trace_.allocations_[index];
  if (bytes && *bytes != 0 && *bytes != allocation.bytes) {
    return fmt::format("{} frees {} bytes, but has {}", printable_utf8(id), *bytes, allocation.bytes);
  }
  allocation.ended = static_cast<std::uint32_t>(trace_.events_.size());
  push(time, TraceOp::kFree, index, allocation.stream);
  return std::nullopt;
}

TraceBuilder::Fault TraceBuilder::use(std::int64_t time, std::string_view id, std::int32_t stream) {
  BufferIndex index = kNoBuffer;
  if (auto fault = check_time(time)) return fault;
  if (auto fault = find(id, index)) return fault;
  push(time, TraceOp::kUse, index, stream);
  return std::nullopt;
}

TraceBuilder::Fault TraceBuilder::reset(std::int64_t time) {
  if (auto fault = check_time(time)) return fault;
  const auto event = static_cast<std::uint32_t>(trace_.events_.size());
  for (const BufferIndex i : dynamic_) {
    if (trace_.allocations_[i].ended == kNoEvent) trace_.allocations_[i].ended = event;
  }
  dynamic_.clear();
  push(time, TraceOp::kReset, kNoBuffer, 0);
  return std::nullopt;
}

TraceBuilder::Fault TraceBuilder::empty(std::int64_t time) {
  if (auto fault = check_time(time)) return fault;
  push(time, TraceOp::kEmpty, kNoBuffer, 0);
  return std::nullopt;
}

TraceAxis natural_axis(const Trace& trace) {
  const auto events = trace.events();
  std::optional<std::int64_t> last_made;  // time of the last allocation
  for (const TraceEvent& event : events) {
    const bool ends = event.op == TraceOp::kFree || event.op == TraceOp::kReset;
    if (ends && last_made == event.time) return TraceAxis::kEvent;
    if (event.op == TraceOp::kAlloc) last_made = event.time;
  }
  for (const Allocation& allocation : trace.allocations()) {
    if (allocation.ended == kNoEvent) continue;
    if (events[allocation.made].time == events[allocation.ended].time) return TraceAxis::kEvent;
  }
  return !events.empty() && events.back().time == kMaxInt64 ? TraceAxis::kEvent : TraceAxis::kTime;
}

std::vector<std::int64_t> places_of(const Trace& trace, TraceAxis axis) {
  std::vector<std::int64_t> places;
  places.reserve(trace.events().size() + 1);
  for (const TraceEvent& event : trace.events()) {
    places.push_back(axis == TraceAxis::kTime ? event.time : static_cast<std::int64_t>(places.size()));
  }
  const std::int64_t last = places.empty() ? -1 : places.back();
  places.push_back(last == kMaxInt64 ? last : last + 1);
  return places;
}

Result<Problem> problem_of(const Trace& trace, TraceAxis axis) {
  const std::vector<std::int64_t> places = places_of(trace, axis);
  ProblemInput input;
  input.name = trace.name;
  input.time_unit = axis == TraceAxis::kTime ? trace.time_unit : "event";
  input.capacity = trace.capacity;
  std::unordered_map<std::string_view, std::size_t> times_seen;
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const Allocation& allocation = trace.allocations()[i];
    Buffer buffer;
    buffer.size = allocation.bytes;
    buffer.start = places[allocation.made];
    buffer.end = allocation.ended == kNoEvent ? places.back() : places[allocation.ended];
    if (allocation.is_static) buffer.kind = input.kind_index("static");
    const std::size_t count = ++times_seen[trace.id(i)];
    const std::string id =
        count == 1 ? std::string(trace.id(i)) : fmt::format("{}#{}", std::string(trace.id(i)), count);
    if (allocation.ended == kNoEvent) {
      Details details;
      details.open_end = true;
      input.add(id, buffer, std::move(details));
    } else {
      input.add(id, buffer);
    }
  }
  auto problem = make_problem(std::move(input));
  if (!problem) return input_error(problem.error().front().message);
  return std::move(*problem);
}

}  // namespace stowage
