#include "core/transforms/in_place_rule.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

bool reads(const Op& op, std::size_t slot) {
  return std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) == op.ignored_inputs.end();
}

bool declares(const Op& op, std::uint32_t in, std::uint32_t out) {
  return std::any_of(op.inplace.begin(), op.inplace.end(),
                     [&](const SlotPair& pair) { return pair.in == in && pair.out == out; });
}

}  // namespace

bool is_copy(const Graph& graph, OpIndex n) {
  const Op& op = graph.op(n);
  if (op.in.size() != 1 || op.out.size() != 1 || !op.ignored_inputs.empty()) return false;
  const std::string type = to_lower(op.type);
  if (type != "copy" && type != "clone" && type != "identity") return false;
  const Tensor& from = graph.tensor(op.in.front());
  const Tensor& to = graph.tensor(op.out.front());
  return from.bytes && from.bytes == to.bytes && from.type == to.type;
}

bool is_identity(const Graph& graph, OpIndex n, const SlotPair& pair) {
  const Op& op = graph.op(n);
  const Tensor& in = graph.tensor(op.in[pair.in]);
  return pair.identity && in.bytes && in.bytes == graph.tensor(op.out[pair.out]).bytes;
}

InPlaceRule::InPlaceRule(const Staged& staged, InPlaceDemands demands)
    : staged_(staged), demands_(std::move(demands)), ancestors_(staged.graph, staged.schedule) {
  const Graph& graph = staged.graph;
  const std::size_t count = graph.tensors().size();
  Storages storages = find_storages(staged);
  memories_.resize(count);
  taken_.resize(count);
  taken_offset_.assign(count, 0);
  for (TensorIndex t = 0; t < count; ++t) {
    taken_[t] = t;
    if (storages.root[t] == t) memories_[t] = memory_of(t, storages);
  }
  root_ = std::move(storages.root);
  offset_ = std::move(storages.offset);

  bound_.assign(count, 0);
  const auto bind = [&](const std::vector<TensorIndex>& members) {
    for (const TensorIndex t : members) bound_[t] = 1;
  };
  for (const TensorGroup& group : graph.groups()) bind(group.members);
  for (const TensorGroup& group : staged.groups) bind(group.members);
  for (const SharedStorage& storage : staged.storages) bind(storage.members);

  if (graph.loops().empty()) return;
  loops_of_.resize(graph.ops().size());
  for (std::size_t loop = 0; loop < graph.loops().size(); ++loop) {
    for (const OpIndex n : graph.loops()[loop].ops) loops_of_[n].push_back(loop);
  }
}

InPlaceRule::Memory InPlaceRule::memory_of(TensorIndex root, const Storages& storages) const {
  const Graph& graph = staged_.graph;
  Memory memory;
  memory.members = storages.members[root];
  memory.unwatched = memory.members;
  memory.alignment = graph.tensor(root).alignment;
  for (const TensorIndex t : memory.members) {
    memory.bytes = std::max(memory.bytes, storages.offset[t] + graph.tensor(t).bytes.value_or(0));
    memory.has_output |= graph.is_output(t);
    const OpIndex maker = graph.producer(t);
    memory.unfit_for_output |= maker != kNoOp && demands_.never_in_graph_output.contains(graph.op(maker).type);
  }
  return memory;
}

TensorIndex InPlaceRule::root_of(TensorIndex t) const {
  TensorIndex root = root_[t];
  while (taken_[root] != root) root = taken_[root];
  return root;
}

std::int64_t InPlaceRule::offset_of(TensorIndex t) const {
  std::int64_t offset = offset_[t];
  for (TensorIndex root = root_[t]; taken_[root] != root; root = taken_[root]) offset += taken_offset_[root];
  return offset;
}

std::vector<std::string> InPlaceRule::obstacles(OpIndex n, const SlotPair& pair) const {
  const Op& op = staged_.graph.op(n);
  const TensorIndex in = op.in[pair.in];
  const TensorIndex out = op.out[pair.out];
  const TensorIndex root = root_of(in);
  const Memory& memory = memories_[root];
  std::vector<std::string> why;
  if (root_of(out) == root) return {fmt::format("{} lies there already", id(out))};
  if (root_[out] != out) return {fmt::format("{} lies in the memory of {}", id(out), id(root_[out]))};
  if (taken_[out] != out) return {fmt::format("{} has taken the memory of {}", id(out), id(taken_[out]))};
  for (const TensorIndex other : op.out) {
    if (root_of(other) == root) why.push_back(fmt::format("{} has taken it", id(other)));
  }
  const bool is_output = std::any_of(memories_[out].members.begin(), memories_[out].members.end(),
                                     [&](TensorIndex t) { return staged_.graph.is_output(t); });
  if (!is_identity(staged_.graph, n, pair)) {
    readers(n, pair, memory, why);
    own_reads(n, pair, root, why);
    loops(n, memory, why);
    writable(root, memory, why);
  } else if (is_output) {
    // Nothing is written, but the caller must not be handed memory that is not his alone.
    writable(root, memory, why);
  }
  if (is_output ? memory.unfit_for_output || memories_[out].unfit_for_output
                : memory.has_output && memories_[out].unfit_for_output) {
    why.push_back("a result that may not lie in the memory of a graph output would");
  }
  room(n, pair, memory, why);
  places(n, pair, why);
  if (demands_.tflite) tflite(n, pair, why);
  return why;
}

bool InPlaceRule::over_before(OpIndex reader, OpIndex n) const {
  if (!ancestors_.before(reader, n)) return false;
  if (loops_of_.empty()) return true;
  // A reader in a loop that the op does not belong to reads until the last round.
  for (const std::size_t loop : loops_of_[reader]) {
    if (std::find(loops_of_[n].begin(), loops_of_[n].end(), loop) != loops_of_[n].end()) continue;
    for (const OpIndex other : staged_.graph.loops()[loop].ops) {
      if (!ancestors_.before(other, n)) return false;
    }
  }
  return true;
}

void InPlaceRule::readers(OpIndex n, const SlotPair& pair, const Memory& memory, std::vector<std::string>& why) const {
  const Graph& graph = staged_.graph;
  const TensorIndex in = graph.op(n).in[pair.in];
  constexpr std::size_t kMostNamed = 4;
  std::size_t more = 0;
  for (const TensorIndex t : memory.unwatched) {
    OpIndex last = kNoOp;
    for (const OpIndex reader : graph.readers(t)) {
      if (reader == n || reader == last || over_before(reader, n)) continue;
      last = reader;
      if (why.size() >= kMostNamed) {
        ++more;
        continue;
      }
      const bool later = ancestors_.one_stream() || ancestors_.before(n, reader);
      const std::string what = t == in ? id(t) : fmt::format("{}, which lies in the same memory as {}", id(t), id(in));
      why.push_back(
          fmt::format("{} {} {}", graph.op(reader).id, later ? "still reads" : "may at the same time read", what));
    }
  }
  if (more > 0) why.push_back(fmt::format("{} more read it later", more));
}

void InPlaceRule::own_reads(OpIndex n, const SlotPair& pair, TensorIndex root, std::vector<std::string>& why) const {
  const Op& op = staged_.graph.op(n);
  for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
    if (slot == pair.in || !reads(op, slot) || root_of(op.in[slot]) != root) continue;
    if (op.in[slot] == op.in[pair.in] && declares(op, slot, pair.out)) continue;
    why.push_back(op.in[slot] == op.in[pair.in]
                      ? fmt::format("{} reads it through another input as well", op.id)
                      : fmt::format("{} also reads {}, which lies in the same memory", op.id, id(op.in[slot])));
  }
}

void InPlaceRule::loops(OpIndex n, const Memory& memory, std::vector<std::string>& why) const {
  if (loops_of_.empty()) return;
  for (const std::size_t loop : loops_of_[n]) {
    const std::vector<OpIndex>& ops = staged_.graph.loops()[loop].ops;
    for (const TensorIndex t : memory.members) {
      const OpIndex maker = staged_.graph.producer(t);
      if (maker != kNoOp && std::find(ops.begin(), ops.end(), maker) != ops.end()) continue;
      why.push_back(fmt::format("{} comes from outside the loop and is needed again in its next round", id(t)));
      return;
    }
  }
}

void InPlaceRule::writable(TensorIndex root, const Memory& memory, std::vector<std::string>& why) const {
  const Graph& graph = staged_.graph;
  const Tensor& tensor = graph.tensor(root);
  if (tensor.kind == TensorKind::kConstant) {
    why.push_back(fmt::format("{} is a constant", id(root)));
  } else if (graph.producer(root) == kNoOp && !tensor.donated) {
    const bool input = tensor.kind == TensorKind::kActivation || tensor.kind == TensorKind::kInput;
    why.push_back(
        fmt::format("{} is {} and not donated", id(root),
                    input ? std::string("an input of the graph") : fmt::format("a {}", name_of(tensor.kind))));
  }
  if (!memory.has_output) return;
  for (const TensorIndex t : memory.members) {
    if (graph.is_output(t)) why.push_back(fmt::format("{} is an output of the graph", id(t)));
  }
}

void InPlaceRule::room(OpIndex n, const SlotPair& pair, const Memory& memory, std::vector<std::string>& why) const {
  const Graph& graph = staged_.graph;
  const Tensor& in = graph.tensor(graph.op(n).in[pair.in]);
  const Tensor& out = graph.tensor(graph.op(n).out[pair.out]);
  if (!in.bytes || !out.bytes) {
    why.push_back(fmt::format("the size of {} is unknown", !in.bytes ? in.id : out.id));
    return;
  }
  const std::int64_t room = memory.bytes - offset_of(graph.op(n).in[pair.in]);
  if (*out.bytes > room) {
    why.push_back(
        fmt::format("{} needs {} and there are {}", out.id, format_exact_bytes(*out.bytes), format_exact_bytes(room)));
  } else if (demands_.equal_size && (in.bytes != out.bytes || bits_of(in.type) != bits_of(out.type))) {
    why.push_back(fmt::format("{} and {} are not of the same size", out.id, in.id));
  }
}

void InPlaceRule::tflite(OpIndex n, const SlotPair& pair, std::vector<std::string>& why) const {
  constexpr std::int64_t kNotWorthIt = 4;  // bytes
  const Graph& graph = staged_.graph;
  const TensorIndex in = graph.op(n).in[pair.in];
  const TensorIndex out = graph.op(n).out[pair.out];
  const TensorIndex root = root_of(in);
  const auto refuse = [&why](std::string reason) {
    if (std::find(why.begin(), why.end(), reason) == why.end()) why.push_back(std::move(reason));
  };
  const auto bytes = graph.tensor(out).bytes;
  if (bytes && bytes != graph.tensor(in).bytes)
    refuse(fmt::format("{} and {} are not of the same size", id(out), id(in)));
  if (bytes && *bytes <= kNotWorthIt && !is_identity(graph, n, pair)) {
    refuse(fmt::format("{} has no more than {}", id(out), format_exact_bytes(kNotWorthIt)));
  }
  for (const TensorIndex t : {in, root}) {
    const std::set<OpIndex> readers(graph.readers(t).begin(), graph.readers(t).end());
    if (readers.size() > 1) refuse(fmt::format("{} ops read {}", readers.size(), id(t)));
  }
  if (graph.producer(root) == kNoOp) refuse(fmt::format("{} is an input of the graph", id(root)));
  for (const TensorIndex t : {in, out}) {
    if (graph.is_output(t)) refuse(fmt::format("{} is an output of the graph", id(t)));
  }
}

void InPlaceRule::places(OpIndex n, const SlotPair& pair, std::vector<std::string>& why) const {
  const Graph& graph = staged_.graph;
  const TensorIndex in = graph.op(n).in[pair.in];
  const TensorIndex out = graph.op(n).out[pair.out];
  const TensorIndex root = root_of(in);
  if (graph.tensor(root).space != graph.tensor(out).space) {
    why.push_back(fmt::format("{} and {} lie in different memories", id(out), id(in)));
  }
  const std::int64_t alignment = graph.tensor(out).alignment;
  const bool ours = graph.producer(root) != kNoOp;  // then its own alignment can be raised
  if (offset_of(in) % alignment != 0 || (!ours && memories_[root].alignment % alignment != 0)) {
    why.push_back(fmt::format("{} needs an alignment of {}, which {} does not have", id(out), alignment, id(in)));
  }
  if (bound_[out] != 0) why.push_back(fmt::format("{} has its place in a group or a shared storage", id(out)));
}

InPlace InPlaceRule::grant(OpIndex n, const SlotPair& pair) {
  const Op& op = staged_.graph.op(n);
  const TensorIndex in = op.in[pair.in];
  const TensorIndex out = op.out[pair.out];
  const TensorIndex root = root_of(in);
  Memory& memory = memories_[root];
  Memory child = std::move(memories_[out]);
  taken_offset_[out] = offset_of(in);
  taken_[out] = root;
  // Whoever overwrites it has waited for all readers so far, and the next one waits for him.
  if (!is_identity(staged_.graph, n, pair)) memory.unwatched.clear();
  memory.unwatched.insert(memory.unwatched.end(), child.members.begin(), child.members.end());
  memory.members.insert(memory.members.end(), child.members.begin(), child.members.end());
  memory.bytes = std::max(memory.bytes, taken_offset_[out] + child.bytes);
  memory.has_output |= child.has_output;
  memory.unfit_for_output |= child.unfit_for_output;
  return InPlace{n, out, in};
}

}  // namespace stowage
