#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace stowage {

/// One function on a thread of its own, its result fetched by polling. Starting another one drops the result of the
/// first; its thread is told to stop and drains by itself, so nobody waits for it before the destructor does.
template <typename T>
class Background {
 public:
  /// work: T(std::stop_token)
  template <typename Work>
  void start(Work work) {
    cancel();
    auto slot = std::make_shared<Slot>();
    slot_ = slot;
    drain();
    threads_.emplace_back(Worker{slot, std::jthread([slot, work = std::move(work)](std::stop_token stop) mutable {
                                   T value = work(stop);
                                   const std::lock_guard lock(slot->mutex);
                                   slot->value.emplace(std::move(value));
                                   slot->done = true;
                                 })});
  }
  void cancel() {
    for (Worker& worker : threads_) worker.thread.request_stop();
    slot_.reset();
  }
  bool running() const { return slot_ != nullptr; }
  /// The result, once.
  std::optional<T> poll() {
    if (!slot_ || !slot_->done) return std::nullopt;
    std::optional<T> value;
    {
      const std::lock_guard lock(slot_->mutex);
      value = std::move(slot_->value);
    }
    slot_.reset();
    drain();
    return value;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<T> value;
    std::atomic<bool> done = false;
  };
  struct Worker {
    std::shared_ptr<Slot> slot;
    std::jthread thread;
  };
  /// Joins the threads that have finished.
  void drain() {
    std::erase_if(threads_, [](const Worker& worker) { return worker.slot->done.load(); });
  }

  std::shared_ptr<Slot> slot_;
  std::vector<Worker> threads_;
};

}  // namespace stowage
