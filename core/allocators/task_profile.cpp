#include "core/allocators/task_profile.h"

#include <algorithm>
#include <functional>

namespace stowage {
namespace {

/// Something becomes live or is over. Ends come first at equal times.
struct Event {
  std::int64_t time = 0;
  bool arrives = false;
  BufferIndex buffer = kNoBuffer;
};

std::vector<Event> events_of(const Problem& problem, std::uint16_t space) {
  std::vector<Event> events;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space || !problem[i].takes_memory()) continue;
    events.push_back({problem[i].start, true, i});
    events.push_back({problem[i].end, false, i});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    if (a.time != b.time) return a.time < b.time;
    return a.arrives != b.arrives ? b.arrives : a.buffer < b.buffer;
  });
  return events;
}

}  // namespace

std::vector<TaskProfile> task_profiles(const Problem& problem, std::uint16_t space) {
  const auto larger = [&](BufferIndex a, BufferIndex b) {
    return problem[a].size != problem[b].size ? problem[a].size > problem[b].size : a < b;
  };
  std::vector<TaskProfile> profiles;
  std::vector<BufferIndex> live;
  const std::vector<Event> events = events_of(problem, space);
  for (std::size_t k = 0; k < events.size(); ++k) {
    const auto place = std::lower_bound(live.begin(), live.end(), events[k].buffer, larger);
    if (events[k].arrives) {
      live.insert(place, events[k].buffer);
    } else {
      live.erase(place);
    }
    const bool last_of_its_time = k + 1 < events.size() && events[k + 1].time != events[k].time;
    if (last_of_its_time) profiles.push_back({events[k].time, events[k + 1].time, live});
  }
  return profiles;
}

std::vector<std::int64_t> positional_maximums(const Problem& problem, std::uint16_t space) {
  std::vector<std::int64_t> maximums;
  std::vector<std::int64_t> live;  // sizes, falling
  for (const Event& event : events_of(problem, space)) {
    const std::int64_t size = problem[event.buffer].size;
    const auto place = std::lower_bound(live.begin(), live.end(), size, std::greater<>());
    if (!event.arrives) {
      live.erase(place);
      continue;
    }
    const auto changed = static_cast<std::size_t>(place - live.begin());
    live.insert(place, size);
    maximums.resize(std::max(maximums.size(), live.size()), 0);
    for (std::size_t k = changed; k < live.size(); ++k) maximums[k] = std::max(maximums[k], live[k]);
  }
  return maximums;
}

}  // namespace stowage
