#include "core/transforms/implied.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/graph/storages.h"
#include "core/transforms/in_place_rule.h"

namespace stowage {
namespace {

constexpr std::size_t kMostOps = 65'536;  // their ancestors take 512 MiB

/// For each op, those that have ended before it: filled in the order of the schedule, so that an order that is found on
/// the way counts for everything behind it.
class Past {
 public:
  explicit Past(std::size_t count) : words_((count + 63) / 64), bits_(count * words_, 0) {}

  bool has(OpIndex n, OpIndex before) const { return ((bits_[n * words_ + before / 64] >> (before % 64)) & 1U) != 0; }
  void add(OpIndex n, OpIndex before) {
    for (std::size_t word = 0; word < words_; ++word) bits_[n * words_ + word] |= bits_[before * words_ + word];
    bits_[n * words_ + before / 64] |= std::uint64_t{1} << (before % 64);
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Calls visit(n, before) for everything an op waits for, in the order of the schedule.
template <typename Visit>
void for_each_wait(const Staged& staged, Engine engine, OpIndex n, std::map<std::uint32_t, OpIndex>& last,
                   Visit&& visit) {
  for (const OpIndex before : staged.graph.waits_for(n)) visit(before);
  if (engine == Engine::kData) return;
  const auto [found, first] = last.try_emplace(staged.graph.op(n).stream, n);
  if (first) return;
  visit(found->second);
  found->second = n;
}

/// Results in place that are what they lie on: nothing is written, so nobody has to wait.
std::vector<std::uint8_t> unchanged_results(const Staged& staged) {
  std::vector<std::uint8_t> unchanged(staged.graph.tensors().size(), 0);
  for (const InPlace& merge : staged.in_place) {
    const Op& op = staged.graph.op(merge.op);
    const bool identity = std::any_of(op.inplace.begin(), op.inplace.end(), [&](const SlotPair& pair) {
      return is_identity(staged.graph, merge.op, pair) && op.in[pair.in] == merge.parent &&
             op.out[pair.out] == merge.child;
    });
    unchanged[merge.child] = identity || is_copy(staged.graph, merge.op) ? 1 : 0;
  }
  return unchanged;
}

/// What lies in each storage now: the tensors since the last one that was written over all others.
class Occupants {
 public:
  explicit Occupants(const Staged& staged)
      : graph_(staged.graph), own_(find_storages(staged)), unchanged_(unchanged_results(staged)) {
    storage_.assign(graph_.tensors().size(), 0);
    const std::size_t shared = staged.storages.size();
    std::vector<std::uint32_t> of(graph_.tensors().size(), 0);
    for (std::size_t s = 0; s < shared; ++s) {
      for (const TensorIndex t : staged.storages[s].members) of[own_.root[t]] = static_cast<std::uint32_t>(s + 1);
    }
    for (TensorIndex t = 0; t < storage_.size(); ++t) {
      const std::uint32_t bound = of[own_.root[t]];
      storage_[t] = bound != 0 ? bound - 1 : shared + own_.root[t];
    }
    inside_.resize(shared + storage_.size());
    loose_views_.resize(storage_.size());
    for (TensorIndex t = 0; t < storage_.size(); ++t) {
      if (graph_.producer(t) != kNoOp) continue;
      if (graph_.is_view(t)) {
        loose_views_[graph_.base(t)].push_back(t);  // comes with its base
      } else {
        inside_[storage_[t]].push_back(t);
      }
    }
    for (TensorIndex t = 0; t < storage_.size(); ++t) {
      if (graph_.producer(t) == kNoOp && !graph_.is_view(t)) add_views(t);
    }
  }

  /// The op makes the tensor: `visit` gets each op that must have ended before.
  template <typename Visit>
  void make(TensorIndex t, OpIndex n, Visit&& visit) {
    std::vector<TensorIndex>& inside = inside_[storage_[t]];
    if (graph_.is_view(t) || unchanged_[t] != 0) {
      inside.push_back(t);  // another name of what is there
      add_views(t);
      return;
    }
    for (const TensorIndex old : inside) {
      // Tensors of one op lie beside each other only where nobody reads one of them.
      if (graph_.producer(old) == n) continue;
      if (graph_.producer(old) != kNoOp) visit(graph_.producer(old));
      for (const OpIndex reader : graph_.readers(old)) {
        if (reader != n) visit(reader);
      }
    }
    inside.clear();
    inside.push_back(t);
    add_views(t);
  }

 private:
  void add_views(TensorIndex t) {
    std::vector<TensorIndex>& inside = inside_[storage_[t]];
    inside.insert(inside.end(), loose_views_[t].begin(), loose_views_[t].end());
  }

  const Graph& graph_;
  Storages own_;
  std::vector<std::uint8_t> unchanged_;                // by tensor
  std::vector<std::vector<TensorIndex>> loose_views_;  // by base: those that no op makes
  std::vector<std::size_t> storage_;                   // by tensor
  std::vector<std::vector<TensorIndex>> inside_;
};

}  // namespace

Result<std::vector<Event>> implied_orders(const Staged& staged, Engine engine) {
  const Graph& graph = staged.graph;
  const std::size_t count = graph.ops().size();
  if (count > kMostOps) {
    return fail(Error::Kind::kRefused,
                fmt::format("the implied orders of {} ops take too much memory; {} can be looked at", count, kMostOps));
  }
  Past past(count);
  Occupants occupants(staged);
  const std::vector<std::size_t> steps = staged.schedule.steps();
  std::map<std::uint32_t, OpIndex> last_of_stream;
  std::vector<Event> implied;
  for (const OpIndex n : staged.schedule.order) {
    for_each_wait(staged, engine, n, last_of_stream, [&](OpIndex before) { past.add(n, before); });
    std::vector<OpIndex> needed;
    for (const TensorIndex t : graph.op(n).out) {
      occupants.make(t, n, [&](OpIndex before) { needed.push_back(before); });
    }
    // Late ones first: they may bring the early ones with them.
    std::sort(needed.begin(), needed.end(), [&](OpIndex a, OpIndex b) { return steps[a] > steps[b]; });
    for (const OpIndex before : needed) {
      if (before == n || steps[before] > steps[n] || past.has(n, before)) continue;
      past.add(n, before);
      implied.push_back(Event{before, n});
    }
  }
  return implied;
}

double critical_path(const Staged& staged, Engine engine, const std::vector<Event>& more) {
  const std::size_t count = staged.graph.ops().size();
  std::vector<std::vector<OpIndex>> waits(count);
  for (const Event& event : more) waits[event.before].push_back(event.after);
  std::vector<double> end(count, 0);
  std::map<std::uint32_t, OpIndex> last_of_stream;
  double longest = 0;
  for (const OpIndex n : staged.schedule.order) {
    double start = 0;
    const auto wait = [&](OpIndex before) {
      start = std::max(start, end[before]);
    };
    for_each_wait(staged, engine, n, last_of_stream, wait);
    for (const OpIndex before : waits[n]) wait(before);
    end[n] = start + staged.graph.op(n).duration;
    longest = std::max(longest, end[n]);
  }
  return longest;
}

Result<Staged> with_events(const Staged& staged, const std::vector<Event>& events) {
  GraphInput input = staged.graph.input();
  input.outputs.assign(staged.graph.outputs().begin(), staged.graph.outputs().end());
  input.events.insert(input.events.end(), events.begin(), events.end());
  auto graph = make_graph(std::move(input));
  if (!graph) {
    const GraphFault& fault = graph.error().front();
    return fail(Error::Kind::kRefused, fmt::format("with more events: {} {}", fault.where, fault.message));
  }
  Staged after = staged;
  after.graph = std::move(*graph);
  return after;
}

}  // namespace stowage
