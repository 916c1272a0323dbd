#include "core/search/slices.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace stowage {
namespace {

void run_alone(std::size_t count, const RunContext& context, const SliceWork& work) {
  for (std::size_t k = 0; k < count && !context.should_stop(); ++k) {
    if (!work.wanted(k)) continue;
    work.run(k, context);
    work.take(k);
  }
}

class ManyThreads {
 public:
  ManyThreads(std::size_t count, const RunContext& context, const SliceWork& work)
      : context_(context), work_(work), slices_(count) {}

  void run(unsigned threads) {
    const std::stop_callback pass_on(context_.stop, [this] {
      for (Slice& slice : slices_) slice.stop.request_stop();
    });
    {
      std::vector<std::jthread> helpers;
      for (unsigned k = 1; k < threads; ++k) helpers.emplace_back([this] { go(); });
      go();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slice {
    std::stop_source stop;
    bool over = false;
    bool ran = false;
  };

  void go() {
    std::unique_lock lock(mutex_);
    while (next_ < slices_.size() && !failure_) {
      const std::size_t k = next_++;
      if (work_.wanted(k) && !context_.should_stop()) {
        lock.unlock();
        const std::exception_ptr failure = run_slice(k);
        lock.lock();
        slices_[k].ran = true;
        if (failure && !failure_) failure_ = failure;
      }
      slices_[k].over = true;
      if (!failure_) take_finished();
    }
  }

  std::exception_ptr run_slice(std::size_t k) {
    RunContext context;
    context.stop = slices_[k].stop.get_token();
    context.deadline = context_.deadline;
    context.seed = context_.seed;
    try {
      work_.run(k, context);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void take_finished() {
    for (; taken_ < slices_.size() && slices_[taken_].over; ++taken_) {
      if (!slices_[taken_].ran || !work_.wanted(taken_)) continue;
      work_.take(taken_);
      for (std::size_t k = taken_ + 1; k < next_; ++k) {
        if (!work_.wanted(k)) slices_[k].stop.request_stop();
      }
    }
  }

  const RunContext& context_;
  const SliceWork& work_;
  std::mutex mutex_;
  std::vector<Slice> slices_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_slices(std::size_t count, unsigned threads, const RunContext& context, const SliceWork& work) {
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  if (threads <= 1) return run_alone(count, context, work);
  ManyThreads(count, context, work).run(threads);
}

}  // namespace stowage
