#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/box.h"
#include "core/model/problem.h"

namespace stowage {

/// Facts of a run, small and closed; they are only ever applied forwards.
namespace step {
/// A new part of the algorithm begins.
struct Phase {
  std::string name;
  bool operator==(const Phase&) const = default;
};
/// The buffer looked at next.
struct Consider {
  BufferIndex buffer = kNoBuffer;
  bool operator==(const Consider&) const = default;
};
/// `buffer` cannot sit at `offset`: only `free` bytes are left there below `blocker`, `needed` are necessary.
struct Reject {
  BufferIndex buffer = kNoBuffer;
  BufferIndex blocker = kNoBuffer;
  std::int64_t offset = 0;
  std::int64_t free = 0;
  std::int64_t needed = 0;
  bool operator==(const Reject&) const = default;
};
struct Place {
  BufferIndex buffer = kNoBuffer;
  std::int64_t offset = 0;
  bool operator==(const Place&) const = default;
};
struct Unplace {
  BufferIndex buffer = kNoBuffer;
  bool operator==(const Unplace&) const = default;
};
/// A box begins at a level of the recursion (or a shared object comes to be); it has no members yet.
struct OpenBox {
  std::uint32_t box = 0;  // numbered from 0; a number that comes again begins a new attempt, its box and later ones go
  int level = 0;
  bool operator==(const OpenBox&) const = default;
};
/// A buffer or another box goes into an open box.
struct PutInBox {
  std::uint32_t box = 0;
  BoxMember member;
  bool operator==(const PutInBox&) const = default;
};
/// The box is complete: its hull in time and its height. From now on it is planned like a buffer.
struct CloseBox {
  std::uint32_t box = 0;
  int level = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t height = 0;
  bool operator==(const CloseBox&) const = default;
};
/// Interval colouring opens a new row of this height: nothing that is free fits.
struct OpenRow {
  std::uint32_t row = 0;
  std::int64_t height = 0;
  bool operator==(const OpenRow&) const = default;
};
/// The buffer (of a graph: the tensor) takes a tag out of the box of free ones, or a new one: from now on it lives in
/// that storage.
struct TakeTag {
  BufferIndex buffer = kNoBuffer;
  std::uint32_t tag = 0;
  bool operator==(const TakeTag&) const = default;
};
/// The last reader of the buffer is done: its tag goes back into the box.
struct ReturnTag {
  BufferIndex buffer = kNoBuffer;
  std::uint32_t tag = 0;
  bool operator==(const ReturnTag&) const = default;
};
/// The best plan so far has this makespan.
struct Incumbent {
  std::int64_t makespan = 0;
  bool operator==(const Incumbent&) const = default;
};
/// No plan can be lower than this.
struct Bound {
  std::int64_t makespan = 0;
  bool operator==(const Bound&) const = default;
};
struct Note {
  std::string text;
  bool operator==(const Note&) const = default;
};
}  // namespace step

struct Step {
  std::variant<step::Phase, step::Consider, step::Reject, step::Place, step::Unplace, step::OpenBox, step::PutInBox,
               step::CloseBox, step::OpenRow, step::TakeTag, step::ReturnTag, step::Incumbent, step::Bound, step::Note>
      fact;
  std::string why;  // the reason in words where the fact alone does not tell it; may be empty
  bool operator==(const Step&) const = default;
};

/// The operation as it stands in files: "phase", "consider", "reject", "place", "unplace", "open_box",
/// "put_in_box", "close_box", "open_row", "take_tag", "return_tag", "incumbent", "bound", "note".
std::string_view op_of(const Step& step);
/// One sentence for people: "b17 does not fit below b3 at 4 KiB: 12 KiB free, 16 KiB needed".
std::string caption(const Step& step, const Problem& problem);
/// The same where the numbers of buffers are tensors of a graph: `name` gives what each is called, "?" when none.
std::string caption(const Step& step, const std::function<std::string(BufferIndex)>& name);

/// Everything a run said, in order. After `limit` steps only phases, incumbents and bounds are kept.
class StepLog {
 public:
  static constexpr std::size_t kLimit = 2'000'000;

  explicit StepLog(std::size_t limit = kLimit) : limit_(limit) {}
  void add(Step step);
  const std::vector<Step>& steps() const { return steps_; }
  /// Steps were left out: a replay no longer gives the plan.
  bool truncated() const { return truncated_; }

 private:
  std::vector<Step> steps_;
  std::size_t limit_;
  bool truncated_ = false;
};

}  // namespace stowage
