#include "core/graph/lower.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/graph/ancestors.h"
#include "core/graph/storages.h"
#include "core/graph/stream_lives.h"

namespace stowage {
namespace {

constexpr std::size_t kNotesOfAKind = 20;

bool lives_on(TensorKind kind) {
  return kind == TensorKind::kWeight || kind == TensorKind::kConstant || kind == TensorKind::kState;
}

class Lowering {
 public:
  Lowering(const Staged& staged, const LowerOptions& options)
      : staged_(staged),
        graph_(staged.graph),
        options_(options),
        storages_(find_storages(staged)),
        spans_(tensor_spans(staged.graph, staged.schedule)) {}

  Result<Lowered> run() {
    const std::size_t count = graph_.tensors().size();
    lowered_.buffer_of.assign(count, kNoBuffer);
    lowered_.offset_in = storages_.offset;
    input_.name = graph_.name();
    for (const StagedSpace& space : staged_.spaces)
      input_.spaces[input_.space_index(space.id)].capacity = space.capacity;
    for (TensorIndex t = 0; t < count; ++t) {
      if (storages_.root[t] == t) storage(t);
    }
    workspaces();
    shared_storages();
    groups(graph_.groups());
    groups(staged_.groups);
    if (options_.streams) streams();
    count_further_notes();

    auto problem = make_problem(std::move(input_));
    if (!problem) return input_error(fmt::format("{}: {}", graph_.name(), problem.error().front().message));
    lowered_.problem = std::move(*problem);
    return std::move(lowered_);
  }

 private:
  /// Decided by the oldest tensor: what lives in its memory lives where it does.
  bool wanted(TensorIndex root) const {
    const Tensor& tensor = graph_.tensor(root);
    if (tensor.kind == TensorKind::kState && options_.state) return true;
    if (lives_on(tensor.kind)) return options_.weights;
    if (tensor.kind == TensorKind::kInput && !tensor.donated) return options_.inputs;
    if (options_.outputs) return true;
    const auto& members = storages_.members[root];
    return std::none_of(members.begin(), members.end(), [&](TensorIndex t) { return graph_.is_output(t); });
  }

  void note(TensorIndex t, std::string_view what) {
    if (++noted_[what] <= kNotesOfAKind) lowered_.notes.push_back(fmt::format("{}: {}", graph_.tensor(t).id, what));
  }

  void count_further_notes() {
    for (const auto& [what, count] : noted_) {
      if (count > kNotesOfAKind) lowered_.notes.push_back(fmt::format("{} more: {}", count - kNotesOfAKind, what));
    }
  }

  void storage(TensorIndex root) {
    if (!wanted(root)) return;
    const std::vector<TensorIndex>& members = storages_.members[root];
    Buffer buffer;
    buffer.start = spans_[root].start;
    buffer.alignment = options_.alignment;
    bool used = false;
    for (const TensorIndex t : members) {
      const Tensor& tensor = graph_.tensor(t);
      if (!tensor.bytes) {
        if (storages_.root[t] == t) {
          ++lowered_.unknown;
          return note(t, "size unknown, left out");
        }
        note(t, "size unknown, taken to fit into what it lies in");
      }
      buffer.size = std::max(buffer.size, storages_.offset[t] + tensor.bytes.value_or(0));
      buffer.end = std::max(buffer.end, spans_[t].end);
      used = used || spans_[t].start < spans_[t].end;
      const std::int64_t common =
          std::lcm(std::min(buffer.alignment, kMostAlignment), std::min(tensor.alignment, kMostAlignment));
      buffer.alignment = std::max(common, std::max(buffer.alignment, tensor.alignment));
    }
    if (lives_on(graph_.tensor(root).kind)) {
      buffer.start = 0;
      buffer.end = horizon();
    } else if (!used) {
      return note(root, "neither made nor read, left out");
    }
    const Tensor& tensor = graph_.tensor(root);
    buffer.kind = input_.kind_index(name_of(tensor.kind));
    if (!tensor.space.empty()) buffer.space = input_.space_index(tensor.space);
    Details details;
    if (graph_.producer(root) != kNoOp) details.op = graph_.op(graph_.producer(root)).id;
    if (tensor.shape) details.shape = *tensor.shape;
    details.source = tensor.source;
    add(tensor.id, buffer, std::move(details), members);
  }

  void add(std::string_view id, const Buffer& buffer, Details details, std::vector<TensorIndex> members) {
    const auto index = static_cast<BufferIndex>(input_.buffers.size());
    for (const TensorIndex t : members) lowered_.buffer_of[t] = index;
    lowered_.members.push_back(std::move(members));
    if (details == Details{}) {
      input_.add(id, buffer);
    } else {
      input_.add(id, buffer, std::move(details));
    }
  }

  std::int64_t horizon() const { return static_cast<std::int64_t>(staged_.schedule.order.size()); }

  void workspaces() {
    for (std::size_t step = 0; step < staged_.schedule.order.size(); ++step) {
      const Op& op = graph_.op(staged_.schedule.order[step]);
      if (op.workspace == 0) continue;
      Buffer buffer;
      buffer.start = static_cast<std::int64_t>(step);
      buffer.end = buffer.start + 1;
      buffer.size = op.workspace;
      buffer.alignment = options_.alignment;
      buffer.kind = input_.kind_index(name_of(TensorKind::kWorkspace));
      workspace_of_.emplace(static_cast<BufferIndex>(input_.buffers.size()), staged_.schedule.order[step]);
      Details details;
      details.op = op.id;
      add(op.id + ".workspace", buffer, std::move(details), {});
    }
  }

  void shared_storages() {
    tied_.assign(input_.buffers.size(), kUntied);
    for (std::size_t i = 0; i < staged_.storages.size(); ++i) {
      const SharedStorage& shared = staged_.storages[i];
      std::vector<BufferIndex> list;
      for (const TensorIndex t : shared.members) {
        const BufferIndex buffer = lowered_.buffer_of[t];
        if (buffer == kNoBuffer || tied_[buffer] != kUntied) continue;
        tied_[buffer] = i;
        list.push_back(buffer);
      }
      if (list.size() > 1) input_.constraints.colocations.push_back(std::move(list));
    }
  }

  void groups(std::span<const TensorGroup> groups) {
    for (const TensorGroup& group : groups) {
      Group ours;
      ours.pad = group.pad;
      for (const TensorIndex t : group.members) {
        if (!wanted(storages_.root[t])) continue;  // its class is left out altogether
        const BufferIndex buffer = lowered_.buffer_of[t];
        if (buffer == kNoBuffer || storages_.root[t] != t) {
          note(t, "does not stand for itself, left out of its contiguous group");
          continue;
        }
        ours.members.push_back(buffer);
      }
      if (ours.members.size() > 1) input_.constraints.groups.push_back(std::move(ours));
    }
  }

  StreamLife stream_life(BufferIndex buffer) const {
    const Buffer& shape = input_.buffers[buffer];
    StreamLife life;
    life.span = {shape.start, shape.end};
    std::map<std::uint32_t, OpIndex> last;  // by stream
    const auto touch = [&](OpIndex n) {
      const auto [found, is_new] = last.try_emplace(graph_.op(n).stream, n);
      if (!is_new && steps_[n] > steps_[found->second]) found->second = n;
    };
    const auto workspace = workspace_of_.find(buffer);
    if (workspace != workspace_of_.end()) {
      life.maker = workspace->second;
      touch(workspace->second);
    }
    for (const TensorIndex t : lowered_.members[buffer]) {
      if (storages_.root[t] == t) life.maker = graph_.producer(t);
      if (graph_.producer(t) != kNoOp) touch(graph_.producer(t));
      for (const OpIndex reader : graph_.readers(t)) touch(reader);
      life.to_the_end = life.to_the_end || graph_.is_output(t) || lives_on(graph_.tensor(t).kind);
    }
    for (const auto& [stream, n] : last) life.last.push_back(n);
    return life;
  }

  void streams() {
    const Ancestors ancestors(graph_, staged_.schedule);
    if (ancestors.one_stream()) return;
    steps_ = staged_.schedule.steps();
    std::vector<StreamLife> lives;
    for (BufferIndex b = 0; b < input_.buffers.size(); ++b) lives.push_back(stream_life(b));
    for (const auto& [a, b] : pairs_that_may_meet(graph_, staged_.schedule, ancestors, lives)) {
      const bool tied = tied_[a] != kUntied && tied_[a] == tied_[b];
      if (!tied && input_.buffers[a].space == input_.buffers[b].space) input_.constraints.conflicts.push_back({a, b});
    }
  }

  static constexpr std::int64_t kMostAlignment = std::int64_t{1} << 31U;  // so that a common multiple fits

  static constexpr std::size_t kUntied = static_cast<std::size_t>(-1);

  const Staged& staged_;
  const Graph& graph_;
  const LowerOptions& options_;
  Storages storages_;
  std::vector<StepSpan> spans_;
  std::vector<std::size_t> steps_;
  std::vector<std::size_t> tied_;  // by buffer: the shared storage it is bound to
  std::map<BufferIndex, OpIndex> workspace_of_;
  std::map<std::string_view, std::size_t> noted_;  // by what was noted: how often
  ProblemInput input_;
  Lowered lowered_;
};

}  // namespace

Result<Lowered> lower(const Staged& staged, const LowerOptions& options) {
  return Lowering(staged, options).run();
}

Result<Staged> stage(Graph graph) {
  auto schedule = given_schedule(graph);
  if (!schedule) return tl::unexpected(schedule.error());
  return staged_in(std::move(graph), std::move(*schedule));
}

Staged staged_in(Graph graph, Schedule schedule) {
  Staged staged;
  staged.origin.reserve(graph.ops().size());
  for (const Op& op : graph.ops()) staged.origin.push_back(op.id);
  staged.graph = std::move(graph);
  staged.schedule = std::move(schedule);
  return staged;
}

}  // namespace stowage
