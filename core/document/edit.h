#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// Changes that a person makes to a problem. Each names buffers by their index in the problem before the change.
namespace edit {
/// Gaps move along when the length stays, else they are cut to the new lifetime.
struct Lifetime {
  BufferIndex buffer = kNoBuffer;
  std::int64_t start = 0;
  std::int64_t end = 0;
};
/// Windows of gaps are cut to the new size; slices and a requested size that no longer fit are forgotten.
struct Size {
  BufferIndex buffer = kNoBuffer;
  std::int64_t size = 0;
};
struct Alignment {
  BufferIndex buffer = kNoBuffer;
  std::int64_t alignment = 1;
};
struct Name {
  BufferIndex buffer = kNoBuffer;
  std::string name;
};
/// A kind that is new is made.
struct Kind {
  BufferIndex buffer = kNoBuffer;
  std::string kind;
};
/// A space that is new is made.
struct InSpace {
  BufferIndex buffer = kNoBuffer;
  std::string space;
};
struct Hint {
  BufferIndex buffer = kNoBuffer;
  std::optional<std::int64_t> offset;
};
/// Fixes the offset, or frees it.
struct Pin {
  BufferIndex buffer = kNoBuffer;
  std::optional<std::int64_t> offset;
};
struct Gaps {
  BufferIndex buffer = kNoBuffer;
  std::vector<Gap> gaps;
};
/// A new buffer behind all others; `like` names the one whose details it takes over where it has none of its own.
struct Add {
  std::string name;
  std::string kind;
  Buffer buffer;  // kind and details are not looked at
  BufferIndex like = kNoBuffer;
  std::optional<Details> details;
  std::string space;  // one that is new is made; empty: the one of `buffer`
};
/// Edges, ties and groups lose these members. `into` takes the place of all of them: it inherits their explicit
/// conflicts.
struct Remove {
  std::vector<BufferIndex> buffers;
  BufferIndex into = kNoBuffer;
};
/// Of the whole problem, or of one of its spaces while the others keep theirs.
struct Capacity {
  std::optional<std::int64_t> bytes;
  std::optional<std::uint16_t> space = {};
};
}  // namespace edit

using Edit = std::variant<edit::Lifetime, edit::Size, edit::Alignment, edit::Name, edit::Kind, edit::InSpace,
                          edit::Hint, edit::Pin, edit::Gaps, edit::Add, edit::Remove, edit::Capacity>;

/// A problem after its edits, and which buffer became which.
struct Edited {
  Problem problem;
  std::vector<BufferIndex> origin;   // by new buffer: the old one, or kNoBuffer
  std::vector<BufferIndex> becomes;  // by old buffer: the new one, or kNoBuffer
};

/// Applies edits in their order; removals take effect after everything else, so that indices stay what they were.
/// Errors name the buffer: "b17: lifetime ends at 3, before it starts at 5". The problem itself never changes.
Result<Edited> apply_edits(const Problem& problem, std::span<const Edit> edits);

/// A plan of the old problem for the new one: offsets follow their buffers, new buffers are not placed.
Plan carried_over(const Plan& plan, const Edited& edited);

/// Copies of buffers with the same lifetimes; each name gets the first free number behind it: "conv1 2".
std::vector<Edit> duplicates(const Problem& problem, std::span<const BufferIndex> buffers);
/// The buffers of another problem with their details, but without ties to each other; names that are taken here get a
/// number as well. They lie in the spaces that they name, which are made where they are new; where they name none, in
/// `space`.
std::vector<Edit> additions(const Problem& problem, const Problem& from, std::uint16_t space = 0);
/// The buffer does not need its memory during [start, end): a gap more, joined with those it touches; at an end of its
/// lifetime the buffer is live for less time instead.
Edit split_lifetime(const Problem& problem, BufferIndex buffer, std::int64_t start, std::int64_t end);
/// Why these cannot become one buffer; "" when they can.
const char* why_not_merged(const Problem& problem, std::span<const BufferIndex> buffers);
/// One buffer instead of several: the first, with the largest size and an alignment that suits all, alive whenever one
/// of them was, with gaps where none was, pinned where the first pinned one of them was. Needs two or more.
std::vector<Edit> merged(const Problem& problem, std::span<const BufferIndex> buffers);

}  // namespace stowage
