#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// Some buffers of one space, one of them perhaps smaller than it is.
struct Selection {
  std::vector<BufferIndex> buffers;
  BufferIndex shrunk = kNoBuffer;
  std::int64_t size = 0;  // of the shrunk one
};

/// The problem of these buffers alone, in the order of the selection and in one space; a window of a gap ends at the
/// shrunk size.
Problem selected_problem(const Problem& problem, std::uint16_t space, const Selection& selection,
                         std::int64_t capacity);

/// Answers whether buffers of one space fit under a capacity: by their load and pins, by a greedy plan, by exact
/// search.
class Feasibility {
 public:
  enum class Answer { kFits, kDoesNotFit, kUnknown };

  /// All questions together may visit so many nodes of the search.
  Feasibility(const Problem& problem, std::uint16_t space, std::int64_t capacity, std::int64_t nodes,
              const RunContext& context);

  Answer ask(const Selection& selection);
  Answer ask(std::span<const BufferIndex> buffers);

  /// By buffer of the last selection that fits.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  /// Of the last selection that does not fit: those of its buffers that a partition of time holds together.
  const std::vector<BufferIndex>& together() const { return together_; }
  bool stopped() const { return context_.should_stop(); }

 private:
  Answer search(const Problem& problem, const Selection& selection);

  const Problem& problem_;
  std::uint16_t space_;
  std::int64_t capacity_;
  std::int64_t nodes_left_;
  RunContext context_;  // silent
  std::vector<std::int64_t> offsets_;
  std::vector<BufferIndex> together_;
};

}  // namespace stowage
