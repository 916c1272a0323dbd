#include "core/allocators/threads_param.h"

#include <algorithm>
#include <charconv>
#include <thread>

#include <fmt/format.h>

namespace stowage {

ParamSpec threads_param() {
  return {
      kThreadsKey, "how many threads may search; the plan does not depend on it", "1", {"1", "2", "4", "auto"}, false};
}

Result<unsigned> parse_threads(const std::string& text) {
  constexpr unsigned kMost = 1'024;
  if (text == "auto") return std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
  unsigned threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads < 1 || threads > kMost) {
    return usage_error(fmt::format("threads: '{}' is neither auto nor a number from 1 to {}", text, kMost));
  }
  return threads;
}

}  // namespace stowage
