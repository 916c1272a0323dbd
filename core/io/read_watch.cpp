#include "core/io/read_watch.h"

#include <algorithm>

namespace stowage {

WatchedPass::WatchedPass(const ReadWatch* watch, std::size_t size, ReadShare share)
    : watch_(watch), size_(size), share_(share) {
  if (watch_ != nullptr) look_at_ = 0;
}

bool WatchedPass::look(std::size_t at) {
  if (watch_ == nullptr) return true;
  if (watch_->stop.stop_requested()) {
    look_at_ = 0;
    return false;
  }
  constexpr std::size_t kStep = std::size_t{1} << 16U;  // bytes: well below a millisecond of any reader
  look_at_ = at + kStep;
  if (watch_->progress && size_ > 0) {
    const double done = std::min(1.0, static_cast<double>(at) / static_cast<double>(size_));
    watch_->progress(share_.from + (share_.to - share_.from) * done);
  }
  return true;
}

}  // namespace stowage
