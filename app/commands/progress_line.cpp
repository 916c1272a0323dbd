#include "app/commands/progress_line.h"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include <fmt/core.h>

namespace stowage {

namespace {

using namespace std::chrono_literals;

constexpr auto kSilence = 500ms;  // work that is done by then needs no words
constexpr auto kPause = 100ms;    // between two looks of the reader
constexpr const char* kErase = "\r\x1B[K";

}  // namespace

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), seen_(::isatty(STDERR_FILENO) == 1), next_(Clock::now() + kSilence) {}

ProgressLine::~ProgressLine() {
  if (shown_ >= 0) fmt::print(stderr, "{}", kErase);
}

std::function<void(double)> ProgressLine::taker() {
  if (!seen_) return {};
  return [this](double share) {
    show(share);
  };
}

void ProgressLine::show(double share) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const int percent = static_cast<int>(share * 100);
  if (now < next_ || percent == shown_) return;
  next_ = now + kPause;
  shown_ = percent;
  fmt::print(stderr, "{}{}: {} %", kErase, what_, percent);
  std::fflush(stderr);
}

}  // namespace stowage
