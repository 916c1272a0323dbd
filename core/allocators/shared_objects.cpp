#include "core/allocators/shared_objects.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/tells.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"

namespace stowage {

SharedObjects::SharedObjects(const Problem& problem, RunContext& context, std::uint32_t first_box)
    : problem_(problem), context_(context), first_box_(first_box) {
  objects_.object_of.assign(problem.size(), Objects::kNone);
}

std::uint32_t SharedObjects::open(BufferIndex i, std::string why) {
  return open(i, problem_[i].size, std::move(why));
}

std::uint32_t SharedObjects::open(BufferIndex i, std::int64_t size, std::string why) {
  const auto object = static_cast<std::uint32_t>(count());
  objects_.sizes.push_back(size);
  if (records()) context_.say(Step{step::OpenBox{first_box_ + object, 0}, why});
  bind(i, object, std::move(why));
  return object;
}

void SharedObjects::put(BufferIndex i, std::uint32_t object, std::string why) {
  std::int64_t& size = objects_.sizes[object];
  if (records() && problem_[i].size > size) {
    why += fmt::format("; the object grows from {} to {} bytes", size, problem_[i].size);
  }
  size = std::max(size, problem_[i].size);
  bind(i, object, std::move(why));
}

void SharedObjects::put_at(BufferIndex i, std::uint32_t object, std::int64_t inner, std::string why) {
  if (objects_.inner.empty()) objects_.inner.assign(problem_.size(), 0);
  objects_.inner[i] = inner;
  bind(i, object, std::move(why));
}

void SharedObjects::bind(BufferIndex i, std::uint32_t object, std::string why) {
  objects_.object_of[i] = object;
  ++bound_;
  if (!records()) return;
  context_.say(Step{step::Consider{i}, {}});
  if (tells_rejects_) {
    say_passed_over(i, object);
    members_.resize(count());
    members_[object].push_back(i);
  }
  context_.say(Step{step::PutInBox{first_box_ + object, BoxMember{i, BoxMember::kNone}}, std::move(why)});
}

/// The bottom of such an object lies on top of those before it so far; the blocker is its lowest buffer in the way.
void SharedObjects::say_passed_over(BufferIndex i, std::uint32_t chosen) const {
  const auto inner = [&](BufferIndex other) {
    return objects_.inner.empty() ? std::int64_t{0} : objects_.inner[other];
  };
  std::int64_t bottom = 0;
  for (std::uint32_t object = 0; object < members_.size() && tells(context_); ++object) {
    const std::vector<BufferIndex>& members = members_[object];
    if (members.empty() || problem_[members.front()].space != problem_[i].space) continue;
    BufferIndex blocker = kNoBuffer;
    for (const BufferIndex other : members) {
      if (!conflict(problem_, i, other)) continue;
      if (blocker == kNoBuffer || inner(other) < inner(blocker)) blocker = other;
      if (inner(blocker) == 0) break;
    }
    if (object != chosen && blocker != kNoBuffer && inner(blocker) < problem_[i].size) {
      context_.say(Step{step::Reject{i, blocker, bottom, inner(blocker), problem_[i].size},
                        fmt::format("object {} is in use", object)});
    }
    bottom = checked_add(bottom, objects_.sizes[object]).value_or(kMaxInt64);
  }
}

void SharedObjects::note(std::string text) {
  context_.say(Step{step::Note{std::move(text)}, {}});
}

bool SharedObjects::should_stop() {
  if (stopped_) return true;
  if (asked_ % 64 == 0) {
    stopped_ = context_.should_stop();
    const auto total = static_cast<double>(std::max<std::size_t>(1, problem_.size()));
    context_.report(static_cast<double>(bound_) / total);
  }
  ++asked_;
  return stopped_;
}

void SharedObjects::close() {
  if (!records()) return;
  struct Hull {
    std::int64_t start = kMaxInt64;
    std::int64_t end = kMinInt64;
  };
  std::vector<Hull> hulls(count());
  for (BufferIndex i = 0; i < problem_.size(); ++i) {
    if (objects_.object_of[i] == Objects::kNone) continue;
    Hull& hull = hulls[objects_.object_of[i]];
    hull.start = std::min(hull.start, problem_[i].start);
    hull.end = std::max(hull.end, problem_[i].end);
  }
  for (std::uint32_t object = 0; object < count(); ++object) {
    const Hull& hull = hulls[object];
    context_.say(Step{step::CloseBox{first_box_ + object, 0, hull.start, hull.end, size(object)}, {}});
  }
}

Result<SharedObjects> bind_to_objects(const Problem& problem, RunContext& context, const BindSpace& bind,
                                      std::uint32_t first_box) {
  std::vector<std::vector<BufferIndex>> rows(problem.spaces().size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) rows[problem[i].space].push_back(i);
  }
  SharedObjects objects(problem, context, first_box);
  for (const std::vector<BufferIndex>& of_space : rows) {
    if (!of_space.empty()) bind(problem, of_space, objects);
    if (objects.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
  }
  objects.close();
  return objects;
}

Result<RunResult> stack_objects(const Problem& problem, RunContext& context, const SharedObjects& objects) {
  context.say(Step{step::Phase{"objects one above the other"}, {}});
  RunResult result;
  result.offsets = objects_to_offsets(problem, objects.objects());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (result.offsets[i] == kNoOffset) {
      return fail(Error::Kind::kRefused, fmt::format("the object of {} can lie nowhere: no address below 2^63 suits "
                                                     "the alignments of all its buffers",
                                                     printable_utf8(problem.id(i))));
    }
    if (!context.records()) continue;
    const std::uint32_t object = objects.objects().object_of[i];
    context.say(Step{step::Place{i, result.offsets[i]},
                     object == Objects::kNone ? "it takes no memory" : fmt::format("it lies in object {}", object)});
  }
  result.objects = objects.objects();
  context.report(1);
  return result;
}

Result<RunResult> plan_objects(const Problem& problem, RunContext& context, const BindSpace& bind) {
  context.say(Step{step::Phase{"buffers are bound to objects"}, {}});
  const auto objects = bind_to_objects(problem, context, bind);
  if (!objects) return tl::unexpected(objects.error());
  return stack_objects(problem, context, *objects);
}

Capabilities object_planner_capabilities() {
  Capabilities can;
  can.fixed_offsets = false;
  can.gaps = false;
  can.objects = true;
  return can;
}

std::vector<BufferIndex> by_start(const Problem& problem, std::span<const BufferIndex> rows) {
  std::vector<BufferIndex> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](BufferIndex a, BufferIndex b) { return problem[a].start < problem[b].start; });
  return sorted;
}

std::string reuse_reason(const SharedObjects& objects, std::uint32_t object, std::int64_t size) {
  const std::int64_t unused = objects.size(object) - size;
  return fmt::format("reuses object {}: its {} bytes are free during this time{}", object, objects.size(object),
                     unused > 0 ? fmt::format(", {} stay unused", unused) : std::string());
}

}  // namespace stowage
