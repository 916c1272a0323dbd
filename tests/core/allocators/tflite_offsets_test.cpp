// Planners of offsets from TensorFlow Lite, TensorFlow Lite Micro and ONNX Runtime: against the results of the
// originals, and against their rules written down literally.

#include <algorithm>
#include <list>
#include <utility>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"
#include "core/steps/step_player.h"
#include "tests/support/buffer.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr std::int64_t kNeverFreed = std::int64_t{1} << 62;

std::vector<std::int64_t> offsets_of(const std::string& id, const Problem& problem, const ParamValues& params = {}) {
  RunContext context;
  const auto run = run_allocator(*find_allocator(id), problem, params, context);
  REQUIRE(run);
  CHECK(check_plan(problem, run->plan).count == 0);
  return run->plan.offsets;
}

struct Block {
  BufferIndex buffer = kNoBuffer;
  std::int64_t offset = 0;
};

/// The walk of TFLite's arena: blocks in address order, the room to beat counts from the unaligned end below it.
std::vector<std::int64_t> literal_arena(const Problem& problem, const std::vector<BufferIndex>& order) {
  std::list<Block> active;
  std::vector<std::int64_t> offsets(problem.size(), 0);
  for (const BufferIndex i : order) {
    const Buffer& wanted = problem[i];
    if (!wanted.takes_memory()) continue;
    std::int64_t best = kNoOffset;
    std::int64_t fit = kMaxInt64;
    std::int64_t current = 0;
    for (const Block& block : active) {
      if (!conflict(problem, i, block.buffer)) continue;
      const std::int64_t aligned = align_up(current, wanted.alignment);
      if (aligned + wanted.size <= block.offset && block.offset - aligned < fit) {
        best = aligned;
        fit = block.offset - current;
      }
      current = std::max(current, block.offset + problem[block.buffer].size);
      if (fit == 0) break;
    }
    offsets[i] = best == kNoOffset ? align_up(current, wanted.alignment) : best;
    const auto above =
        std::find_if(active.begin(), active.end(), [&](const Block& block) { return block.offset > offsets[i]; });
    active.insert(above, Block{i, offsets[i]});
  }
  return offsets;
}

/// ONNX Runtime's planner as it runs: blocks come and go, and only those there at that moment are looked at.
std::vector<std::int64_t> literal_trace(const Problem& problem) {
  std::list<Block> live;
  std::vector<std::int64_t> offsets(problem.size(), 0);
  for (std::int64_t time = -10; time < 60; ++time) {
    live.remove_if([&](const Block& block) { return problem[block.buffer].end == time; });
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem[i].start != time || !problem[i].takes_memory()) continue;
      std::int64_t current = 0;
      std::int64_t waste = kMaxInt64;
      std::int64_t best = live.empty() ? 0 : live.back().offset + problem[live.back().buffer].size;
      for (const Block& block : live) {
        const std::int64_t gap = block.offset - current;
        if (gap >= problem[i].size && gap - problem[i].size < waste) {
          waste = gap - problem[i].size;
          best = current;
        }
        current = block.offset + problem[block.buffer].size;
      }
      offsets[i] = best;
      const auto above =
          std::find_if(live.begin(), live.end(), [&](const Block& block) { return block.offset > best; });
      live.insert(above, Block{i, best});
    }
  }
  return offsets;
}

std::vector<BufferIndex> rows(const Problem& problem) {
  std::vector<BufferIndex> all;
  for (BufferIndex i = 0; i < problem.size(); ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("tflite, tflite micro and onnx runtime: the results of the originals") {
  STOWAGE_NEED_SHARED(shared);
  std::size_t seen = 0;
  for (const char* file : {"tflite.json", "tflm.json", "others.json"}) {
    for (const ConformanceCase& c : conformance_cases(
             shared / "conformance" / file,
             {"tflite-greedy-by-size", "tflite-arena", "tflite-arena-planner", "tflm-greedy", "ort-mem-pattern"})) {
      CAPTURE(c.name);
      ++seen;
      ParamValues params;
      if (c.json.contains("params") && c.json["params"].contains("order")) params["order"] = c.json["params"]["order"];
      const std::vector<std::int64_t> offsets = offsets_of(c.allocator, c.problem, params);
      const auto& expected = c.json["expected"];
      std::int64_t makespan = 0;
      for (BufferIndex i = 0; i < c.problem.size(); ++i) {
        const std::string id(c.problem.id(i));
        makespan = std::max(makespan, offsets[i] + c.problem[i].size);
        if (expected["offsets"].contains(id)) CHECK(offsets[i] == expected["offsets"][id].get<std::int64_t>());
      }
      if (expected["makespan"].is_number()) CHECK(makespan == expected["makespan"].get<std::int64_t>());
      if (expected.contains("makespan_lt")) CHECK(makespan < expected["makespan_lt"].get<std::int64_t>());
    }
  }
  CHECK(seen >= 17);
}

TEST_CASE("tflite-arena follows its walk literally") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.alignments = true;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    CHECK(offsets_of("tflite-arena", problem) == literal_arena(problem, rows(problem)));
  }
}

TEST_CASE("tflite-arena: of two rooms that differ only in what alignment loses, the later one wins") {
  ProblemInput input;
  input.add("a", buffer(0, 9, 4));     // 0
  input.add("b", buffer(0, 1, 12));    // 4, over when d comes: room [4, 16)
  input.add("c", buffer(0, 9, 2));     // 16
  input.add("e", buffer(0, 1, 14));    // 18, over as well: room [18, 32)
  input.add("f", buffer(0, 9, 1));     // 32
  input.add("d", buffer(1, 9, 8, 8));  // at 8 it leaves nothing of [8, 16), and nothing of [24, 32)
  const Problem problem = make_problem(input).value();
  CHECK(offsets_of("tflite-arena", problem).back() == 24);
  CHECK(offsets_of("best-fit", problem).back() == 8);
}

TEST_CASE("tflite-arena-planner: tensors that live always by index, then by size, then by start, then by index") {
  ProblemInput input;
  input.add("7", buffer(0, kNeverFreed, 1));
  input.add("3", buffer(0, kNeverFreed, 2));
  input.add("9", buffer(2, 8, 10));
  input.add("1", buffer(1, 8, 10));
  input.add("8", buffer(1, 8, 20));
  input.add("0", buffer(3, kNeverFreed, 5));
  CHECK(offsets_of("tflite-arena-planner", make_problem(input).value()) ==
        std::vector<std::int64_t>{2, 0, 33, 23, 3, 43});
  input.ids = Names();
  for (const char* id : {"x", "3", "9", "1", "8", "0"}) input.ids.push_back(id);
  CHECK(offsets_of("tflite-arena-planner", make_problem(input).value()) ==
        std::vector<std::int64_t>{0, 1, 33, 23, 3, 43});
}

TEST_CASE("tflite-arena-planner: node by node, and with every tensor preserved") {
  ProblemInput input;
  input.add("0", buffer(0, 2, 4));
  input.add("1", buffer(1, 3, 8));
  input.add("2", buffer(2, 4, 16));
  const Problem problem = make_problem(input).value();
  CHECK(offsets_of("tflite-arena-planner", problem) == std::vector<std::int64_t>{0, 16, 0});
  CHECK(offsets_of("tflite-arena-planner", problem, {{"order", "stepwise"}}) == std::vector<std::int64_t>{0, 4, 12});
  CHECK(offsets_of("tflite-arena-planner", problem, {{"preserve", "true"}}) == std::vector<std::int64_t>{0, 20, 4});
}

TEST_CASE("tflite-arena-planner: tensors that share memory are one, from the first one's start to the last one's end") {
  ProblemInput input;
  input.add("0", buffer(0, 2, 16));
  input.add("1", buffer(3, 5, 16));  // in place of 0
  input.add("2", buffer(2, 3, 8));   // between the two
  input.constraints.aliases.push_back({1, 0, 0});
  CHECK(offsets_of("tflite-arena-planner", make_problem(input).value()) == std::vector<std::int64_t>{0, 0, 16});
  input.constraints.aliases.clear();
  CHECK(offsets_of("tflite-arena-planner", make_problem(input).value()) == std::vector<std::int64_t>{0, 0, 0});
}

TEST_CASE("tflite-arena-planner: the interpreter frees neither inputs nor outputs nor state") {
  ProblemInput input;
  input.add("in", buffer(0, 1, 4));
  input.add("out", buffer(2, 3, 8));
  input.add("act", buffer(1, 3, 16));
  input.add("var", buffer(2, 3, 2));
  input.buffers[0].kind = input.kind_index("input");
  input.buffers[1].kind = input.kind_index("output");
  input.buffers[3].kind = input.kind_index("state");
  const Problem problem = make_problem(input).value();
  CHECK(offsets_of("tflite-arena-planner", problem) == std::vector<std::int64_t>{0, 16, 0, 24});
  CHECK(offsets_of("tflite-arena-planner", problem, {{"lifetimes", "interpreter"}}) ==
        std::vector<std::int64_t>{0, 22, 6, 4});
}

TEST_CASE("tflite-arena-planner: persistent tensors never share, and lie below an arena that is aligned to 64") {
  ProblemInput input;
  input.add("0", buffer(1, 3, 10, 4));
  input.add("1", buffer(0, 2, 20, 4));
  input.add("2", buffer(3, 5, 6, 4));
  for (const std::size_t row : {0U, 2U}) input.buffers[row].kind = input.kind_index("state");
  const Problem problem = make_problem(input).value();
  CHECK(offsets_of("tflite-arena-planner", problem) == std::vector<std::int64_t>{20, 0, 0});
  CHECK(offsets_of("tflite-arena-planner", problem, {{"persistent", "state"}}) == std::vector<std::int64_t>{0, 64, 12});
  CHECK(offsets_of("tflite-arena-planner", problem, {{"persistent", "weight"}}) == std::vector<std::int64_t>{20, 0, 0});

  input.buffers[1].fixed = 0;
  RunContext context;
  const auto run = run_allocator(*find_allocator("tflite-arena-planner"), make_problem(input).value(),
                                 {{"persistent", "state"}}, context);
  REQUIRE_FALSE(run);
  CHECK(run.error().kind == Error::Kind::kRefused);
}

TEST_CASE("tflite-arena-planner: two arenas are apart in each space, and the steps lead to where they lie") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.alignments = true;
    shape.spaces = seed % 2 == 0;
    shape.colocations = seed % 3 == 0;
    shape.empty_ones = seed % 5 == 0;
    ProblemInput input = random_problem(seed, shape).input();
    const std::uint16_t state = input.kind_index("state");
    for (BufferIndex i = 0; i < input.buffers.size(); i += 3) input.buffers[i].kind = state;
    const Problem problem = make_problem(input).value();
    StepLog log;
    RunContext context;
    context.steps = &log;
    const auto run =
        run_allocator(*find_allocator("tflite-arena-planner"), problem, {{"persistent", "state"}}, context);
    REQUIRE(run);
    CHECK(check_plan(problem, run->plan).count == 0);
    StepPlayer player(log.steps(), problem.size());
    player.seek(player.size());
    CHECK(player.state().offsets == run->plan.offsets);
    for (BufferIndex i = 0; i < problem.size(); i += 3) {
      for (BufferIndex j = 0; j < problem.size(); ++j) {
        const bool both =
            problem[i].takes_memory() && problem[j].takes_memory() && problem[i].space == problem[j].space;
        if (i == j || !both || problem.bodies().together(i, j)) continue;
        const bool apart = run->plan.offsets[i] + problem[i].size <= run->plan.offsets[j] ||
                           run->plan.offsets[j] + problem[j].size <= run->plan.offsets[i];
        CHECK(apart);
      }
    }
  }
}

TEST_CASE("tflm-greedy: fixed buffers first, then by size, the last of equals first, lowest place") {
  ProblemInput input;
  input.add("a", buffer(0, 2, 4));
  input.add("b", buffer(0, 2, 4));
  input.add("pin", buffer(0, 2, 1));
  input.buffers.back().fixed = 2;
  input.add("c", buffer(0, 2, 2));
  CHECK(offsets_of("tflm-greedy", make_problem(input).value()) == std::vector<std::int64_t>{7, 3, 2, 0});
}

TEST_CASE("ort-mem-pattern meets the same blocks as the online planner") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    CHECK(offsets_of("ort-mem-pattern", problem) == literal_trace(problem));
  }
}
