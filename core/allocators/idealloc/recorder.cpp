#include "core/allocators/idealloc/recorder.h"

namespace stowage::idealloc {
namespace {

template <typename List>
std::uint32_t end_of(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

/// The part of `list` that is about to be written.
template <typename List>
BoxingRange here(const List& list) {
  return BoxingRange{end_of(list), end_of(list)};
}

}  // namespace

void Recorder::level(const BoxingLevel& level) {
  if (report_ == nullptr) return;
  report_->levels.push_back(level);
  report_->levels.back().buckets = here(report_->buckets);
}

void Recorder::bucket(std::int64_t job_height, std::int64_t stacked, std::span<const ItemIndex> jobs) {
  if (report_ == nullptr) return;
  BoxingBucket bucket;
  bucket.job_height = instance_->bytes(job_height);
  bucket.stacked = stacked;
  bucket.members = here(report_->members);
  for (const ItemIndex job : jobs) report_->members.push_back(instance_->member(job));
  bucket.members.last = end_of(report_->members);
  bucket.calls = here(report_->calls);
  report_->buckets.push_back(bucket);
  report_->levels.back().buckets.last = end_of(report_->buckets);
}

std::uint32_t Recorder::call(std::uint32_t parent, std::uint32_t slot, std::span<const std::int64_t> points,
                             std::size_t jobs) {
  if (report_ == nullptr) return 0;
  BoxingCall call;
  call.parent = parent;
  call.slot = slot;
  call.start = instance_->time(points.front());
  call.end = instance_->time(points.back());
  call.points = here(report_->points);
  for (const std::int64_t point : points) report_->points.push_back(instance_->time(point));
  call.points.last = end_of(report_->points);
  call.sets = here(report_->sets);
  call.jobs = static_cast<std::uint32_t>(jobs);
  report_->calls.push_back(call);
  report_->buckets.back().calls.last = end_of(report_->calls);
  return end_of(report_->calls) - 1;
}

void Recorder::set(BoxingSet::Kind kind, std::span<const ItemIndex> members, std::int64_t point) {
  if (report_ == nullptr) return;
  BoxingSet set;
  set.kind = kind;
  set.time = instance_->time(point);
  set.members = here(report_->members);
  for (const ItemIndex member : members) report_->members.push_back(instance_->member(member));
  set.members.last = end_of(report_->members);
  set.boxes = BoxingRange{report_->boxes, report_->boxes};
  report_->sets.push_back(set);
  report_->calls.back().sets.last = end_of(report_->sets);
}

void Recorder::box(ItemIndex box) {
  if (report_ == nullptr) return;
  report_->boxes = instance_->member(box).box + 1;
  report_->sets.back().boxes.last = report_->boxes;
}

}  // namespace stowage::idealloc
