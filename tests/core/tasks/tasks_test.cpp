#include <chrono>
#include <thread>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "core/tasks/background.h"
#include "core/tasks/plan_task.h"

using namespace stowage;

namespace {

std::shared_ptr<const Problem> family(std::size_t buffers) {
  return std::make_shared<const Problem>(make_problem(synthetic_family(buffers, 1)).value());
}

/// Polls until nothing is running, waiting or unfetched.
std::vector<PlanOutcome> drain(PlanTasks& tasks) {
  std::vector<PlanOutcome> all;
  while (!tasks.idle()) {
    for (PlanOutcome& outcome : tasks.poll()) all.push_back(std::move(outcome));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return all;
}

}  // namespace

TEST_CASE("every request is answered once, checked and measured") {
  PlanTasks tasks(2);
  const auto problem = family(200);
  for (const Allocator& allocator : allocators()) tasks.request(problem, allocator, {});
  const std::vector<PlanOutcome> outcomes = drain(tasks);
  CHECK(outcomes.size() == allocators().size());
  for (const PlanOutcome& outcome : outcomes) {
    REQUIRE(outcome.run);
    CHECK(outcome.report.valid());
    CHECK(outcome.metrics.makespan >= problem->sections().load());
  }
}

TEST_CASE("the latest request for an allocator wins: older ones are never answered") {
  PlanTasks tasks(1);
  const Allocator& allocator = *find_allocator("first-fit-size");
  const auto large = family(50'000);
  const auto small = family(100);
  for (int i = 0; i < 20; ++i) tasks.request(large, allocator, {});
  const std::uint64_t last = tasks.request(small, allocator, {});
  const std::vector<PlanOutcome> outcomes = drain(tasks);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].ticket == last);
  CHECK(outcomes[0].run->plan.offsets.size() == 100);
}

TEST_CASE("cancelled requests are not answered") {
  PlanTasks tasks(2);
  const auto problem = family(50'000);
  for (const Allocator& allocator : allocators()) tasks.request(problem, allocator, {});
  CHECK(tasks.progress().size() == allocators().size());
  tasks.cancel("naive");
  tasks.cancel_all();
  CHECK(tasks.progress().empty());
  CHECK(drain(tasks).empty());
}

TEST_CASE("destroying busy tasks stops them") {
  const auto problem = family(50'000);
  for (int i = 0; i < 5; ++i) {
    PlanTasks tasks(2);
    for (const Allocator& allocator : allocators()) tasks.request(problem, allocator, {});
  }
  CHECK(problem.use_count() == 1);
}

TEST_CASE("a background function answers once; starting another drops the first") {
  Background<int> background;
  CHECK_FALSE(background.running());
  background.start([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return 1;
  });
  background.start([](const std::stop_token&) { return 2; });
  std::optional<int> answer;
  while (!answer) {
    answer = background.poll();
    std::this_thread::yield();
  }
  CHECK(*answer == 2);
  CHECK_FALSE(background.running());
  CHECK_FALSE(background.poll());
}
