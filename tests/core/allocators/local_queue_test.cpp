#include "core/allocators/local_queue.h"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
#include "core/model/generate.h"

using namespace stowage;

namespace {

using Turn = LocalQueue::Turn;
using Locality = LocalQueue::Locality;

constexpr std::int32_t kSections = 5000;

/// Mostly short ranges, some that span many blocks.
std::vector<Waiting> random_waiting(Random& random, std::uint32_t count) {
  std::vector<Waiting> all(count);
  for (std::uint32_t rank = 0; rank < count; ++rank) {
    const std::int64_t length = random.uniform(0, 9) == 0 ? random.uniform(1, kSections) : random.uniform(1, 60);
    const std::int64_t first = random.uniform(0, kSections - 1);
    all[rank] = {random.uniform(0, 50),
                 rank,
                 rank,
                 {static_cast<std::int32_t>(first),
                  static_cast<std::int32_t>(std::min<std::int64_t>(kSections, first + length))}};
  }
  return all;
}

/// Everything in the order in which it is taken out; each is put off as often as its row says.
std::vector<Waiting> drain(const std::vector<Waiting>& all, Locality locality) {
  LocalQueue queue(kSections, locality);
  for (const Waiting& waiting : all) queue.add(waiting);
  std::vector<Waiting> taken;
  std::map<BufferIndex, std::uint32_t> turns;
  const bool finished = queue.drain([&](Waiting& next) {
    if (turns[next.buffer]++ < next.buffer % 4) {
      next.offset += next.buffer % 7 + 1;
      return Turn::kLater;
    }
    taken.push_back(next);
    return Turn::kTaken;
  });
  CHECK(finished);
  return taken;
}

}  // namespace

TEST_CASE("buffers that overlap are taken out in the order of a priority queue, and none is forgotten") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<Waiting> taken = drain(random_waiting(random, 400), Locality::kBlocks);
    CHECK(taken.size() == 400);
    std::size_t wrong = 0;
    bool jumped_ahead = false;
    for (std::size_t late = 0; late < taken.size(); ++late) {
      for (std::size_t early = 0; early < late; ++early) {
        if (!(taken[late] < taken[early])) continue;
        jumped_ahead = true;
        if (taken[late].range.overlaps(taken[early].range)) ++wrong;
      }
    }
    CHECK(wrong == 0);
    CHECK(jumped_ahead);  // else it would be a priority queue
  }
}

TEST_CASE("without blocks a local queue is a priority queue") {
  Random random(7);
  const std::vector<Waiting> taken = drain(random_waiting(random, 400), Locality::kNone);
  CHECK(taken.size() == 400);
  CHECK(std::is_sorted(taken.begin(), taken.end()));
}

TEST_CASE("a local queue stops when told to") {
  Random random(3);
  LocalQueue queue(kSections, Locality::kBlocks);
  for (const Waiting& waiting : random_waiting(random, 100)) queue.add(waiting);
  int turns = 0;
  CHECK_FALSE(queue.drain([&](Waiting&) { return ++turns == 10 ? Turn::kStop : Turn::kTaken; }));
  CHECK(turns == 10);
}

TEST_CASE("working locally and telling every step in order give the same plan") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    ProblemInput input = synthetic_family(4000, seed);
    Random random(seed);
    for (Buffer& buffer : input.buffers) {
      if (random.uniform(0, 19) == 0) buffer.end += random.uniform(0, 8000);
      if (random.uniform(0, 9) == 0) buffer.alignment = random.uniform(1, 300);
    }
    const auto problem = make_problem(std::move(input));
    REQUIRE(problem);
    for (const char* id : {"skyline", "first-fit-size", "best-fit-size", "first-fit-start"}) {
      CAPTURE(id);
      RunContext silent;
      StepLog steps;
      RunContext telling;
      telling.steps = &steps;
      const auto local = run_allocator(*find_allocator(id), *problem, {}, silent);
      const auto in_order = run_allocator(*find_allocator(id), *problem, {}, telling);
      REQUIRE(local);
      REQUIRE(in_order);
      CHECK(local->plan.offsets == in_order->plan.offsets);
    }
  }
}
