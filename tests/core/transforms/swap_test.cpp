#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/transforms/swap_cost.h"
#include "tests/core/transforms/training_graphs.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// x of `bytes`, made at once, used again after `gap` units of time, with something large in between.
GraphInput gap_graph(std::int64_t bytes, double gap) {
  GraphInput graph;
  graph.name = "gap";
  const TensorIndex x = add_tensor(graph, "x", bytes);
  const TensorIndex y = add_tensor(graph, "y", 1);
  add_op(graph, "make", {}, {x});
  TensorIndex last = add_tensor(graph, "a", 10);
  add_op(graph, "first", {x}, {last});
  for (int i = 0; i < 5; ++i) {
    const TensorIndex next = add_tensor(graph, "b" + std::to_string(i), i == 2 ? bytes : 10);
    add_op(graph, "between" + std::to_string(i), {last}, {next});
    graph.ops.back().duration = gap / 5;
    last = next;
  }
  add_op(graph, "last", {last, x}, {y});
  return graph;
}

ParamValues at_speed(const std::string& bytes, ParamValues more = {}) {
  more["bandwidth"] = bytes;
  more["microseconds"] = "1000000";  // a unit is a second
  return more;
}

/// The host copy begins with the last step of the device copy and ends with the first step of the next one.
void check_no_hole(const Staged& of) {
  const std::vector<std::size_t> steps = of.schedule.steps();
  const Graph& graph = of.graph;
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    if (graph.op(n).type != "SwapOut") continue;
    const TensorIndex device = graph.op(n).in[0];
    const TensorIndex host = graph.op(n).out[0];
    CHECK(graph.tensor(host).space == "host");
    CHECK(graph.tensor(host).bytes == graph.tensor(device).bytes);
    std::size_t last = 0;
    for (const OpIndex reader : graph.readers(device)) last = std::max(last, steps[reader]);
    CHECK(last == steps[n]);
    REQUIRE(graph.readers(host).size() == 1);
    CHECK(graph.op(graph.readers(host)[0]).type == "SwapIn");
    CHECK(steps[graph.readers(host)[0]] > steps[n]);
  }
}

}  // namespace

TEST_CASE("swap: the free time is what the copies leave of the time between two uses") {
  const SwapTimes fits = swap_times(12, 40, 4);
  CHECK(fits.out_start == 12);
  CHECK(fits.out_end == 16);
  CHECK(fits.in_start == 36);
  CHECK(fits.in_end == 40);
  CHECK(fits.free_time == 20);
  CHECK(fits.stall == 0);
  CHECK(swap_times(12, 18, 4).free_time == -2);
  CHECK(swap_times(12, 18, 4).stall == 2);
}

TEST_CASE("swap: links by name or in bytes a second") {
  CHECK(bytes_per_second("pcie3") == 16e9);
  CHECK(bytes_per_second("16MiB") == 16.0 * 1024 * 1024);
  CHECK_FALSE(bytes_per_second("0").has_value());
  CHECK_FALSE(bytes_per_second("fast").has_value());
  CHECK_FALSE(transformed("swap", staged(unit_chain(3)), {{"bandwidth", "-1"}}).has_value());
  CHECK_FALSE(transformed("swap", staged(unit_chain(3)), {{"microseconds", "0"}}).has_value());
}

TEST_CASE("swap: a tensor goes out behind its use and comes back just in time") {
  const Staged before = staged(gap_graph(100, 20));
  CHECK(load_of(before) == 210);
  const auto after = transformed("swap", before, at_speed("25"));  // 4 units a copy
  REQUIRE(after.has_value());
  CHECK(after->report.bytes_moved == 200);
  CHECK(after->report.stall == 0);
  CHECK(after->staged.graph.ops().size() == 10);
  CHECK(load_of(after->staged) < 210);
  CHECK(after->staged.spaces.size() == 1);
  check_no_hole(after->staged);
  CHECK(check_schedule(after->staged.graph, after->staged.schedule).has_value());
}

TEST_CASE("swap: without free time everything stays as it is, unless one may wait") {
  const Staged before = staged(gap_graph(100, 6));
  const auto refused = transformed("swap", before, at_speed("25"));
  REQUIRE(refused.has_value());
  CHECK(refused->staged.graph.input().ops == before.graph.input().ops);
  CHECK(refused->staged.spaces.empty());
  const auto why = std::find_if(refused->report.remarks.begin(), refused->report.remarks.end(),
                                [](const Remark& remark) { return remark.kind == Remark::Kind::kRefused; });
  REQUIRE(why != refused->report.remarks.end());
  CHECK(why->text.find("2 more") != std::string::npos);
  const auto waits = transformed("swap", before, at_speed("25", {{"stall", "allow"}, {"capacity", "150"}}));
  REQUIRE(waits.has_value());
  CHECK(waits->report.stall >= 2);
  CHECK(waits->report.extra_time == waits->report.stall);
  CHECK(waits->report.copy_time == 8);
  CHECK(waits->report.bytes_moved == 200);
  // The same wherever the memory is needed most, without a capacity to keep.
  const auto anywhere = transformed("swap", before, at_speed("25", {{"stall", "anywhere"}}));
  REQUIRE(anywhere.has_value());
  CHECK(anywhere->staged.graph.input().ops == waits->staged.graph.input().ops);
  CHECK(anywhere->report.stall == waits->report.stall);
  CHECK(std::none_of(anywhere->report.remarks.begin(), anywhere->report.remarks.end(),
                     [](const Remark& remark) { return remark.kind == Remark::Kind::kRefused; }));
}

namespace {

/// 64 bytes of x, last used until 12 and again from `next` on, with `ops` ops of the same duration in between.
GraphInput gap_until(double next, int ops) {
  GraphInput graph;
  graph.name = "gap";
  const TensorIndex x = add_tensor(graph, "x", 64);
  TensorIndex last = add_tensor(graph, "a", 1);
  add_op(graph, "make", {}, {x});
  add_op(graph, "first", {x}, {last});
  graph.ops.back().duration = 12;
  for (int i = 0; i < ops; ++i) {
    const TensorIndex value = add_tensor(graph, "b" + std::to_string(i), 1);
    add_op(graph, "between" + std::to_string(i), {last}, {value});
    graph.ops.back().duration = (next - 12) / ops;
    last = value;
  }
  add_op(graph, "last", {last, x}, {add_tensor(graph, "y", 1)});
  return graph;
}

Transformed swapped(GraphInput graph, ParamValues params) {
  params["policy"] = "all";
  auto after = transformed("swap", staged(std::move(graph)), at_speed("16", std::move(params)));  // 4 units a copy
  REQUIRE(after.has_value());
  return std::move(*after);
}

std::string refusal(const Transformed& of) {
  for (const Remark& remark : of.report.remarks) {
    if (remark.kind == Remark::Kind::kRefused) return remark.text;
  }
  return "";
}

}  // namespace

TEST_CASE("swap: what would save nothing is refused, whatever may wait") {
  for (const int ops : {1, 6}) {
    CAPTURE(ops);
    const Transformed after = swapped(gap_until(18, ops), {{"stall", "allow"}});
    CHECK(after.report.bytes_moved == 0);
    CHECK(after.report.stall == 0);
    CHECK(refusal(after).find("free time -2: the computation would wait 2") != std::string::npos);
  }
}

TEST_CASE("swap: with free time nothing waits, also where it might") {
  const Transformed after = swapped(gap_until(40, 28), {{"stall", "allow"}});
  CHECK(after.report.bytes_moved == 128);
  CHECK(after.report.stall == 0);
  CHECK(after.report.extra_time == 0);
  CHECK(after.report.copy_time == 8);
  REQUIRE(after.report.remarks.size() == 1);
  CHECK(after.report.remarks[0].text.find("free time 20") != std::string::npos);
}

TEST_CASE("swap: free time without an op that runs in it saves nothing, and that is the reason given") {
  for (const std::string stall : {"never", "allow"}) {
    CAPTURE(stall);
    const Transformed after = swapped(gap_until(40, 1), {{"stall", stall}});
    CHECK(after.report.bytes_moved == 0);
    CAPTURE(refusal(after));
    CHECK(refusal(after).find("no op begins and ends between the end of the copy out at 17 and the start of the copy "
                              "back at 37 (free time 20)") != std::string::npos);
  }
}

TEST_CASE("swap: a capacity that is not kept is told with what is missing") {
  const Transformed after = swapped(gap_until(40, 28), {{"capacity", "50"}});
  REQUIRE_FALSE(after.report.remarks.empty());
  CHECK(after.report.remarks[0].kind == Remark::Kind::kRefused);
  CHECK(after.report.remarks[0].text.find("the capacity of 50 B is not kept") != std::string::npos);
  CHECK(refusal(swapped(gap_until(40, 28), {{"capacity", "1000"}})).empty());
}

TEST_CASE("swap: on random graphs no policy loses a tensor, and the load never rises") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 25));
    const std::string half = std::to_string(load_of(before) / 2);
    for (const std::string policy : {"all", "conv-only", "farthest-next-use", "free-time"}) {
      for (const std::string prefetch : {"latest", "earliest", "on-demand"}) {
        for (const std::string stall : {"never", "allow", "anywhere"}) {
          CAPTURE(policy);
          CAPTURE(prefetch);
          CAPTURE(stall);
          const auto after = transformed(
              "swap", before,
              at_speed("40", {{"policy", policy}, {"prefetch", prefetch}, {"stall", stall}, {"capacity", half}}));
          REQUIRE(after.has_value());
          CHECK(check_schedule(after->staged.graph, after->staged.schedule).has_value());
          check_no_hole(after->staged);
          CHECK(load_of(after->staged) <= load_of(before));
          if (stall == "never") CHECK(after->report.stall == 0);
          CHECK(after->report.extra_ops ==
                static_cast<std::int64_t>(after->staged.graph.ops().size() - before.graph.ops().size()));
        }
      }
    }
  }
}

TEST_CASE("swap: over a link that is too slow no random graph changes, and every refusal says by how much") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Staged before = staged(random_training(seed, 20));
    for (const std::string policy : {"all", "free-time"}) {
      const auto after = transformed("swap", before, {{"policy", policy}, {"bandwidth", "1"}});
      REQUIRE(after.has_value());
      CHECK(after->staged.graph.input().ops == before.graph.input().ops);
      CHECK(after->staged.graph.input().tensors == before.graph.input().tensors);
      CHECK(after->report.bytes_moved == 0);
      CHECK_FALSE(after->report.remarks.empty());
      for (const Remark& remark : after->report.remarks) CHECK(remark.kind == Remark::Kind::kRefused);
    }
  }
}

TEST_CASE("swap: farthest next use needs to know how much there is") {
  CHECK_FALSE(transformed("swap", staged(unit_chain(5)), {{"policy", "farthest-next-use"}}).has_value());
}

TEST_CASE("swap: what leaves for a capacity is enough for it") {
  GraphInput input = unit_chain(20);
  const Staged before = staged(std::move(input));
  const auto after = transformed("swap", before, at_speed("4", {{"policy", "farthest-next-use"}, {"capacity", "12"}}));
  REQUIRE(after.has_value());
  LowerOptions all;
  all.streams = false;
  const auto lowered = lower(after->staged, all);
  REQUIRE(lowered.has_value());
  CHECK(load(lowered->problem, 0) <= 14);  // a copy and what it copies are there together
}

TEST_CASE("swap: model state with offloading and sharding") {
  const OffloadSplit split = zero_offload(1e9);
  CHECK(split.device_bytes == 2e9);
  CHECK(split.host_bytes == 14e9);
  CHECK(split.traffic == 4e9);
  const ZeroSharding sharding = zero_sharding(7.5e9, 64);
  CHECK(sharding.none == 120e9);
  CHECK(sharding.optimizer == doctest::Approx(31.4e9).epsilon(0.01));
  CHECK(sharding.gradients == doctest::Approx(16.6e9).epsilon(0.01));
  CHECK(sharding.weights == doctest::Approx(1.88e9).epsilon(0.01));
}
