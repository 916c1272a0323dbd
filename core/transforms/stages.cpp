#include "core/transforms/stages.h"

#include <algorithm>
#include <unordered_set>

namespace stowage {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// The forward position of the value's maker; kNowhere when it is none.
std::size_t made_at(const Graph& graph, const TrainingParts& parts, TensorIndex t) {
  const OpIndex maker = graph.producer(t);
  return maker == kNoOp || parts.is_forward[maker] == 0 ? kNowhere : parts.position[maker];
}

class StageFinder {
 public:
  StageFinder(const Graph& graph, const TrainingParts& parts) : graph_(graph), parts_(parts) {}

  Stages find(const Cuts& cuts, std::size_t most) {
    choose_cuts(cuts, most);
    const std::size_t count = cut_.size() + 1;
    stages_.forward.resize(count);
    stages_.back.resize(count);
    stages_.entry.resize(count);
    stages_.inside.resize(count);
    find_turns();
    for (std::size_t p = 0; p < parts_.forward.size(); ++p) {
      if (turn_[p] == 0) stages_.forward[stage_at(p)].push_back(parts_.forward[p]);
    }
    find_entries();
    find_back();
    find_inside();
    return std::move(stages_);
  }

 private:
  void choose_cuts(const Cuts& cuts, std::size_t most) {
    const std::size_t wanted = std::min(cuts.at.size(), most > 0 ? most - 1 : 0);
    for (std::size_t i = 0; i < wanted; ++i) {
      cut_.push_back(cuts.at[(i + 1) * cuts.at.size() / (wanted + 1)]);
    }
    if (wanted == cuts.at.size()) cut_ = cuts.at;
  }

  /// The stage of the op at a forward position: as many as there are cuts before it.
  std::size_t stage_at(std::size_t position) const {
    return static_cast<std::size_t>(std::lower_bound(cut_.begin(), cut_.end(), position) - cut_.begin());
  }

  /// Forward ops whose results the forward part does not read, but the way back does.
  void find_turns() {
    turn_.assign(parts_.forward.size(), 0);
    for (std::size_t p = 0; p < turn_.size(); ++p) {
      bool back = false;
      bool ahead = false;
      for (const TensorIndex t : graph_.op(parts_.forward[p]).out) {
        for (const OpIndex reader : graph_.readers(t)) {
          (parts_.is_forward[reader] != 0 ? ahead : back) = true;
        }
      }
      turn_[p] = back && !ahead ? 1 : 0;
    }
  }

  void find_entries() {
    const std::vector<Crossing> crossings = find_crossings(graph_, parts_);
    for (TensorIndex t = 0; t < crossings.size(); ++t) {
      for (auto cut = std::lower_bound(cut_.begin(), cut_.end(), crossings[t].from);
           cut != cut_.end() && *cut < crossings[t].to; ++cut) {
        stages_.entry[static_cast<std::size_t>(cut - cut_.begin()) + 1].push_back(t);
      }
    }
  }

  /// The last stage that a value belongs to: the one it enters first, else the one it is made in.
  std::size_t home(TensorIndex t) const {
    const std::size_t position = made_at(graph_, parts_, graph_.base(t));
    if (position == kNowhere) return kNowhere;
    const std::size_t stage = stage_at(position);
    const bool enters =
        stage + 1 < stages_.size() &&
        std::binary_search(stages_.entry[stage + 1].begin(), stages_.entry[stage + 1].end(), graph_.base(t));
    return enters ? stage + 1 : stage;
  }

  std::size_t home_of_reads(OpIndex n) const {
    std::size_t latest = kNowhere;
    for (const TensorIndex t : graph_.op(n).in) {
      const std::size_t stage = home(t);
      if (stage != kNowhere && (latest == kNowhere || stage > latest)) latest = stage;
    }
    return latest;
  }

  void find_back() {
    std::vector<std::vector<OpIndex>> turns(stages_.size());
    for (std::size_t p = 0; p < turn_.size(); ++p) {
      if (turn_[p] == 0) continue;
      const std::size_t stage = home_of_reads(parts_.forward[p]);
      turns[stage == kNowhere ? stage_at(p) : stage].push_back(parts_.forward[p]);
    }
    std::size_t now = stages_.size() - 1;
    for (const OpIndex n : parts_.rest) {
      // What a turn made counts as what the turn itself has read: both are of the same stage.
      std::size_t stage = kNowhere;
      for (const TensorIndex t : graph_.op(n).in) {
        const std::size_t position = made_at(graph_, parts_, graph_.base(t));
        if (position == kNowhere) continue;
        const std::size_t of = turn_[position] != 0 ? home_of_reads(parts_.forward[position]) : home(t);
        if (of != kNowhere && (stage == kNowhere || of > stage)) stage = of;
      }
      if (stage != kNowhere) now = std::min(now, stage);
      stages_.back[now].push_back(n);
    }
    for (std::size_t stage = 0; stage < turns.size(); ++stage) {
      stages_.back[stage].insert(stages_.back[stage].begin(), turns[stage].begin(), turns[stage].end());
    }
  }

  void find_inside() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      std::vector<TensorIndex>& inside = stages_.inside[stage];
      for (const OpIndex n : stages_.back[stage]) {
        for (const TensorIndex t : graph_.op(n).in) {
          const std::size_t position = made_at(graph_, parts_, t);
          if (position == kNowhere || turn_[position] != 0 || stage_at(position) != stage) continue;
          if (home(t) == stage) inside.push_back(t);
        }
      }
      std::sort(inside.begin(), inside.end());
      inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    }
  }

  const Graph& graph_;
  const TrainingParts& parts_;
  std::vector<std::size_t> cut_;  // ascending positions
  std::vector<std::uint8_t> turn_;
  Stages stages_;
};

}  // namespace

Stages find_stages(const Graph& graph, const TrainingParts& parts, const Cuts& cuts, std::size_t most) {
  return StageFinder(graph, parts).find(cuts, most);
}

std::vector<OpIndex> ops_to_make(const Graph& graph, std::span<const OpIndex> ops, std::span<const TensorIndex> targets,
                                 const std::function<bool(TensorIndex)>& is_there) {
  std::vector<OpIndex> needed;
  std::unordered_set<OpIndex> wanted;
  const auto want = [&](std::span<const TensorIndex> tensors) {
    for (TensorIndex t : tensors) {
      if (is_there(t)) continue;
      while (graph.producer(t) == kNoOp && graph.tensor(t).view_of != kNoTensor) t = graph.tensor(t).view_of;
      if (graph.producer(t) != kNoOp) wanted.insert(graph.producer(t));
    }
  };
  want(targets);
  for (std::size_t i = ops.size(); i > 0; --i) {
    if (!wanted.contains(ops[i - 1])) continue;
    needed.push_back(ops[i - 1]);
    want(graph.op(ops[i - 1]).in);
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

void StageRunner::hold(const std::vector<TensorIndex>& values) {
  for (const TensorIndex t : values) ++held_[graph_.base(t)];
}

void StageRunner::release(const std::vector<TensorIndex>& values) {
  for (const TensorIndex t : values) {
    if (--held_[graph_.base(t)] == 0) writer_.forget(t);
  }
}

void StageRunner::forget(TensorIndex base) {
  if (held_[base] == 0) writer_.forget(base);
}

void StageRunner::forget_inside(std::size_t stage, std::span<const TensorIndex> except) {
  for (const OpIndex n : stages_.forward[stage]) {
    for (const TensorIndex t : graph_.op(n).out) {
      const TensorIndex base = graph_.base(t);
      if (!std::binary_search(except.begin(), except.end(), base)) forget(base);
    }
  }
}

void StageRunner::make(std::size_t stage, const std::vector<TensorIndex>& targets) {
  const auto is_there = [&](TensorIndex t) {
    return writer_.is_there(t);
  };
  for (const OpIndex n : ops_to_make(graph_, stages_.forward[stage], targets, is_there)) writer_.rerun(n);
  for (const TensorIndex t : targets) writer_.require(t);
}

void StageRunner::advance(std::size_t from, std::size_t to) {
  for (std::size_t stage = from; stage < to; ++stage) {
    const std::vector<TensorIndex>& next = stages_.entry[stage + 1];
    make(stage, next);
    forget_inside(stage, next);
    for (const TensorIndex t : stages_.entry[stage]) {
      if (!std::binary_search(next.begin(), next.end(), t)) forget(t);
    }
  }
}

void StageRunner::hold_inside(std::size_t stage) {
  make(stage, stages_.inside[stage]);
  hold(stages_.inside[stage]);
}

void StageRunner::go_back(std::size_t stage) {
  for (const OpIndex n : stages_.forward[stage]) writer_.run(n);
  for (const OpIndex n : stages_.back[stage]) writer_.run(n);
  forget_inside(stage, {});
}

}  // namespace stowage
