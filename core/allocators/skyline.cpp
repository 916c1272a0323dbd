#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/floors.h"
#include "core/allocators/local_queue.h"
#include "core/allocators/order.h"
#include "core/allocators/placed_by_time.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"

namespace stowage {
namespace {

/// The fixed buffers stand in the way like shelves: one may pass below or sit above, never through.
class Shelves {
 public:
  explicit Shelves(const Problem& problem) : problem_(problem), placed_(problem.sections().count()) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      const Buffer& buffer = problem[i];
      if (!buffer.is_fixed() || problem.sections().range(i).length() == 0) continue;
      placed_.add({problem.sections().range(i), buffer.fixed, buffer.fixed + buffer.size, i});
      any_ = true;
    }
  }

  /// The lowest allowed offset from `at` on.
  std::int64_t above(BufferIndex i, std::int64_t at) {
    if (!any_) return at;
    blocked_.clear();
    placed_.overlapping(problem_.sections().range(i), [&](const Placed& shelf) {
      const auto below = effective_size(problem_, i, shelf.buffer);
      const auto over = effective_size(problem_, shelf.buffer, i);
      if (below && over) blocked_.emplace_back(shelf.offset - *below, shelf.offset + *over);
    });
    std::sort(blocked_.begin(), blocked_.end());
    for (const auto& [low, high] : blocked_) {
      if (low < at && at < high) at = problem_.grid(i).up(high);
    }
    return at;
  }

 private:
  const Problem& problem_;
  PlacedByTime<Placed> placed_;
  bool any_ = false;
  std::vector<std::pair<std::int64_t, std::int64_t>> blocked_;
};

class Skyline {
 public:
  Skyline(const Problem& problem, std::span<const BufferIndex> order, RunContext& context)
      : problem_(problem), order_(order), context_(context), floors_(problem.sections().count()), shelves_(problem) {
    const auto buffers = problem.buffers();
    plain_ = !problem.has_gaps() && !problem.has_fixed() &&
             std::all_of(buffers.begin(), buffers.end(), [](const Buffer& b) { return b.alignment == 1; });
    result_.offsets.assign(problem.size(), kNoOffset);
  }

  Result<RunResult> run() {
    context_.say(Step{step::Phase{"fixed buffers, and those that take no memory"}, {}});
    // Steps are told by rising offset; and only fixed buffers can make it fail, then for the lowest one.
    const bool in_order = context_.records() || problem_.has_fixed();
    LocalQueue queue(problem_.sections().count(),
                     in_order ? LocalQueue::Locality::kNone : LocalQueue::Locality::kBlocks);
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) {
      const BufferIndex i = order_[rank];
      if (problem_[i].is_fixed()) {
        settle(i, problem_[i].fixed, "it is fixed there");
      } else if (problem_.sections().range(i).length() == 0) {
        settle(i, problem_.grid(i).up(0), "it takes no memory");
      } else {
        const SectionRange range = problem_.sections().range(i);
        queue.add({lowest(i, range), rank, i, range});
        ++waiting_;
      }
    }
    total_ = waiting_;
    context_.say(Step{step::Phase{"the buffer that can sit lowest, again and again"}, {}});
    if (!queue.drain([&](Waiting& next) { return look_at(next); })) return tl::unexpected(error_);
    context_.report(1);
    return std::move(result_);
  }

 private:
  using Turn = LocalQueue::Turn;

  /// Floors only rise, so no buffer can sit lower than when it was last looked at: if the next one still can sit there,
  /// none that overlaps it can sit lower.
  Turn look_at(Waiting& next) {
    if (++looks_ % 1024 == 0) {
      if (context_.should_stop()) return stop(Error::Kind::kCancelled, "stopped before it had a plan");
      context_.report(1 - static_cast<double>(waiting_) / static_cast<double>(total_));
    }
    const BufferIndex i = next.buffer;
    const std::int64_t offset = lowest(i, next.range);
    if (offset > next.offset) {
      next.offset = offset;
      return Turn::kLater;
    }
    if (!checked_add(offset, problem_[i].size)) {
      return stop(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem_.id(i))));
    }
    if (context_.records()) context_.say(Step{step::Consider{i}, {}});
    settle(i, offset, "no other waiting buffer can sit lower");
    raise_floors(i, offset);
    --waiting_;
    return Turn::kTaken;
  }

  Turn stop(Error::Kind kind, std::string message) {
    error_ = {kind, std::move(message)};
    return Turn::kStop;
  }

  std::int64_t lowest(BufferIndex i, SectionRange range) {
    if (plain_) return floors_.highest(range.first, range.last);
    std::int64_t at = 0;
    problem_.sections().for_each_span(problem_[i], i, [&](const Span& span) {
      at = std::max(at, floors_.highest(span.first, span.last) - span.low);
    });
    return shelves_.above(i, problem_.grid(i).up(at));
  }

  void raise_floors(BufferIndex i, std::int64_t offset) {
    problem_.sections().for_each_span(
        problem_[i], i, [&](const Span& span) { floors_.raise(span.first, span.last, offset + span.high); });
  }

  void settle(BufferIndex i, std::int64_t offset, const char* why) {
    result_.offsets[i] = offset;
    if (context_.records()) context_.say(Step{step::Place{i, offset}, why});
  }

  const Problem& problem_;
  std::span<const BufferIndex> order_;
  RunContext& context_;
  Floors floors_;
  Shelves shelves_;
  bool plain_ = false;  // a buffer sits right on the highest floor
  std::size_t waiting_ = 0;
  std::size_t total_ = 0;  // that ever waited
  std::size_t looks_ = 0;
  Error error_;  // why it had to stop
  RunResult result_;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto order = make_order(problem, params.at("order"));
  if (!order) return tl::unexpected(order.error());
  return Skyline(problem, *order, context).run();
}

}  // namespace

std::vector<Allocator> skyline_allocators() {
  Allocator allocator;
  allocator.id = "skyline";
  allocator.title = "Skyline";
  allocator.summary = "Again and again the buffer that can sit lowest over its whole lifetime; never fills a hole.";
  allocator.source =
      "Burke, Kendall, Whitwell, A new placement heuristic for the orthogonal stock-cutting problem, 2004";
  allocator.params = {order_param("size")};
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
