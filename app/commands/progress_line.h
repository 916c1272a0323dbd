#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace stowage {

/// One line on the terminal that says how far long work is: "best: 43 %". Nothing where standard error is no terminal,
/// nothing in the first half second, and nothing is left of it at the end.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Takes shares in [0, 1] from any thread, for as long as the line lives; empty when nobody would see it.
  std::function<void(double)> taker();

 private:
  using Clock = std::chrono::steady_clock;

  void show(double share);

  std::string what_;
  bool seen_ = false;  // standard error is a terminal
  std::mutex mutex_;
  Clock::time_point next_;  // not before
  int shown_ = -1;          // per cent; -1: the line is empty
};

}  // namespace stowage
