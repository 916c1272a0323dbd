#include "core/allocators/idealloc/theorem_2.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/allocators/idealloc/lemma_1.h"

namespace stowage::idealloc {
namespace {

/// Jobs by birth, and the critical points that will split them: both ends of the bounding interval are among them.
struct Task {
  std::vector<ItemIndex> jobs;
  std::vector<std::int64_t> points;
  std::uint32_t parent = BoxingCall::kRoot;
  std::uint32_t slot = 0;
};

struct Split {
  std::vector<std::vector<ItemIndex>> inside;  // X_q: between points q and q + 1
  std::vector<ItemIndex> across;               // R: live at one of the points
};

/// Any job's first or last moment: all of them lie strictly inside the interval that bounds the jobs.
std::int64_t random_point(Workplace& at, std::span<const ItemIndex> jobs) {
  const std::uint32_t choice = at.choices.choose(static_cast<std::uint32_t>(2 * jobs.size()));
  const Item& job = at.tree[jobs[choice / 2]];
  return choice % 2 == 0 ? birth(job) + 1 : death(job) - 1;
}

/// Step 1: a walk through jobs and slots from left to right.
Split split(const BoxTree& tree, const Task& task) {
  Split split;
  split.inside.resize(task.points.size() - 1);
  std::size_t slot = 0;
  for (const ItemIndex job : task.jobs) {
    while (slot + 1 < split.inside.size() && birth(tree[job]) >= task.points[slot + 1]) ++slot;
    const bool last = slot + 1 == split.inside.size();
    if (last || death(tree[job]) <= task.points[slot + 1]) {
      split.inside[slot].push_back(job);
    } else {
      split.across.push_back(job);
    }
  }
  return split;
}

/// Step 2: R in groups by halving the points. A slice of the points loses its ends, so its outermost points split no
/// further: a group is nearly always, but not quite always live at one point. Harmless, and so in the original.
template <typename Visit>
void for_each_group(const BoxTree& tree, std::vector<ItemIndex> across, std::span<const std::int64_t> points,
                    Visit&& visit) {
  if (across.empty()) return;
  if (points.size() < 3) return visit(std::move(across), points.empty() ? birth(tree[across.front()]) : points.front());
  const std::size_t middle = (points.size() - 2 + 1) / 2;
  std::vector<ItemIndex> live;
  std::vector<ItemIndex> before;
  std::vector<ItemIndex> after;
  for (const ItemIndex job : across) {
    (is_live(tree[job], points[middle]) ? live : death(tree[job]) <= points[middle] ? before : after).push_back(job);
  }
  if (!live.empty()) visit(std::move(live), points[middle]);
  for_each_group(tree, std::move(before), points.first(middle), visit);
  for_each_group(tree, std::move(after), points.subspan(middle + 1), visit);
}

/// Step 4: rows of an interval colouring, so many of them in each box. Returns G, where the rows are free: the ends of
/// all gaps.
std::vector<std::int64_t> box_rows(Workplace& at, std::span<const ItemIndex> unresolved, const Stack& stack,
                                   std::int64_t low, std::int64_t high, std::vector<ItemIndex>& boxes) {
  std::vector<std::int64_t> gaps;
  const Rows rows = interval_colouring(at.tree, unresolved);
  for (std::size_t first = 0; first < rows.count();) {
    const std::size_t last = first + stack.times(1, rows.count() - first);
    for (std::size_t row = first; row < last; ++row) {
      at.recorder.set(BoxingSet::Kind::kRow, rows[row]);
      std::int64_t free_from = low;
      for (const ItemIndex job : rows[row]) {
        if (birth(at.tree[job]) > free_from) {
          gaps.push_back(free_from);
          gaps.push_back(birth(at.tree[job]));
        }
        free_from = death(at.tree[job]);
      }
      if (free_from < high) gaps.push_back(free_from);
    }
    const std::span<const ItemIndex> all(rows.items);
    boxes.push_back(at.tree.box(all.subspan(rows.first[first], rows.first[last] - rows.first[first]), stack.height));
    at.recorder.box(boxes.back());
    first = last;
  }
  std::sort(gaps.begin(), gaps.end());
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  return gaps;
}

/// The critical points of X_q: both ends, and the points of G between them; a random one when no job is live at those.
std::vector<std::int64_t> points_between(Workplace& at, std::span<const ItemIndex> jobs, std::int64_t low,
                                         std::int64_t high, const std::vector<std::int64_t>& gaps) {
  const auto first = std::upper_bound(gaps.begin(), gaps.end(), low);
  const auto last = std::lower_bound(first, gaps.end(), high);
  std::vector<std::int64_t> points = {low};
  points.insert(points.end(), first, last);
  points.push_back(high);
  const bool splits = std::any_of(jobs.begin(), jobs.end(), [&](ItemIndex job) {
    const auto next = std::upper_bound(points.begin(), points.end(), birth(at.tree[job]));
    return next != points.end() && *next < death(at.tree[job]);
  });
  if (!splits) {
    // Ends of gaps are even and random points odd, so it is a new one.
    const std::int64_t point = random_point(at, jobs);
    points.insert(std::upper_bound(points.begin(), points.end(), point), point);
  }
  return points;
}

}  // namespace

void box_equal_jobs(Workplace& at, std::vector<ItemIndex> jobs, const Stack& stack, std::vector<ItemIndex>& boxes) {
  if (jobs.empty()) return;
  const BoxTree& tree = at.tree;
  std::sort(jobs.begin(), jobs.end(), [&](ItemIndex a, ItemIndex b) {
    return tree[a].start != tree[b].start ? tree[a].start < tree[b].start : a < b;
  });
  std::int64_t latest = 0;
  for (const ItemIndex job : jobs) latest = std::max(latest, death(tree[job]));
  std::vector<Task> tasks(1);
  tasks.front().points = {birth(tree[jobs.front()]), random_point(at, jobs), latest};
  tasks.front().jobs = std::move(jobs);

  std::vector<ItemIndex> unresolved;
  while (!tasks.empty()) {
    if (at.context.should_stop()) at.stopped = true;
    if (at.stopped) return;
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    const std::vector<std::int64_t>& points = task.points;
    const std::uint32_t call = at.recorder.call(task.parent, task.slot, points, task.jobs.size());

    Split parts = split(tree, task);
    unresolved.clear();
    for_each_group(tree, std::move(parts.across), points, [&](std::vector<ItemIndex> group, std::int64_t point) {
      at.recorder.set(BoxingSet::Kind::kGroup, group, point);
      strips(at, std::move(group), stack, boxes, unresolved);
    });
    const std::vector<std::int64_t> gaps = box_rows(at, unresolved, stack, points.front(), points.back(), boxes);

    // Step 5, the leftmost slot first.
    for (std::size_t q = parts.inside.size(); q-- > 0;) {
      if (parts.inside[q].empty()) continue;
      Task next;
      next.points = points_between(at, parts.inside[q], points[q], points[q + 1], gaps);
      next.jobs = std::move(parts.inside[q]);
      next.parent = call;
      next.slot = static_cast<std::uint32_t>(q);
      tasks.push_back(std::move(next));
    }
  }
}

}  // namespace stowage::idealloc
