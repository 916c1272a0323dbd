#include "core/tasks/plan_task.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

#include "core/model/space_metrics.h"

namespace stowage {

/// One request on its way. The worker that runs it and the owner share it; whoever asks it to stop does not wait.
struct PlanTasks::Task {
  std::uint64_t ticket = 0;
  const Allocator* allocator = nullptr;
  std::shared_ptr<const Problem> problem;
  ParamValues params;
  std::uint64_t seed = 0;
  std::stop_source stop;
  std::atomic<double> share = 0;
};

struct PlanTasks::State {
  mutable std::mutex mutex;
  std::condition_variable_any wake;
  std::deque<std::shared_ptr<Task>> line;
  std::vector<std::shared_ptr<Task>> running;
  std::vector<PlanOutcome> finished;

  PlanOutcome run(Task& task) const;
  void work(const std::stop_token& quit);
  /// Takes every request for this allocator out of the line and tells the running one to stop. Needs the lock.
  void drop(std::string_view allocator);
};

PlanOutcome PlanTasks::State::run(Task& task) const {
  PlanOutcome outcome;
  outcome.allocator = task.allocator->id;
  outcome.ticket = task.ticket;
  RunContext context;
  context.stop = task.stop.get_token();
  context.seed = task.seed;
  context.progress = [&task](double share) {
    task.share = share;
  };
  outcome.run = run_allocator(*task.allocator, *task.problem, task.params, context);
  if (outcome.run) {
    outcome.metrics = measure(*task.problem, measure(*task.problem), outcome.run->plan);
    outcome.spaces = measure_spaces(*task.problem, measure_spaces(*task.problem), outcome.run->plan);
    outcome.report = check_plan(*task.problem, outcome.run->plan);
  }
  return outcome;
}

void PlanTasks::State::work(const std::stop_token& quit) {
  while (true) {
    std::shared_ptr<Task> task;
    {
      std::unique_lock lock(mutex);
      if (!wake.wait(lock, quit, [this] { return !line.empty(); })) return;
      task = line.front();
      line.pop_front();
      running.push_back(task);
    }
    PlanOutcome outcome = run(*task);
    const std::lock_guard lock(mutex);
    std::erase(running, task);
    if (!task->stop.stop_requested()) finished.push_back(std::move(outcome));
  }
}

void PlanTasks::State::drop(std::string_view allocator) {
  std::erase_if(line, [&](const std::shared_ptr<Task>& task) { return task->allocator->id == allocator; });
  std::erase_if(finished, [&](const PlanOutcome& outcome) { return outcome.allocator == allocator; });
  for (const std::shared_ptr<Task>& task : running) {
    if (task->allocator->id == allocator) task->stop.request_stop();
  }
}

PlanTasks::PlanTasks(unsigned threads) : state_(std::make_shared<State>()) {
  for (unsigned i = 0; i < std::max(1U, threads); ++i) {
    workers_.emplace_back([state = state_](const std::stop_token& quit) { state->work(quit); });
  }
}

PlanTasks::~PlanTasks() {
  cancel_all();
  for (std::jthread& worker : workers_) worker.request_stop();
}

std::uint64_t PlanTasks::request(std::shared_ptr<const Problem> problem, const Allocator& allocator, ParamValues params,
                                 std::uint64_t seed) {
  auto task = std::make_shared<Task>();
  task->allocator = &allocator;
  task->problem = std::move(problem);
  task->params = std::move(params);
  task->seed = seed;
  const std::lock_guard lock(state_->mutex);
  state_->drop(allocator.id);
  task->ticket = ++last_ticket_;
  state_->line.push_back(task);
  state_->wake.notify_one();
  return task->ticket;
}

void PlanTasks::cancel(std::string_view allocator) {
  const std::lock_guard lock(state_->mutex);
  state_->drop(allocator);
}

void PlanTasks::cancel_all() {
  const std::lock_guard lock(state_->mutex);
  state_->line.clear();
  state_->finished.clear();
  for (const std::shared_ptr<Task>& task : state_->running) task->stop.request_stop();
}

std::vector<PlanOutcome> PlanTasks::poll() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->finished, {});
}

std::vector<PlanTasks::Progress> PlanTasks::progress() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Progress> list;
  for (const std::shared_ptr<Task>& task : state_->running) {
    if (!task->stop.stop_requested()) list.push_back({task->allocator->id, true, task->share});
  }
  for (const std::shared_ptr<Task>& task : state_->line) list.push_back({task->allocator->id, false, 0});
  return list;
}

bool PlanTasks::idle() const {
  const std::lock_guard lock(state_->mutex);
  return state_->line.empty() && state_->running.empty() && state_->finished.empty();
}

}  // namespace stowage
