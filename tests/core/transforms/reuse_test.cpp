#include "core/transforms/reuse.h"

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/somas_choice.h"
#include "core/graph/lower.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"
#include "core/transforms/implied.h"
#include "tests/core/graph/graphs.h"
#include "tests/support/random_graph.h"

using namespace stowage;
using namespace stowage::testing;
using stowage::test::Sketch;

namespace {

/// n0 feeds n1 and, on another stream, n2; n3 follows n1, n4 both.
Sketch two_streams() {
  Sketch sketch;
  sketch.tensor("t0", 1024).tensor("t1", 1024).tensor("t2", 512).tensor("t3", 1024).tensor("t4", 512);
  sketch.tensor("end", 0);
  sketch.op("n0", {}, {"t0"}).op("n1", {"t0"}, {"t1"}).op("n2", {"t0"}, {"t2"}, 1).op("n3", {"t1"}, {"t3"});
  sketch.op("n4", {"t2", "t3"}, {"t4"});
  sketch.input.outputs = {5};
  return sketch;
}

std::int64_t somas_peak(const Staged& staged) {
  const auto lowered = lower(staged, {});
  REQUIRE(lowered);
  RunContext context;
  const auto run = run_allocator(*find_allocator("somas"), lowered->problem, {}, context);
  REQUIRE(run);
  return measure(lowered->problem, measure(lowered->problem), run->plan).makespan;
}

}  // namespace

TEST_CASE("two streams: what may share, why a pair may not, and the one event that saves 1024 of 3584 bytes") {
  const Staged staged = stage(two_streams().graph()).value();
  const ReuseMatrix reuse(staged);
  CHECK(reuse.may_share(0, 4));
  CHECK(reuse.may_share(1, 4));
  CHECK_FALSE(reuse.may_share(0, 3));
  CHECK_FALSE(reuse.may_share(0, 0));
  CHECK(somas_peak(staged) == 3584);

  const WhyNotShared why = reuse.why_not(3, 0);
  CHECK_FALSE(why.may_share);
  CHECK(why.text ==
        "n2 reads t0, and n3, which makes t3, does not wait for it; an event from n2 to n3 would let them share");
  REQUIRE(why.remedy);
  CHECK(*why.remedy == Event{2, 3});

  const Staged ordered = with_events(staged, {*why.remedy}).value();
  CHECK(ReuseMatrix(ordered).may_share(0, 3));
  CHECK(somas_peak(ordered) == 2560);
  CHECK(why_not_shared(ordered, 0, 3).text == "t0 is over before n3 makes t3");
}

TEST_CASE("some pairs no event can help") {
  Sketch sketch = two_streams();
  sketch.tensor("w", 8, TensorKind::kWeight).tensor("in", 8, TensorKind::kInput).tensor("in2", 8, TensorKind::kInput);
  sketch.input.ops[0].in = {6, 7, 8};
  const Staged staged = stage(sketch.graph()).value();
  const auto text = [&](TensorIndex a, TensorIndex b) {
    const WhyNotShared why = why_not_shared(staged, a, b);
    CHECK_FALSE(why.remedy);
    CHECK_FALSE(why.may_share);
    return why.text;
  };
  CHECK(text(0, 1) == "n1 needs t0 while it makes t1");
  CHECK(text(6, 1) == "w is a weight and lives for ever");
  CHECK(text(7, 8) == "both are there from the start");
  CHECK(text(2, 2) == "they lie in the same memory already");
  CHECK(text(5, 2) == "end has no size");
}

TEST_CASE("an event may come from a later op that has waited for all readers") {
  Sketch sketch;
  sketch.tensor("a", 8).tensor("b", 8).tensor("c", 8).tensor("j", 8).tensor("d", 8);
  sketch.op("a", {}, {"a"}).op("b", {"a"}, {"b"}, 1).op("c", {"a"}, {"c"}, 2).op("j", {"b", "c"}, {"j"}, 3);
  sketch.op("d", {}, {"d"}, 4);
  const WhyNotShared why = why_not_shared(stage(sketch.graph()).value(), 0, 4);
  REQUIRE(why.remedy);
  CHECK(*why.remedy == Event{3, 4});
}

TEST_CASE("on random graphs the reuse matrix agrees with the conflicts of the lowered problem, and remedies help") {
  std::size_t remedies = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    GraphShape shape;
    shape.streams = seed % 4 + 1;
    shape.views = seed % 2 == 0;
    shape.events = seed % 3 == 0;
    const Staged staged = random_staged(seed, shape);
    const auto lowered = lower(staged, {});
    REQUIRE(lowered);
    const ReuseMatrix reuse(staged);
    for (TensorIndex a = 0; a < staged.graph.tensors().size(); ++a) {
      for (TensorIndex b = 0; b < a; ++b) {
        CHECK(reuse.may_share(a, b) == reuse.may_share(b, a));
        const BufferIndex x = lowered->buffer_of[a];
        const BufferIndex y = lowered->buffer_of[b];
        if (x == kNoBuffer || y == kNoBuffer || x == y) continue;
        CHECK(reuse.may_share(a, b) == !conflict(lowered->problem, x, y));
        const WhyNotShared why = reuse.why_not(a, b);
        CHECK(why.may_share == reuse.may_share(a, b));
        CHECK_FALSE(why.text.empty());
        if (!why.remedy) continue;
        ++remedies;
        if (remedies % 10 != 0) continue;
        const auto ordered = with_events(staged, {*why.remedy});
        REQUIRE(ordered);
        CHECK(check_schedule(ordered->graph, ordered->schedule));
        CHECK(ReuseMatrix(*ordered).may_share(a, b));
      }
    }
  }
  CHECK(remedies > 100);
}

TEST_CASE("a single object has to save more than the gain to be chosen over shared ones") {
  constexpr std::int64_t kGain = 100 * 1024 * 1024;
  CHECK_FALSE(displaces({true, 900}, {false, 900 + kGain}, kGain));
  CHECK(displaces({true, 899}, {false, 900 + kGain}, kGain));
  CHECK(displaces({false, 899}, {false, 900}, kGain));
  CHECK(displaces({false, 899}, {true, 900}, kGain));
  CHECK(displaces({true, 899}, {true, 900}, kGain));
  CHECK_FALSE(displaces({false, 900}, {false, 900}, kGain));
}
