#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/transforms/checkpointing.h"
#include "core/transforms/dtr.h"
#include "core/transforms/program.h"
#include "tests/core/transforms/training_graphs.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

const std::vector<ParamValues>& policies() {
  static const std::vector<ParamValues> all = {
      {{"policy", "every-k"}, {"k", "1"}},
      {{"policy", "every-k"}, {"k", "3"}, {"candidates", "all"}},
      {{"policy", "sqrt"}},
      {{"policy", "budget"}},
      {{"policy", "budget"}, {"budget", "150"}, {"candidates", "all"}},
      {{"policy", "recursive"}},
      {{"policy", "recursive"}, {"k", "3"}, {"candidates", "all"}},
      {{"policy", "revolve"}},
      {{"policy", "revolve"}, {"checkpoints", "2"}},
      {{"policy", "optimal-chain"}},
      {{"policy", "dtr"}},
      {{"policy", "dtr"}, {"heuristic", "dtr-eq"}},
      {{"policy", "dtr"}, {"heuristic", "lru"}},
  };
  return all;
}

/// The id of the op of the first graph behind each op: what it computes, whichever copy.
std::vector<std::string> what_runs(const Staged& of) {
  std::vector<std::string> runs;
  for (const OpIndex n : of.schedule.order) runs.push_back(of.origin[n]);
  return runs;
}

/// Every op reads copies of what its original reads.
void check_same_computation(const Staged& before, const Staged& after) {
  for (OpIndex n = 0; n < after.graph.ops().size(); ++n) {
    const OpIndex old = before.graph.find_op(after.origin[n]);
    REQUIRE(old != kNoOp);
    const Op& was = before.graph.op(old);
    const Op& is = after.graph.op(n);
    REQUIRE(was.in.size() == is.in.size());
    for (std::size_t slot = 0; slot < is.in.size(); ++slot) {
      const OpIndex was_maker = before.graph.producer(was.in[slot]);
      const OpIndex maker = after.graph.producer(is.in[slot]);
      REQUIRE((was_maker == kNoOp) == (maker == kNoOp));
      if (maker != kNoOp) CHECK(after.origin[maker] == before.graph.op(was_maker).id);
    }
  }
}

}  // namespace

TEST_CASE("recompute: whatever the policy, everything runs, on copies of what it read before, in a sound order") {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 12 + static_cast<std::uint32_t>(seed)));
    for (const ParamValues& params : policies()) {
      CAPTURE(params.at("policy"));
      const auto after = transformed("recompute", before, params);
      if (!after) {
        CHECK(after.error().kind == Error::Kind::kRefused);
        continue;
      }
      CHECK(check_schedule(after->staged.graph, after->staged.schedule).has_value());
      check_same_computation(before, after->staged);
      const std::vector<std::string> runs = what_runs(after->staged);
      CHECK(std::set<std::string>(runs.begin(), runs.end()).size() == before.graph.ops().size());
      CHECK(runs.size() == before.graph.ops().size() + static_cast<std::size_t>(after->report.extra_ops));
      CHECK(after->report.extra_flops == after->report.extra_ops);
      CHECK(after->staged.graph.outputs().size() == before.graph.outputs().size());
    }
  }
}

TEST_CASE("recompute: the peak that policies reckon with is the load of the rewritten graph") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 20));
    for (const ParamValues& params : policies()) {
      const auto after = transformed("recompute", before, params);
      if (!after) continue;
      CHECK(peak_of(after->staged.graph, after->staged.schedule.order) == load_of(after->staged));
    }
  }
}

TEST_CASE("recompute: a repeated op waits for the op before it, whatever else orders the graph") {
  const Staged before = staged(unit_chain(9));
  const auto after = transformed("recompute", before, {{"policy", "sqrt"}});
  REQUIRE(after.has_value());
  REQUIRE(after->report.extra_ops > 0);
  const Graph& graph = after->staged.graph;
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    if (graph.op(n).id == after->staged.origin[n]) continue;
    const bool late = std::any_of(graph.events().begin(), graph.events().end(), [&](const Event& event) {
      return event.before == n && graph.op(event.after).backward;
    });
    CHECK_MESSAGE(late, graph.op(n).id);
  }
}

TEST_CASE("recompute: with every value kept the graph stays as it is") {
  const Staged before = staged(unit_chain(8));
  const auto after = transformed("recompute", before, {{"policy", "every-k"}, {"k", "1"}, {"candidates", "all"}});
  REQUIRE(after.has_value());
  CHECK(after->report.extra_ops == 0);
  CHECK(after->staged.graph.input().ops == before.graph.input().ops);
}

TEST_CASE("recompute: with one segment a checkpoint, a chain runs its forward part at most twice") {
  for (std::uint32_t n = 2; n <= 40; ++n) {
    const Staged before = staged(unit_chain(n));
    for (const std::string policy : {"sqrt", "budget", "every-k"}) {
      const auto after = transformed("recompute", before, {{"policy", policy}});
      REQUIRE(after.has_value());
      CHECK(after->staged.graph.ops().size() <= 2 * (n + 1) + n);
    }
  }
}

TEST_CASE("recompute: a policy that raises the load says so") {
  // Large values that nobody reads on the way back, each between two small ones: making these again takes the large.
  GraphInput graph;
  graph.name = "large between small";
  std::vector<TensorIndex> small = {add_tensor(graph, "x", 1, TensorKind::kInput)};
  graph.inputs.push_back(small[0]);
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    const TensorIndex large = add_tensor(graph, "large" + number, 100);
    add_op(graph, "grow" + number, {small.back()}, {large});
    small.push_back(add_tensor(graph, "small" + number, 1));
    add_op(graph, "shrink" + number, {large}, {small.back()});
  }
  TensorIndex gradient = small.back();
  for (std::size_t i = 4; i > 0; --i) {
    const TensorIndex next = add_tensor(graph, "g" + std::to_string(i), 1, TensorKind::kGradient);
    add_op(graph, "back" + std::to_string(i), {gradient, small[i]}, {next}, true);
    gradient = next;
  }
  const Staged before = staged(std::move(graph));
  const auto raised = transformed("recompute", before, {{"policy", "every-k"}, {"k", "3"}, {"candidates", "all"}});
  REQUIRE(raised.has_value());
  REQUIRE(load_of(raised->staged) > load_of(before));
  CAPTURE(raised->report.remarks.front().text);
  CHECK(raised->report.remarks.front().kind == Remark::Kind::kRefused);
  CHECK(raised->report.remarks.front().text.find("raises the load from") != std::string::npos);
}

TEST_CASE("recompute: the search for the least peak never raises the load, nor works for nothing") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 25));
    for (const std::string candidates : {"narrow", "all"}) {
      const auto after = transformed("recompute", before, {{"policy", "budget"}, {"candidates", candidates}});
      if (!after) continue;
      CHECK(load_of(after->staged) <= load_of(before));
      if (after->report.extra_ops > 0) CHECK(load_of(after->staged) < load_of(before));
    }
  }
}

TEST_CASE("recompute: the square root of checkpoints brings a long chain down to about twice the square root") {
  const Staged before = staged(unit_chain(400));
  CHECK(load_of(before) == 402);
  const auto after = transformed("recompute", before, {{"policy", "sqrt"}});
  REQUIRE(after.has_value());
  CHECK(load_of(after->staged) <= 2 * 20 + 3);
  const auto recursive = transformed("recompute", before, {{"policy", "recursive"}});
  REQUIRE(recursive.has_value());
  CHECK(load_of(recursive->staged) <= 9 + 4);  // log2(400), what is being worked on
}

TEST_CASE("recompute: the optimum of a chain is what the formula says, for every budget") {
  for (std::uint32_t n = 2; n <= 12; ++n) {
    const Staged before = staged(unit_chain(n));
    for (std::int64_t budget = 3; budget <= n + 2; ++budget) {
      CAPTURE(n);
      CAPTURE(budget);
      const auto after =
          transformed("recompute", before, {{"policy", "optimal-chain"}, {"budget", std::to_string(budget)}});
      REQUIRE(after.has_value());
      CHECK(load_of(after->staged) <= budget);
      CHECK(static_cast<std::int64_t>(after->staged.graph.ops().size()) == *unit_chain_runs(n, budget));
    }
    CHECK_FALSE(transformed("recompute", before, {{"policy", "optimal-chain"}, {"budget", "2"}}).has_value());
  }
}

TEST_CASE("recompute: binomial checkpoints take as many extra steps as Revolve promises") {
  for (const std::uint32_t n : {4U, 9U, 17U, 30U}) {
    const Staged before = staged(unit_chain(n));
    for (std::int64_t checkpoints = 1; checkpoints <= 6; ++checkpoints) {
      CAPTURE(n);
      CAPTURE(checkpoints);
      const auto after =
          transformed("recompute", before, {{"policy", "revolve"}, {"checkpoints", std::to_string(checkpoints)}});
      REQUIRE(after.has_value());
      // Values 0 .. n - 1 are handed out, each the entry of a stage; the inputs enter the first one for nothing.
      CHECK(after->report.extra_ops <= revolve_extra_steps(n + 1, checkpoints));
    }
  }
}

TEST_CASE("recompute: an online evictor keeps to its budget or says where it got stuck") {
  const Staged before = staged(unit_chain(30));
  for (const std::string budget : {"6", "8", "12", "32"}) {
    const auto after = transformed("recompute", before, {{"policy", "dtr"}, {"budget", budget}});
    REQUIRE(after.has_value());
    CHECK(load_of(after->staged) <= std::stoll(budget));
  }
  const auto stuck = transformed("recompute", before, {{"policy", "dtr"}, {"budget", "2"}});
  REQUIRE_FALSE(stuck.has_value());
  CHECK(stuck.error().kind == Error::Kind::kRefused);
}

TEST_CASE("recompute: the online evictor weighs neighbourhoods in full, however far it looks") {
  // Counted by walking through every evicted neighbour of every candidate, each time.
  const auto runs = [](std::uint32_t n, std::int64_t budget) {
    return run_dtr(dtr_unit_chain(n), budget, DtrHeuristic::kDtr).ops.size();
  };
  CHECK(runs(64, 10) == 208);
  CHECK(runs(300, 35) == 866);
  CHECK(runs(300, 60) == 840);
  CHECK(runs(1000, 64) == 2957);
}

TEST_CASE("recompute: the online evictor can be stopped, also in the middle of making things again") {
  for (const DtrHeuristic heuristic : {DtrHeuristic::kDtr, DtrHeuristic::kDtrEq, DtrHeuristic::kLargest}) {
    const std::size_t all = run_dtr(dtr_unit_chain(400), 30, heuristic).ops.size();
    for (const int asked : {1, 5, 30}) {
      int left = asked;
      const DtrRun run = run_dtr(dtr_unit_chain(400), 30, heuristic, [&] { return --left == 0; });
      CHECK(left == 0);
      CHECK_FALSE(run.stuck);
      CHECK(run.ops.size() < all);
    }
  }
}

TEST_CASE("recompute: what may not run twice stays") {
  GraphInput input = unit_chain(12);
  input.ops[5].side_effect = true;
  const Staged before = staged(std::move(input));
  for (const ParamValues& params : policies()) {
    const auto after = transformed("recompute", before, params);
    if (!after) continue;
    const std::vector<std::string> runs = what_runs(after->staged);
    CHECK(std::count(runs.begin(), runs.end(), "op5") == 1);
  }
}

TEST_CASE("recompute: views are made again with what they lie in") {
  GraphInput input = unit_chain(6);
  // v2 is read through a view that an op makes, v3 through one that none does.
  Tensor made = input.tensors[2];
  made.id = "made view";
  made.view_of = 2;
  const TensorIndex made_view = input.add(made);
  Tensor plain = input.tensors[3];
  plain.id = "plain view";
  plain.view_of = 3;
  const TensorIndex plain_view = input.add(plain);
  for (Op& op : input.ops) {
    if (!op.backward) continue;
    std::replace(op.in.begin(), op.in.end(), TensorIndex{2}, made_view);
    std::replace(op.in.begin(), op.in.end(), TensorIndex{3}, plain_view);
  }
  Op reshape;
  reshape.id = "reshape";
  reshape.type = "Reshape";
  reshape.in = {2};
  reshape.out = {made_view};
  input.ops.insert(input.ops.begin() + 3, reshape);
  const Staged before = staged(std::move(input));
  for (const ParamValues& params : policies()) {
    const auto after = transformed("recompute", before, params);
    if (!after) continue;
    check_same_computation(before, after->staged);
    for (TensorIndex t = 0; t < after->staged.graph.tensors().size(); ++t) {
      const Graph& graph = after->staged.graph;
      if (!graph.tensor(t).id.starts_with("made view") || graph.producer(t) == kNoOp) continue;
      CHECK(graph.base(t) == graph.op(graph.producer(t)).in[0]);
    }
  }
}

TEST_CASE("recompute: refused without a way back, and after memory has been shared") {
  GraphInput forward = unit_chain(3);
  for (Op& op : forward.ops) op.backward = false;
  const auto none = transformed("recompute", staged(std::move(forward)), {});
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == Error::Kind::kRefused);
  Staged merged = staged(unit_chain(3));
  merged.in_place.push_back({1, 1, 0});
  CHECK_FALSE(transformed("recompute", merged, {}).has_value());
  CHECK_FALSE(transformed("recompute", staged(unit_chain(3)), {{"k", "many"}}).has_value());
}
