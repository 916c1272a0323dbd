#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/min_cost_flow.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/record_order.h"
#include "core/allocators/registry.h"
#include "core/allocators/release_queue.h"
#include "core/allocators/shared_objects.h"
#include "core/allocators/tensor_shape.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// Up to so many buffers of a space are planned at once when nothing else is asked for, and larger problems in parts.
constexpr std::size_t kAtOnce = 256;
constexpr std::size_t kPart = 128;

/// What gives its memory to a later buffer: a buffer of this part, or the last one of an object from an earlier part.
struct Giver {
  std::int64_t size = 0;
  std::int64_t end = 0;
  std::optional<std::uint32_t> object;  // once it is known
};

/// The buffers of one part, as a flow network. Each buffer i needs one unit at its right vertex: from the source, which
/// costs a new object of its size, or from the left vertex of a buffer j that is over, whose object then has to grow
/// by max(0, size of i - size of j). A cheapest flow is a cheapest set of chains.
///
///        source --0--> left of j ----growth----> right of i --0--> sink
///               -----------------size of i-------^
class Chains {
 public:
  Chains(const Problem& problem, SharedObjects& objects, std::vector<Giver> givers,
         std::span<const BufferIndex> buffers)
      : problem_(problem),
        objects_(objects),
        givers_(std::move(givers)),
        earlier_(givers_.size()),
        buffers_(buffers),
        flow_(givers_.size() + 2 * buffers.size() + 2) {}

  /// The last buffers of all objects; nothing when it was stopped.
  std::optional<std::vector<Giver>> bind() {
    add_edges();
    while (!objects_.should_stop()) {
      if (!flow_.augment(source(), sink())) return follow();
    }
    return std::nullopt;
  }

 private:
  // Vertices: all left ones, then all right ones, source, sink.
  std::uint32_t left(std::size_t giver) const { return static_cast<std::uint32_t>(giver); }
  std::uint32_t right(std::size_t buffer) const {
    return static_cast<std::uint32_t>(earlier_ + buffers_.size() + buffer);
  }
  std::uint32_t source() const { return static_cast<std::uint32_t>(earlier_ + 2 * buffers_.size()); }
  std::uint32_t sink() const { return source() + 1; }

  /// The order is the origin's: it decides which of several cheapest flows is found.
  void add_edges() {
    ReleaseQueue in_use;
    std::vector<std::uint32_t> over;
    for (std::size_t giver = 0; giver < earlier_; ++giver) {
      flow_.add(source(), left(giver), 0);
      in_use.add(givers_[giver].end, left(giver));
    }
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      const Buffer& buffer = problem_[buffers_[k]];
      const std::size_t giver = givers_.size();
      givers_.push_back(Giver{buffer.size, buffer.end, std::nullopt});
      in_use.release(buffer.start, [&](std::uint32_t vertex) { over.push_back(vertex); });
      flow_.add(source(), left(giver), 0);
      flow_.add(right(k), sink(), 0);
      flow_.add(source(), right(k), buffer.size);
      for (const std::uint32_t vertex : over) {
        flow_.add(vertex, right(k), std::max<std::int64_t>(0, buffer.size - givers_[vertex].size));
      }
      in_use.add(buffer.end, left(giver));
    }
  }

  /// First the objects of earlier parts, then a new one for each unit that comes straight from the source.
  std::vector<Giver> follow() {
    std::vector<Giver> last;
    for (std::size_t giver = 0; giver < earlier_; ++giver) last.push_back(follow(giver, *givers_[giver].object));
    for (const MinCostFlow::Edge& edge : flow_.edges_of(source())) {
      if (!edge.carries() || edge.to < right(0)) continue;
      const std::size_t buffer = edge.to - right(0);
      const std::uint32_t object = objects_.open(buffers_[buffer], "a new object costs least in the whole flow");
      last.push_back(follow(earlier_ + buffer, object));
    }
    return last;
  }

  Giver follow(std::size_t giver, std::uint32_t object) {
    while (true) {
      const auto edges = flow_.edges_of(left(giver));
      const auto next = std::find_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.carries(); });
      if (next == edges.end()) return Giver{objects_.size(object), givers_[giver].end, object};
      const std::size_t buffer = next->to - right(0);
      objects_.put(buffers_[buffer], object,
                   objects_.records() ? fmt::format("the flow gives it object {} next", object) : std::string());
      giver = earlier_ + buffer;
    }
  }

  const Problem& problem_;
  SharedObjects& objects_;
  std::vector<Giver> givers_;  // of earlier parts, then one for each buffer
  std::size_t earlier_;
  std::span<const BufferIndex> buffers_;
  MinCostFlow flow_;
};

/// Time and memory grow with the square of the buffers planned at once, and more; so many are planned in parts of
/// time, each on top of the objects of those before.
Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const std::string& text = params.at("part");
  const std::optional<std::int64_t> number = parse_int(text);
  if (text != "auto" && text != "all" && (!number || *number < 1)) {
    return usage_error(fmt::format("part: '{}' is neither a number above 0 nor auto nor all", text));
  }
  const bool strict = is_strict(params);
  const auto bind = [&](const Problem&, std::span<const BufferIndex> rows, SharedObjects& objects) {
    std::size_t part = number ? static_cast<std::size_t>(*number) : rows.size();
    if (text == "auto" && rows.size() > kAtOnce) part = kPart;
    const std::vector<BufferIndex> order = record_order(problem, rows, strict);
    std::vector<Giver> givers;
    for (std::size_t begin = 0; begin < order.size(); begin += std::min(part, order.size())) {
      const std::span<const BufferIndex> all = order;
      auto last =
          Chains(problem, objects, std::move(givers), all.subspan(begin, std::min(part, all.size() - begin))).bind();
      if (!last) return;
      givers = std::move(*last);
    }
  };
  return refuse_collisions("tflite-mincostflow", problem, strict,
                           with_shapes(problem, params, plan_objects(problem, context, bind)));
}

}  // namespace

std::vector<Allocator> tflite_mincostflow_allocators() {
  Allocator allocator;
  allocator.id = "tflite-mincostflow";
  allocator.title = "TFLite minimum-cost flow";
  allocator.summary =
      "Shared objects of TensorFlow Lite's GPU delegate: who reuses whose memory is a flow of minimum cost.";
  allocator.source = "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management/min_cost_flow_assignment.cc";
  const ParamSpec part =
      open_param("part", "buffers planned at once, in order of time: all is the origin; auto: all up to 256, else 128",
                 {"auto", "all", "128", "256", "512"});
  allocator.params = {object_sizes_param(), part, strict_records_param()};
  allocator.can = object_planner_capabilities();
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
