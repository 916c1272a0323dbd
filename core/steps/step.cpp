#include "core/steps/step.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

template <typename... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Match(Cases...) -> Match<Cases...>;

bool kept_when_full(const Step& step) {
  return std::holds_alternative<step::Phase>(step.fact) || std::holds_alternative<step::Incumbent>(step.fact) ||
         std::holds_alternative<step::Bound>(step.fact);
}

std::string with_reason(std::string text, const std::string& why) {
  if (!why.empty()) text += ": " + why;
  return text;
}

}  // namespace

std::string_view op_of(const Step& step) {
  return std::visit(Match{
                        [](const step::Phase&) { return std::string_view("phase"); },
                        [](const step::Consider&) { return std::string_view("consider"); },
                        [](const step::Reject&) { return std::string_view("reject"); },
                        [](const step::Place&) { return std::string_view("place"); },
                        [](const step::Unplace&) { return std::string_view("unplace"); },
                        [](const step::OpenBox&) { return std::string_view("open_box"); },
                        [](const step::PutInBox&) { return std::string_view("put_in_box"); },
                        [](const step::CloseBox&) { return std::string_view("close_box"); },
                        [](const step::OpenRow&) { return std::string_view("open_row"); },
                        [](const step::TakeTag&) { return std::string_view("take_tag"); },
                        [](const step::ReturnTag&) { return std::string_view("return_tag"); },
                        [](const step::Incumbent&) { return std::string_view("incumbent"); },
                        [](const step::Bound&) { return std::string_view("bound"); },
                        [](const step::Note&) { return std::string_view("note"); },
                    },
                    step.fact);
}

std::string caption(const Step& step, const Problem& problem) {
  const auto name = [&](BufferIndex i) {
    return i < problem.size() ? printable_utf8(problem.id(i)) : std::string("?");
  };
  if (const auto* consider = std::get_if<step::Consider>(&step.fact)) {
    const Buffer& buffer = problem[consider->buffer];
    return with_reason(fmt::format("{} is next: {}, time [{}, {})", name(consider->buffer), format_bytes(buffer.size),
                                   buffer.start, buffer.end),
                       step.why);
  }
  return caption(step, name);
}

std::string caption(const Step& step, const std::function<std::string(BufferIndex)>& name) {
  std::string text = std::visit(
      Match{
          [](const step::Phase& phase) { return phase.name; },
          [&](const step::Consider& consider) { return fmt::format("{} is next", name(consider.buffer)); },
          [&](const step::Reject& reject) {
            return fmt::format("{} does not fit below {} at offset {}: {} free, {} needed", name(reject.buffer),
                               name(reject.blocker), reject.offset, format_exact_bytes(reject.free),
                               format_exact_bytes(reject.needed));
          },
          [&](const step::Place& place) {
            return fmt::format("{} is placed at offset {} ({})", name(place.buffer), place.offset,
                               format_bytes(place.offset));
          },
          [&](const step::Unplace& unplace) { return fmt::format("{} is taken out again", name(unplace.buffer)); },
          [](const step::OpenBox& open) { return fmt::format("box {} begins at level {}", open.box, open.level); },
          [&](const step::PutInBox& put) {
            const std::string what =
                put.member.box != BoxMember::kNone ? fmt::format("box {}", put.member.box) : name(put.member.buffer);
            return fmt::format("{} goes into box {}", what, put.box);
          },
          [](const step::CloseBox& close) {
            return fmt::format("box {} is complete: time [{}, {}), height {}", close.box, close.start, close.end,
                               format_bytes(close.height));
          },
          [](const step::OpenRow& open) {
            return fmt::format("row {} begins, {} high", open.row, format_bytes(open.height));
          },
          [&](const step::TakeTag& take) { return fmt::format("{} takes tag {}", name(take.buffer), take.tag); },
          [&](const step::ReturnTag& back) {
            return fmt::format("tag {} of {} goes back into the box", back.tag, name(back.buffer));
          },
          [](const step::Incumbent& incumbent) {
            return fmt::format("best plan so far: makespan {}", format_exact_bytes(incumbent.makespan));
          },
          [](const step::Bound& bound) {
            return fmt::format("no plan is lower than {}", format_exact_bytes(bound.makespan));
          },
          [](const step::Note& note) { return note.text; },
      },
      step.fact);
  return with_reason(std::move(text), step.why);
}

void StepLog::add(Step step) {
  if (steps_.size() >= limit_ && !kept_when_full(step)) {
    truncated_ = true;
    return;
  }
  steps_.push_back(std::move(step));
}

}  // namespace stowage
