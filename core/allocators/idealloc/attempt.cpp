#include "core/allocators/idealloc/attempt.h"

#include <utility>

#include "core/allocators/idealloc/tell.h"
#include "core/model/unboxing.h"

namespace stowage::idealloc {
namespace {

auto stopped() {
  return fail(Error::Kind::kCancelled, "stopped before it had a plan");
}

/// By buffer of the problem; the dummy is left out.
std::vector<std::int64_t> loose_offsets(const Instance& instance, const Unboxed& unboxed, std::size_t buffers) {
  std::vector<std::int64_t> loose(buffers, kNoOffset);
  for (std::size_t job = 0; job < instance.buffers.size(); ++job) {
    loose[instance.buffers[job]] = instance.bytes(unboxed.offsets[job]);
  }
  return loose;
}

/// By buffer of the problem: its row in the box around it.
std::vector<std::uint32_t> rows_of(const Instance& instance, const Unboxed& unboxed, std::size_t buffers) {
  std::vector<std::uint32_t> rows(buffers, 0);
  for (std::size_t job = 0; job < instance.buffers.size(); ++job) rows[instance.buffers[job]] = unboxed.rows[job];
  return rows;
}

/// Boxes as they are shown, and their numbers in the report made those of the run.
std::vector<Box> show_boxes(const Instance& instance, const Boxing& boxing, const Unboxed& unboxed,
                            std::uint32_t first_box, BoxingReport& report) {
  const auto jobs = static_cast<ItemIndex>(instance.jobs.items.size());
  const auto numbered = [&](BoxMember member) {
    if (member.box != BoxMember::kNone) member.box += first_box;
    return member;
  };
  std::vector<Box> boxes(boxing.tree.items.size() - jobs);
  for (ItemIndex item = jobs; item < boxing.tree.items.size(); ++item) {
    const Item& from = boxing.tree[item];
    Box& box = boxes[item - jobs];
    box.space = instance.space;
    box.start = instance.time(2 * from.start);
    box.end = instance.time(2 * from.end);
    box.height = instance.bytes(from.size);
    box.row = unboxed.rows[item];
    box.offset = unboxed.offsets[item] == kNoOffset ? kNoOffset : instance.bytes(unboxed.offsets[item]);
    for (const ItemIndex member : boxing.tree.contents_of(item)) {
      if (!instance.is_dummy(member)) box.members.push_back(numbered(instance.member(member)));
    }
  }
  for (BoxMember& member : report.members) member = numbered(member);
  for (BoxingSet& set : report.sets) {
    set.boxes.first += first_box;
    set.boxes.last += first_box;
  }
  for (std::size_t level = 0; level < report.levels.size(); ++level) {
    for (std::uint32_t b = report.levels[level].buckets.first; b < report.levels[level].buckets.last; ++b) {
      for (std::uint32_t c = report.buckets[b].calls.first; c < report.buckets[b].calls.last; ++c) {
        for (std::uint32_t s = report.calls[c].sets.first; s < report.calls[c].sets.last; ++s) {
          for (std::uint32_t box = report.sets[s].boxes.first; box < report.sets[s].boxes.last; ++box) {
            boxes[box - first_box].level = static_cast<int>(level);
          }
        }
      }
    }
  }
  report.first_box = first_box;
  report.boxes = static_cast<std::uint32_t>(boxes.size());
  return boxes;
}

}  // namespace

Result<Attempt> attempt(const Problem& problem, const Site& site, Boxing start, Choices& choices,
                        std::uint32_t first_box, std::int64_t limit) {
  if (!converge(site, start, start.report.epsilon, choices)) return stopped();
  const Unboxed unboxed = unbox(start.tree, start.items);
  Attempt attempt;
  attempt.report = std::move(start.report);
  attempt.boxes = show_boxes(site.instance, start, unboxed, first_box, attempt.report);
  attempt.report.loose = loose_offsets(site.instance, unboxed, problem.size());
  const std::vector<BufferIndex> order = loose_order(site.instance.buffers, attempt.report.loose);
  const RunContext& context = site.context;
  if (context.records()) {
    tell_boxing(problem, attempt.report, attempt.boxes, context);
    const std::vector<std::uint32_t> rows = rows_of(site.instance, unboxed, problem.size());
    tell_unboxing(problem, attempt.report, UnboxedBoxes{attempt.boxes, rows}, order, context);
    context.say(
        Step{step::Phase{"squeeze"}, "in this order each buffer goes to the lowest place that is large enough"});
  }
  Result<Squeezed> squeezed = squeeze(problem, order, FitRule::kFirst, attempt.report.loose, context, limit);
  if (!squeezed) return tl::unexpected(squeezed.error());
  attempt.squeezed = std::move(*squeezed);
  attempt.report.boxed_makespan = attempt.squeezed.makespan;
  return attempt;
}

Result<Squeezed> play(const Problem& problem, const Site& site, Boxing start, Choices& choices, std::int64_t limit) {
  if (!converge(site, start, start.report.epsilon, choices)) return stopped();
  const std::vector<std::int64_t> loose = loose_offsets(site.instance, unbox(start.tree, start.items), problem.size());
  RunContext silent;
  silent.stop = site.context.stop;
  silent.deadline = site.context.deadline;
  return squeeze(problem, loose_order(site.instance.buffers, loose), FitRule::kFirst, {}, silent, limit);
}

}  // namespace stowage::idealloc
