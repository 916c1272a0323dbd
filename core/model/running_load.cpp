#include "core/model/running_load.h"

#include <algorithm>

namespace stowage {
namespace {

/// The bytes that windows cover together.
std::int64_t covered(std::vector<Window>& windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.low < b.low; });
  std::int64_t sum = 0;
  std::int64_t top = 0;
  for (const Window& window : windows) {
    sum += std::max<std::int64_t>(0, window.high - std::max(top, window.low));
    top = std::max(top, window.high);
  }
  return sum;
}

}  // namespace

void RunningLoad::change_body(std::vector<Window>& live, std::int64_t relative, Window window, bool arrives) {
  const Window bytes{relative + window.low, relative + window.high};
  bytes_ -= covered(live);
  if (arrives) {
    live.push_back(bytes);
  } else {
    live.erase(std::find(live.begin(), live.end(), bytes));
  }
  bytes_ += covered(live);
}

}  // namespace stowage
