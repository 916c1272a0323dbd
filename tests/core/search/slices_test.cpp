#include "core/search/slices.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace stowage;

namespace {

/// Slices that find numbers, wanted while the sum of what was taken is below a limit; later ones are done sooner.
std::vector<std::size_t> taken_by(unsigned threads, std::size_t count, std::size_t limit) {
  std::vector<std::size_t> found(count, 0);
  std::vector<std::size_t> taken;
  std::size_t sum = 0;
  SliceWork work;
  work.wanted = [&](std::size_t k) {
    return sum < limit && k % 7 != 3;
  };
  work.run = [&](std::size_t k, const RunContext&) {
    std::this_thread::sleep_for(std::chrono::microseconds((count - k) * 20));
    found[k] = k + 1;
  };
  work.take = [&](std::size_t k) {
    sum += found[k];
    taken.push_back(k);
  };
  run_slices(count, threads, RunContext(), work);
  return taken;
}

}  // namespace

TEST_CASE("slices: what is taken, and in which order, does not depend on the number of threads") {
  for (const std::size_t limit : {1U, 10U, 100U, 100'000U}) {
    CAPTURE(limit);
    const std::vector<std::size_t> alone = taken_by(1, 30, limit);
    CHECK_FALSE(alone.empty());
    for (unsigned threads = 2; threads <= 40; threads *= 2) CHECK(taken_by(threads, 30, limit) == alone);
  }
  CHECK(taken_by(4, 0, 1).empty());
}

TEST_CASE("slices: one that is of no use any more is told to stop") {
  bool done = false;
  SliceWork work;
  work.wanted = [&](std::size_t) {
    return !done;
  };
  std::atomic<bool> second_runs = false;
  work.run = [&](std::size_t k, const RunContext& context) {
    if (k == 0) {
      while (!second_runs) std::this_thread::yield();
      return;
    }
    second_runs = true;
    while (!context.should_stop()) std::this_thread::yield();
  };
  work.take = [&](std::size_t k) {
    CHECK(k == 0);
    done = true;
  };
  run_slices(2, 2, RunContext(), work);
  CHECK(done);
}

TEST_CASE("slices: a stop from outside reaches those that run, and a failure reaches the caller") {
  std::stop_source source;
  RunContext context;
  context.stop = source.get_token();
  std::atomic<int> ran = 0;
  SliceWork work;
  work.wanted = [](std::size_t) {
    return true;
  };
  work.run = [&](std::size_t, const RunContext& inner) {
    if (++ran == 2) source.request_stop();
    while (!inner.should_stop()) std::this_thread::yield();
  };
  work.take = [](std::size_t) {
  };
  run_slices(50, 2, context, work);
  CHECK(ran == 2);

  work.run = [](std::size_t, const RunContext&) {
    throw std::runtime_error("no memory");
  };
  CHECK_THROWS_AS(run_slices(5, 1, RunContext(), work), std::runtime_error);
  CHECK_THROWS_AS(run_slices(5, 3, RunContext(), work), std::runtime_error);
}
