#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace stowage {

/// While it lives, Ctrl+C asks to stop instead of ending the program; a second Ctrl+C ends it at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool happened() const { return stop_.stop_requested(); }

 private:
  void wait();

  std::stop_source stop_;
  std::atomic<bool> ending_ = false;
  std::thread waiter_;
};

}  // namespace stowage
