#include "core/transforms/program.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/transforms/rewriter.h"

namespace stowage {

ProgramWriter::ProgramWriter(const Graph& graph, const TrainingParts& parts)
    : graph_(graph),
      parts_(parts),
      has_run_(graph.ops().size(), 0),
      there_(graph.tensors().size(), 0),
      views_(graph.tensors().size()) {
  for (TensorIndex t = 0; t < views_.size(); ++t) {
    if (graph.is_view(t) && graph.producer(t) != kNoOp) views_[graph.base(t)].push_back(t);
  }
}

bool ProgramWriter::is_there(TensorIndex t) const {
  // A view that no op makes is there with what it lies in.
  while (graph_.producer(t) == kNoOp && graph_.tensor(t).view_of != kNoTensor) t = graph_.tensor(t).view_of;
  return graph_.producer(t) == kNoOp || there_[t] != 0;
}

/// Does the op lack something? Adds who would make it.
bool ProgramWriter::missing(OpIndex n, std::vector<OpIndex>& makers) const {
  const std::size_t before = makers.size();
  for (TensorIndex t : graph_.op(n).in) {
    if (is_there(t)) continue;
    while (graph_.producer(t) == kNoOp) t = graph_.tensor(t).view_of;
    makers.push_back(graph_.producer(t));
  }
  if (has_run_[n] == 0) {
    for (const OpIndex before_it : graph_.waits_for(n)) {
      if (has_run_[before_it] == 0) makers.push_back(before_it);
    }
  }
  return makers.size() > before;
}

void ProgramWriter::append(OpIndex n) {
  for (const TensorIndex t : graph_.op(n).out) there_[t] = 1;
  has_run_[n] = 1;
  program_.push_back(n);
}

/// Depth first, makers in the order in which they are read; a stack of our own, since chains are long.
void ProgramWriter::make(std::vector<OpIndex> wanted) {
  const std::size_t most = kMostRuns * graph_.ops().size() + 1024;
  std::reverse(wanted.begin(), wanted.end());
  std::vector<OpIndex> makers;
  while (!wanted.empty()) {
    if (program_.size() > most) {
      too_long_ = true;
      return;
    }
    const OpIndex n = wanted.back();
    makers.clear();
    if (!missing(n, makers)) {
      wanted.pop_back();
      const auto& out = graph_.op(n).out;
      const bool done =
          has_run_[n] != 0 && std::all_of(out.begin(), out.end(), [&](TensorIndex t) { return is_there(t); });
      if (!done) append(n);
      continue;
    }
    wanted.insert(wanted.end(), makers.rbegin(), makers.rend());
  }
}

void ProgramWriter::run(OpIndex n) {
  if (has_run_[n] == 0) make({n});
}

void ProgramWriter::rerun(OpIndex n) {
  make({n});
}

void ProgramWriter::require(TensorIndex t) {
  if (is_there(t)) return;
  while (graph_.producer(t) == kNoOp) t = graph_.tensor(t).view_of;
  make({graph_.producer(t)});
}

bool ProgramWriter::may_forget(TensorIndex base) const {
  const OpIndex maker = graph_.producer(base);
  if (maker == kNoOp || parts_.repeatable[maker] == 0 || graph_.is_output(base)) return false;
  return std::none_of(views_[base].begin(), views_[base].end(), [&](TensorIndex view) {
    return graph_.is_output(view) || parts_.repeatable[graph_.producer(view)] == 0;
  });
}

void ProgramWriter::forget(TensorIndex t) {
  const TensorIndex base = graph_.base(t);
  if (!may_forget(base)) return;
  there_[base] = 0;
  for (const TensorIndex view : views_[base]) there_[view] = 0;
}

Result<Program> ProgramWriter::finish() {
  if (too_long_) {
    return fail(Error::Kind::kRefused,
                fmt::format("recompute: more than {} runs of an op on average would be needed", kMostRuns));
  }
  return std::move(program_);
}

Result<void> check_program(const Graph& graph, const Program& program) {
  std::vector<std::uint8_t> has_run(graph.ops().size(), 0);
  std::vector<std::uint8_t> overwritten(graph.tensors().size(), 0);  // by base
  for (const OpIndex n : program) {
    const Op& op = graph.op(n);
    for (const TensorIndex t : op.in) {
      if (has_run[n] == 0 || overwritten[graph.base(t)] == 0) continue;
      return fail(Error::Kind::kRefused,
                  fmt::format("recompute: {} would have to run again and read {}, which has been written over by then",
                              op.id, graph.tensor(t).id));
    }
    has_run[n] = 1;
    if (!writes_over_input(op)) continue;
    for (const SlotPair& pair : op.alias) overwritten[graph.base(op.in[pair.in])] = 1;
  }
  return {};
}

std::int64_t peak_of(const Graph& graph, const Program& program) {
  struct Life {
    std::int64_t bytes = 0;
    std::size_t end = 0;  // one behind the last op that touches it
  };
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<Life> lives;
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> held_by(graph.tensors().size(), kNone);  // by tensor: the life its latest version lies in
  std::vector<std::uint8_t> seen(graph.tensors().size(), 0);
  const auto life_of = [&](TensorIndex t) {
    while (graph.producer(t) == kNoOp && graph.tensor(t).view_of != kNoTensor) t = graph.tensor(t).view_of;
    return held_by[t];
  };
  for (std::size_t i = 0; i < program.size(); ++i) {
    const Op& op = graph.op(program[i]);
    for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
      const bool ignored =
          std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) != op.ignored_inputs.end();
      const std::uint32_t life = life_of(op.in[slot]);
      if (life != kNone && !ignored) lives[life].end = i + 1;
    }
    for (const TensorIndex t : op.out) {
      const bool first = seen[t] == 0;
      seen[t] = 1;
      if (graph.is_view(t)) {
        const TensorIndex parent = graph.tensor(t).view_of != kNoTensor ? graph.tensor(t).view_of : graph.base(t);
        held_by[t] = life_of(parent);
      } else {
        held_by[t] = static_cast<std::uint32_t>(lives.size());
        lives.push_back({own_bytes(graph, t), i + 1});
        starts.push_back(i);
      }
      if (held_by[t] == kNone) continue;
      lives[held_by[t]].end = std::max(lives[held_by[t]].end, i + 1);
      if (first && graph.is_output(t)) lives[held_by[t]].end = program.size();
    }
  }
  std::vector<std::int64_t> change(program.size() + 1, 0);
  for (std::size_t life = 0; life < lives.size(); ++life) {
    change[starts[life]] += lives[life].bytes;
    change[lives[life].end] -= lives[life].bytes;
  }
  std::int64_t live = 0;
  std::int64_t peak = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    live += change[i];
    peak = std::max(peak, live + graph.op(program[i]).workspace);
  }
  return peak;
}

Result<Staged> rewrite(const Staged& staged, const Program& program) {
  Rewriter rewriter(staged);
  OpIndex latest = kNoOp;
  for (const OpIndex n : program) {
    const bool again = rewriter.is_emitted(n);
    const OpIndex made = rewriter.emit(n);
    if (!again) {
      latest = made;
    } else if (latest != kNoOp) {
      rewriter.order(latest, made);
    }
  }
  return rewriter.finish();
}

}  // namespace stowage
