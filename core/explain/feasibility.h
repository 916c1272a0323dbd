#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/explain/clique.h"
#include "core/explain/graph_search.h"
#include "core/model/conflicts.h"
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

/// Answers whether buffers of one space fit under a capacity. Where lifetimes alone decide: by their load and pins, by
/// a greedy plan, by exact search. On other conflict graphs, and where buffers are tied, the same with the heaviest
/// clique for the load. Buffers that are tied stay so when one of them, or one between them, shrinks or is not asked
/// about.
class Feasibility {
 public:
  enum class Answer { kFits, kDoesNotFit, kUnknown };

  /// All questions together may visit so many nodes of the search.
  Feasibility(const Problem& problem, std::uint16_t space, std::int64_t capacity, std::int64_t nodes,
              const RunContext& context);

  Answer ask(const Selection& selection);
  Answer ask(std::span<const BufferIndex> buffers);

  /// Lifetimes alone say what conflicts, and nothing is tied.
  bool only_times() const { return overlaps_.empty(); }
  /// The heaviest set that was found of buffers of which each two conflict with their whole sizes.
  Clique heaviest_clique(std::span<const BufferIndex> buffers) const;

  /// By buffer of the last selection that fits.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  /// Of the last selection that does not fit: those of its buffers that are known to be the reason.
  const std::vector<BufferIndex>& together() const { return together_; }
  bool stopped() const { return context_.should_stop(); }

 private:
  Answer ask_times(const Selection& selection);
  Answer search_times(const Problem& part, const Selection& selection);
  std::optional<Answer> search_niches(const Problem& part, const Selection& selection);
  Answer ask_graph(const Selection& selection);
  Clique clique(std::span<const AskedBuffer> asked, std::int64_t enough, std::int64_t nodes) const;
  std::int64_t share() const;

  const Problem& problem_;
  std::uint16_t space_;
  std::int64_t capacity_;
  std::int64_t nodes_left_;
  RunContext context_;                          // silent
  std::vector<std::vector<Overlap>> overlaps_;  // of a conflict graph
  std::vector<std::int64_t> offsets_;
  std::vector<BufferIndex> together_;
};

}  // namespace stowage
