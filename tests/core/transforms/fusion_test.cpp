#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/integers.h"
#include "core/base/random.h"
#include "core/graph/lower.h"
#include "core/model/check.h"
#include "core/transforms/bucket_rules.h"
#include "core/transforms/transform.h"
#include "tests/core/graph/graphs.h"
#include "tests/support/memory_oracle.h"

using namespace stowage;
using namespace stowage::testing;
using stowage::test::Sketch;

namespace {

Message message(std::string key, std::int64_t bytes, bool sparse = false) {
  return Message{std::move(key), bytes / 4, bytes, sparse};
}

using Lists = std::vector<std::vector<std::size_t>>;

Lists lists(const std::vector<Bucket>& buckets) {
  Lists found;
  for (const Bucket& bucket : buckets) found.push_back(bucket.messages);
  return found;
}

/// Gradients g0 to g3 of 400, 100, 100, 100 bytes, made in the order g3, g2, g1, g0 and read by an update each.
Sketch gradients() {
  Sketch sketch;
  sketch.tensor("x", 8, TensorKind::kInput);
  const std::vector<std::int64_t> bytes = {400, 100, 100, 100};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    sketch.tensor("g" + std::to_string(i), bytes[i], TensorKind::kWeightGradient);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) sketch.tensor("w" + std::to_string(i), bytes[i]);
  for (int i = 3; i >= 0; --i) sketch.op("back" + std::to_string(i), {"x"}, {"g" + std::to_string(i)});
  for (int i = 0; i < 4; ++i) {
    sketch.op("update" + std::to_string(i), {"g" + std::to_string(i)}, {"w" + std::to_string(i)});
  }
  return sketch;
}

Result<Transformed> fuse(const Staged& staged, const char* id, const ParamValues& params) {
  RunContext context;
  return run_transform(*find_transform(id), staged, params, context);
}

std::vector<std::string> names(const Staged& staged, const TensorGroup& group) {
  std::vector<std::string> ids;
  for (const TensorIndex t : group.members) ids.push_back(staged.graph.tensor(t).id);
  return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("DDP: a bucket closes at its limit, the next one of its key has the next limit") {
  constexpr std::int64_t kMiB = 1024 * 1024;
  std::vector<Message> linear;  // three layers of 512 x 512 with their biases
  for (int layer = 0; layer < 3; ++layer) {
    linear.push_back(message("f32", kMiB));
    linear.push_back(message("f32", 2048));
  }
  const std::vector<std::int64_t> limits = {kMiB, kMiB};
  CHECK(lists(ddp_buckets(linear, limits)) == Lists{{0}, {1, 2}, {3, 4}, {5}});

  const std::vector<Message> mixed = {message("f32", 200), message("f64", 200), message("f32", 200, true),
                                      message("f32", 200)};
  const std::vector<std::int64_t> one = {400};
  CHECK(lists(ddp_buckets(mixed, one)) == Lists{{0, 3}, {1}, {2}});
  CHECK(lists(ddp_buckets(mixed, {})) == Lists{{0}, {1}, {2}, {3}});
  CHECK(ddp_buckets({}, one).empty());
}

TEST_CASE("Horovod: one type at a time, looking ahead only as far as what is passed over would fit") {
  const std::vector<Message> mixed = {message("f32", 100), message("f16", 100), message("f32", 100),
                                      message("f32", 400), message("f16", 100)};
  CHECK(lists(horovod_buckets(mixed, 300)) == Lists{{0, 2}, {1}, {3}, {4}});
  CHECK(lists(horovod_buckets(mixed, 1000)) == Lists{{0, 2, 3}, {1, 4}});
  CHECK(lists(horovod_buckets(mixed, 0)) == Lists{{0}, {1}, {2}, {3}, {4}});
  CHECK(horovod_pad(1000, 8) == 1024);
  CHECK(horovod_pad(1024, 8) == 1024);
  CHECK(horovod_pad(1, 1) == 64);
  CHECK(horovod_threshold(5000, 8) == 8192);
}

TEST_CASE("Horovod: the threshold is what it says, and rounded up only for hierarchical collectives") {
  const Staged before = stage(gradients().graph()).value();
  const auto together = [&](const char* hierarchical) {
    const auto after =
        fuse(before, "fusion",
             {{"rule", "horovod"}, {"threshold", "299"}, {"hierarchical", hierarchical}, {"order", "ready"}});
    REQUIRE(after);
    return after->staged.groups.front().members.size();
  };
  CHECK(together("on") == 3);  // of 100 bytes, under 512
  CHECK(together("off") == 2);
}

TEST_CASE("Megatron: parameters begin at 64 elements, buckets end where all processes get whole parts") {
  const MegatronLayout layout = megatron_layout(std::vector<std::int64_t>{10, 1000, 1}, 8, false);
  CHECK(layout.starts == std::vector<std::int64_t>{0, 64, 1088});
  CHECK(layout.end_unpadded == 1089);
  CHECK(layout.bucket_end == 1152);
  CHECK(megatron_layout(std::vector<std::int64_t>{10}, 6, false).bucket_end == 384);
  CHECK(megatron_layout(std::vector<std::int64_t>{10}, 8, true).bucket_end == 65'536);
  const std::vector<Message> messages = {message("f32", 40), message("f32", 400), message("f32", 4)};
  CHECK(lists(megatron_buckets(messages, 100)) == Lists{{0, 1}, {2}});
  CHECK(lists(deepspeed_buckets(messages, 100)) == Lists{{0}, {1}, {2}});
  CHECK(lists(deepspeed_buckets(messages, 110)) == Lists{{0, 1}, {2}});
}

TEST_CASE("gradients gather as they are made, and each bucket lies in one piece") {
  const Staged before = stage(gradients().graph()).value();
  const auto after =
      fuse(before, "gradient-buckets", {{"limits", "150+1KiB"}, {"latency", "10us"}, {"bandwidth", "1MB"}});
  REQUIRE(after);
  REQUIRE(after->staged.groups.size() == 2);
  CHECK(names(after->staged, after->staged.groups[0]) == Ids{"g3", "g2"});
  CHECK(names(after->staged, after->staged.groups[1]) == Ids{"g1", "g0"});
  CHECK(after->report.messages_saved == 2);
  CHECK(after->report.communication_saved == doctest::Approx(2 * 10e-6));
  CHECK(after->report.padding == 0);
  const auto lowered = lower(after->staged, {});
  REQUIRE(lowered);
  RunContext context;
  const auto run = run_allocator(*find_allocator("somas"), lowered->problem, {}, context);
  REQUIRE(run);
  CHECK(check_plan(lowered->problem, run->plan).valid());
  const auto offset = [&](const char* id) {
    return run->plan.offsets[lowered->buffer_of[before.graph.find_tensor(id)]];
  };
  CHECK(offset("g2") == offset("g3") + 100);
}

TEST_CASE("padding of a bucket is memory, too") {
  const Staged before = stage(gradients().graph()).value();
  const auto after = fuse(before, "fusion", {{"rule", "megatron"}, {"dp", "8"}});
  REQUIRE(after);
  REQUIRE(after->staged.groups.size() == 1);
  // 25, 25, 25 and 100 elements begin at 0, 64, 128 and 192; 292 become 384.
  CHECK(after->report.padding == 384 * 4 - 700);
  std::int64_t end = 0;
  for (const TensorIndex t : after->staged.groups[0].members) {
    const Tensor& tensor = after->staged.graph.tensor(t);
    end = align_up(end, tensor.alignment) + *tensor.bytes;
  }
  CHECK(end == 384 * 4);
}

TEST_CASE("with copies a buffer is packed, sent and unpacked, and later readers read what came back") {
  const Staged before = stage(gradients().graph()).value();
  const auto after = fuse(before, "fusion", {{"rule", "all"}, {"buffer", "copy"}});
  REQUIRE(after);
  const Graph& graph = after->staged.graph;
  CHECK(after->report.extra_ops == 3);
  CHECK(after->report.bytes_moved == 1400);
  REQUIRE(graph.ops().size() == before.graph.ops().size() + 3);
  CHECK(graph.op(4).type == "Pack");
  CHECK(graph.op(5).type == "AllReduce");
  CHECK(graph.op(6).type == "Unpack");
  const TensorIndex sent = graph.op(7).in.front();
  CHECK(graph.producer(sent) == 6);
  CHECK(graph.tensor(graph.base(sent)).id == "g0");
  CHECK(lower(after->staged, {}));
  CHECK(after->report.communication_saved < 3 * 20e-6);
}

TEST_CASE("one broadcast for all weights; a group of one changes nothing") {
  Sketch sketch;
  sketch.tensor("a", 12, TensorKind::kWeight).tensor("b", 4, TensorKind::kWeight).tensor("o", 4);
  sketch.op("f", {"a", "b"}, {"o"});
  const auto both = fuse(stage(sketch.graph()).value(), "contiguous-weights", {});
  REQUIRE(both);
  REQUIRE(both->staged.groups.size() == 1);
  CHECK(names(both->staged, both->staged.groups[0]) == Ids{"a", "b"});
  sketch.input.tensors[1].kind = TensorKind::kInput;
  const Staged before = stage(sketch.graph()).value();
  const auto one = fuse(before, "contiguous-weights", {});
  REQUIRE(one);
  CHECK(one->staged.groups.empty());
  CHECK(one->staged.graph.input().tensors == before.graph.input().tensors);
  sketch.input.tensors[0].kind = TensorKind::kInput;
  const auto none = fuse(stage(sketch.graph()).value(), "contiguous-weights", {});
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == Error::Kind::kRefused);
}

TEST_CASE("in whatever order they lie, members of a contiguous group need as much together") {
  LowerOptions with_weights;
  with_weights.weights = true;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Sketch sketch;
    const std::int64_t weights = random.uniform(2, 12);
    std::int64_t sum = 0;
    std::string last;
    for (std::int64_t i = 0; i < weights; ++i) {
      const std::string number = std::to_string(i);
      const std::int64_t bytes = random.uniform(1, 1000);
      sum += bytes;
      sketch.tensor("w" + number, bytes, TensorKind::kWeight).tensor("v" + number, random.uniform(1, 1000));
      sketch.op("op" + number, last.empty() ? Ids{"w" + number} : Ids{last, "w" + number}, {"v" + number});
      last = "v" + number;
    }
    const Staged before = stage(sketch.graph()).value();
    for (const char* order : {"forward", "reverse"}) {
      const auto after = fuse(before, "contiguous-weights", {{"order", order}});
      REQUIRE(after);
      REQUIRE(after->staged.groups.size() == 1);
      CHECK(after->staged.groups[0].members.size() == static_cast<std::size_t>(weights));
      CHECK(after->report.padding == 0);
      const auto lowered = lower(after->staged, with_weights);
      REQUIRE(lowered);
      RunContext context;
      const auto run = run_allocator(*find_allocator("somas"), lowered->problem, {}, context);
      REQUIRE(run);
      CHECK(check_plan(lowered->problem, run->plan).valid());
      const auto offset = [&](TensorIndex t) {
        return run->plan.offsets[lowered->buffer_of[t]];
      };
      const TensorIndex top = after->staged.groups[0].members.back();
      const std::int64_t begin = offset(after->staged.groups[0].members.front());
      CHECK(offset(top) + *after->staged.graph.tensor(top).bytes - begin == sum);
    }
  }
}

TEST_CASE("lists of a collective: each tensor in one list, and once") {
  Sketch sketch;
  sketch.tensor("x", 4, TensorKind::kInput).tensor("a", 8).tensor("b", 4).tensor("c", 8).tensor("d", 4).tensor("e", 4);
  sketch.op("make", {"x"}, {"a", "b"}).op("send", {"a", "b"}, {"c", "d"}).op("again", {"b", "b"}, {"e"});
  sketch.input.ops[1].type = "All_Reduce";
  sketch.input.ops[2].type = "AllGather";
  const auto after = fuse(stage(sketch.graph()).value(), "communication-lists", {});
  REQUIRE(after);
  REQUIRE(after->staged.groups.size() == 2);
  CHECK(names(after->staged, after->staged.groups[0]) == Ids{"a", "b"});
  CHECK(names(after->staged, after->staged.groups[1]) == Ids{"c", "d"});
  CHECK(after->report.remarks.front().kind == Remark::Kind::kRefused);
}

TEST_CASE("lists of a class that is not included are left out without a word about each member") {
  GraphInput input;
  Tensor state;
  state.bytes = 8;
  state.kind = TensorKind::kState;
  for (const char* id : {"m", "v"}) {
    state.id = id;
    input.add(state);
  }
  Op op;
  op.id = "step";
  op.type = "Step";
  op.in = {0, 1};
  input.add(std::move(op));
  const auto after = fuse(stage(make_graph(std::move(input)).value()).value(), "fusion", {{"what", "states"}});
  REQUIRE(after);
  REQUIRE(after->staged.groups.size() == 1);
  CHECK(lower(after->staged, {}).value().notes.empty());
  LowerOptions with_state;
  with_state.state = true;
  CHECK(lower(after->staged, with_state).value().problem.constraints().groups.size() == 1);
}

TEST_CASE("fusion refuses numbers that make no sense") {
  const Staged staged = stage(gradients().graph()).value();
  for (const ParamValues& params : {ParamValues{{"limits", "much"}},
                                    {{"dp", "0"}},
                                    {{"latency", "soon"}},
                                    {{"bandwidth", "0"}},
                                    {{"threshold", "-1"}},
                                    {{"rule", "mine"}}}) {
    const auto result = fuse(staged, "fusion", params);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == Error::Kind::kUsage);
  }
}
