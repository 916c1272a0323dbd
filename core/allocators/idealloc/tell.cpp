#include "core/allocators/idealloc/tell.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

class Teller {
 public:
  Teller(const Problem& problem, const BoxingReport& report, std::span<const Box> boxes, const RunContext& context)
      : problem_(problem), report_(report), boxes_(boxes), context_(context) {}

  void all() {
    for (std::size_t k = 0; k < report_.levels.size(); ++k) level(k, report_.levels[k]);
  }

 private:
  void note(std::string text, std::string why = {}) { context_.say(Step{step::Note{std::move(text)}, std::move(why)}); }

  std::string names(BoxingRange range) const {
    return names_of(problem_, std::span(report_.members).subspan(range.first, range.size()));
  }

  void level(std::size_t number, const BoxingLevel& level) {
    level_ = static_cast<int>(number);
    const std::string facts = fmt::format("{} jobs, r = {:.6g}, mu = {:.5f}, H = {}", level.jobs, level.ratio, level.mu,
                                          format_exact_bytes(level.height));
    if (level.converges) {
      context_.say(Step{step::Phase{fmt::format("level {}: everything into equal boxes", number)},
                        fmt::format("{}: the largest job / mu, so that every job fits (Corollary 15)", facts)});
    } else {
      context_.say(
          Step{step::Phase{fmt::format("level {}: small jobs into boxes", number)},
               fmt::format("{}, threshold mu H = {}; mu is below 0.618 and there are jobs up to the threshold, "
                           "so the round is safe (Theorem 16)",
                           facts, format_exact_bytes(level.threshold))});
      note(fmt::format("{} small jobs, {} large ones", level.small, level.jobs - level.small),
           fmt::format("those up to {} are boxed, so that the smallest size rises from {} to {}",
                       format_exact_bytes(level.threshold), format_exact_bytes(level.smallest),
                       format_exact_bytes(level.height)));
    }
    for (std::uint32_t k = level.buckets.first; k < level.buckets.last; ++k) bucket(report_.buckets[k]);
  }

  void bucket(const BoxingBucket& bucket) {
    note(fmt::format("bucket of {}: {}", format_exact_bytes(bucket.job_height), names(bucket.members)),
         fmt::format("their sizes round up to the same power of 1 + mu, so {} of them stack in a box (Corollary 15)",
                     bucket.stacked));
    for (std::uint32_t k = bucket.calls.first; k < bucket.calls.last; ++k) call(bucket, report_.calls[k]);
  }

  void call(const BoxingBucket& bucket, const BoxingCall& call) {
    if (call.parent != BoxingCall::kRoot) {
      note(fmt::format("sub-problem X{} of time [{}, {}): {} jobs", call.slot, call.start, call.end, call.jobs),
           "they live between two critical points of the problem before and meet none of them (Theorem 2)");
    }
    const auto points = std::span(report_.points).subspan(call.points.first, call.points.size());
    constexpr std::size_t kMost = 12;
    note(fmt::format("critical points of time [{}, {}): {}{}", call.start, call.end,
                     fmt::join(points.first(std::min(kMost, points.size())), ", "),
                     points.size() > kMost ? fmt::format(" and {} more", points.size() - kMost) : std::string()),
         call.parent == BoxingCall::kRoot ? "both ends and a random time at which a job lives (Theorem 2)"
                                          : "both ends and the ends of gaps in the rows before, or a random time when "
                                            "no job lives at those (Theorem 2)");
    std::uint32_t row = 0;
    for (std::uint32_t k = call.sets.first; k < call.sets.last; ++k) set(bucket, report_.sets[k], row);
  }

  void set(const BoxingBucket& bucket, const BoxingSet& set, std::uint32_t& row) {
    const std::string who = names(set.members);
    switch (set.kind) {
      case BoxingSet::Kind::kGroup:
        note(fmt::format("group R of {} jobs: {}", set.members.size(), who),
             fmt::format("they live at the critical point {}", set.time));
        break;
      case BoxingSet::Kind::kUnresolved:
        note(fmt::format("unresolved: {}", who), "too few for strips (Lemma 1)");
        break;
      case BoxingSet::Kind::kOuterVertical:
      case BoxingSet::Kind::kOuterHorizontal:
        note(fmt::format("{}: {}", name_of(set.kind), who), set.kind == BoxingSet::Kind::kOuterVertical
                                                                ? "the earliest births stay unresolved (Lemma 1)"
                                                                : "the latest deaths stay unresolved (Lemma 1)");
        break;
      case BoxingSet::Kind::kInnerVertical:
      case BoxingSet::Kind::kInnerHorizontal:
        note(fmt::format("{}: {}", name_of(set.kind), who),
             set.kind == BoxingSet::Kind::kInnerVertical
                 ? "the earliest births, by death: neighbours end at about the same time (Lemma 1)"
                 : "the latest deaths, by birth: neighbours begin at about the same time (Lemma 1)");
        break;
      case BoxingSet::Kind::kRow:
        context_.say(Step{step::OpenRow{row++, bucket.job_height},
                          fmt::format("interval colouring of what is unresolved: {}", who)});
        break;
    }
    for (std::uint32_t k = set.boxes.first; k < set.boxes.last; ++k) box(k);
  }

  void box(std::uint32_t number) {
    const Box& box = boxes_[number - report_.first_box];
    context_.say(Step{step::OpenBox{number, level_}, {}});
    for (const BoxMember& member : box.members) context_.say(Step{step::PutInBox{number, member}, {}});
    context_.say(Step{step::CloseBox{number, level_, box.start, box.end, box.height}, {}});
  }

  const Problem& problem_;
  const BoxingReport& report_;
  std::span<const Box> boxes_;
  const RunContext& context_;
  int level_ = 0;
};

}  // namespace

std::string names_of(const Problem& problem, std::span<const BoxMember> members) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> list;
  for (const BoxMember& member : members.first(std::min(kMost, members.size()))) {
    if (member.box != BoxMember::kNone) {
      list.push_back(fmt::format("box {}", member.box));
    } else {
      list.push_back(member.buffer != kNoBuffer ? printable_utf8(problem.id(member.buffer)) : "the dummy");
    }
  }
  std::string text = fmt::format("{}", fmt::join(list, ", "));
  if (members.size() > kMost) text += fmt::format(" and {} more", members.size() - kMost);
  return text;
}

void tell_boxing(const Problem& problem, const BoxingReport& report, std::span<const Box> boxes,
                 const RunContext& context) {
  Teller(problem, report, boxes, context).all();
}

}  // namespace stowage::idealloc
