#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <stop_token>

namespace stowage {

/// How a reading is watched and stopped. `progress` gets the share of it that is done, in [0, 1]; it may be empty and
/// is called from the thread that reads.
struct ReadWatch {
  std::stop_token stop;
  std::function<void(double)> progress;
};

/// The part of a reading that one pass over a text is.
struct ReadShare {
  double from = 0;
  double to = 1;
};

/// JSON is validated first, then read.
inline constexpr ReadShare kJsonValidation{0, 0.3};
inline constexpr ReadShare kBehindValidation{0.3, 1};

/// One pass over a text, seen by whoever watches. A reader whose pass does not go on behaves as if the text ended
/// there; what it then makes of it is dropped, because `open_document` answers that the reading was cancelled.
class WatchedPass {
 public:
  /// Nobody watches.
  WatchedPass() = default;
  /// `watch` may be null, and must outlive the pass. `size` in bytes.
  WatchedPass(const ReadWatch* watch, std::size_t size, ReadShare share = {});

  /// To be asked at each row or value, with the byte that was reached. False when the reading is to stop.
  bool goes_on(std::size_t at) { return at < look_at_ || look(at); }

 private:
  bool look(std::size_t at);

  const ReadWatch* watch_ = nullptr;
  std::size_t size_ = 0;
  ReadShare share_;
  std::size_t look_at_ = std::numeric_limits<std::size_t>::max();  // the next byte at which it looks up
};

}  // namespace stowage
