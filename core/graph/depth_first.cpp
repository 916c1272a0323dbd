// Post-order from the outputs: an op stands right behind the last thing that it reads. The order of the lecture's
// executor and of NNVM.

#include <vector>

#include "core/graph/schedulers.h"

namespace stowage {
namespace {

class DepthFirst {
 public:
  explicit DepthFirst(const Graph& graph) : graph_(graph), seen_(graph.ops().size(), false) {}

  Schedule run() {
    for (const TensorIndex t : graph_.outputs()) {
      if (graph_.producer(t) != kNoOp) visit(graph_.producer(t));
    }
    for (OpIndex n = 0; n < graph_.ops().size(); ++n) visit(n);  // what no output needs
    return Schedule{std::move(order_)};
  }

 private:
  struct Frame {
    OpIndex op;
    std::vector<OpIndex> before;
    std::size_t next = 0;
  };

  /// In the order of its inputs, then what events demand.
  std::vector<OpIndex> needed(OpIndex n) const {
    std::vector<OpIndex> before;
    for (const TensorIndex t : graph_.op(n).in) {
      if (graph_.producer(t) != kNoOp) before.push_back(graph_.producer(t));
    }
    for (const OpIndex op : graph_.waits_for(n)) before.push_back(op);
    return before;
  }

  /// With a stack of its own: a network is deeper than the program's may be.
  void visit(OpIndex root) {
    if (seen_[root]) return;
    seen_[root] = true;
    std::vector<Frame> stack;
    stack.push_back(Frame{root, needed(root), 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.before.size()) {
        order_.push_back(frame.op);
        stack.pop_back();
        continue;
      }
      const OpIndex before = frame.before[frame.next++];
      if (seen_[before]) continue;
      seen_[before] = true;
      stack.push_back(Frame{before, needed(before), 0});
    }
  }

  const Graph& graph_;
  std::vector<bool> seen_;
  std::vector<OpIndex> order_;
};

Result<Schedule> run(const Graph& graph, const ParamValues&, RunContext&) {
  return DepthFirst(graph).run();
}

}  // namespace

Scheduler depth_first_scheduler() {
  return {"depth-first", "Depth first", "From the outputs backwards: each op right behind what it reads.", {}, run};
}

}  // namespace stowage
