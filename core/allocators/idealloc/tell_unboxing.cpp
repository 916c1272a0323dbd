#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/idealloc/tell.h"
#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

/// Opens boxes from outside in: linear in boxes and their members.
class Opener {
 public:
  Opener(const Problem& problem, const BoxingReport& report, const UnboxedBoxes& unboxed, const RunContext& context)
      : problem_(problem), report_(report), unboxed_(unboxed), context_(context) {}

  void outer_boxes() {
    std::vector<BoxMember> outer;
    const int last = static_cast<int>(report_.levels.size()) - 1;
    for (std::uint32_t k = 0; k < unboxed_.boxes.size(); ++k) {
      if (unboxed_.boxes[k].level == last) outer.push_back(BoxMember{kNoBuffer, report_.first_box + k});
    }
    rows("the outer boxes", by_row(outer));
  }

 private:
  const Box& box(const BoxMember& member) const { return unboxed_.boxes[member.box - report_.first_box]; }
  std::uint32_t row_of(const BoxMember& member) const {
    return member.box != BoxMember::kNone ? box(member).row : unboxed_.rows[member.buffer];
  }
  std::int64_t height_of(const BoxMember& member) const {
    return member.box != BoxMember::kNone ? box(member).height : problem_[member.buffer].size;
  }
  std::int64_t start_of(const BoxMember& member) const {
    return member.box != BoxMember::kNone ? box(member).start : problem_[member.buffer].start;
  }

  std::vector<BoxMember> by_row(std::vector<BoxMember> members) const {
    std::stable_sort(members.begin(), members.end(), [&](const BoxMember& a, const BoxMember& b) {
      return std::pair(row_of(a), start_of(a)) < std::pair(row_of(b), start_of(b));
    });
    return members;
  }

  /// Row after row of what lies in `holder`; boxes in them are opened in turn.
  void rows(const std::string& holder, const std::vector<BoxMember>& members) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (k == 0 || row_of(members[k]) != row_of(members[k - 1])) {
        context_.say(
            Step{step::OpenRow{row_of(members[k]), height_of(members[k])}, fmt::format("a row of {}", holder)});
      }
      if (members[k].box != BoxMember::kNone) open(holder, members[k]);
    }
  }

  void open(const std::string& holder, const BoxMember& member) {
    const Box& opened = box(member);
    const std::vector<BoxMember> contents = by_row(opened.members);
    context_.say(
        Step{step::Note{fmt::format("box {} of level {} is opened, {} high, at {} in row {} of {}: {}", member.box,
                                    opened.level, format_exact_bytes(opened.height), format_exact_bytes(opened.offset),
                                    opened.row, holder, contents.empty() ? "the dummy" : names_of(problem_, contents))},
             reason(contents)});
    rows(fmt::format("box {}", member.box), contents);
  }

  std::string reason(const std::vector<BoxMember>& contents) const {
    if (contents.size() < 2) return "alone, it lies at the bottom";
    if (row_of(contents.front()) == row_of(contents.back())) return "they never meet, so all lie at the bottom";
    const bool equal = std::all_of(contents.begin(), contents.end(), [&](const BoxMember& member) {
      return height_of(member) == height_of(contents.front());
    });
    return equal ? "equally high, they lie in the rows of an interval colouring"
                 : "those of one height lie in the rows of an interval colouring, the highest at the bottom";
  }

  const Problem& problem_;
  const BoxingReport& report_;
  const UnboxedBoxes& unboxed_;
  const RunContext& context_;
};

}  // namespace

void tell_unboxing(const Problem& problem, const BoxingReport& report, const UnboxedBoxes& unboxed,
                   std::span<const BufferIndex> order, const RunContext& context) {
  context.say(
      Step{step::Phase{"unboxing"}, "the outer boxes, equally high, go into the rows of an interval colouring"});
  Opener(problem, report, unboxed, context).outer_boxes();
  context.say(Step{step::Phase{"loose order"},
                   "what came out of the boxes lies too loosely, and may even overlap, but tells in which order to "
                   "place"});
  std::vector<std::uint32_t> box_of(problem.size(), BoxMember::kNone);
  for (std::size_t k = 0; k < unboxed.boxes.size(); ++k) {
    for (const BoxMember& member : unboxed.boxes[k].members) {
      if (member.buffer != kNoBuffer) box_of[member.buffer] = report.first_box + static_cast<std::uint32_t>(k);
    }
  }
  for (const BufferIndex i : order) {
    context.say(Step{step::Place{i, report.loose[i]}, fmt::format("loosely, out of box {}", box_of[i])});
  }
}

}  // namespace stowage::idealloc
