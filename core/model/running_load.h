#pragma once

#include <cstdint>
#include <vector>

#include "core/model/bodies.h"
#include "core/model/buffer.h"

namespace stowage {

/// load(t) of one space while buffers, or pieces of them, come and go. What tied buffers share counts once.
class RunningLoad {
 public:
  explicit RunningLoad(const Bodies& bodies) : bodies_(bodies), live_(bodies.count()) {}

  /// From now on the buffer needs bytes [low, high) above its offset.
  void arrive(BufferIndex buffer, std::int64_t low, std::int64_t high) { change(buffer, {low, high}, true); }
  /// The same bytes are needed no more.
  void depart(BufferIndex buffer, std::int64_t low, std::int64_t high) { change(buffer, {low, high}, false); }
  std::int64_t bytes() const { return bytes_; }

 private:
  void change(BufferIndex buffer, Window window, bool arrives) {
    const std::uint32_t body = bodies_.of(buffer);
    if (body == Bodies::kNone) {
      bytes_ += arrives ? window.high - window.low : window.low - window.high;
    } else {
      change_body(live_[body], bodies_.relative(buffer), window, arrives);
    }
  }
  void change_body(std::vector<Window>& live, std::int64_t relative, Window window, bool arrives);

  const Bodies& bodies_;
  std::vector<std::vector<Window>> live_;  // of each body, relative to it
  std::int64_t bytes_ = 0;
};

}  // namespace stowage
