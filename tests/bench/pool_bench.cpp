// A long trace through every pool: pool_bench [EVENTS] [LIVE]. The best of three runs is reported.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/pools/pool.h"

using namespace stowage;

namespace {

/// About `live` allocations at a time, of 64 B to 16 MiB, freed in no order.
Trace long_trace(std::int64_t events, std::int64_t live) {
  Random random(1);
  TraceBuilder builder;
  std::vector<std::string> ids;
  for (std::int64_t e = 0; e < events; ++e) {
    const auto count = static_cast<std::int64_t>(ids.size());
    if (count == 0 || (count < 2 * live && random.uniform(0, 2 * live) > count)) {
      ids.push_back(fmt::format("t{}", e));
      const std::int64_t scale = std::int64_t{64} << random.uniform(0, 17);
      builder.alloc(e, ids.back(), scale + random.uniform(0, scale), 0, false);
    } else {
      const auto at = static_cast<std::size_t>(random.uniform(0, count - 1));
      builder.free(e, ids[at], {});
      std::swap(ids[at], ids.back());
      ids.pop_back();
    }
  }
  return builder.take();
}

}  // namespace

int main(int count, char** words) {
  const std::int64_t events = count > 1 ? std::atoll(words[1]) : 1'000'000;
  const std::int64_t live = count > 2 ? std::atoll(words[2]) : 1'000;
  const Trace trace = long_trace(events, live);
  fmt::print("{} events, about {} live\n", format_count(events), format_count(live));
  for (const Pool& pool : pools()) {
    double best = 1e300;
    std::int64_t reserved = 0;
    for (int k = 0; k < 3; ++k) {
      RunContext context;
      const auto run = run_pool(pool, trace, {}, {}, context);
      if (!run) {
        fmt::print("{}: {}\n", pool.id, run.error().message);
        return 1;
      }
      best = std::min(best, run->seconds);
      reserved = run->peaks().reserved;
    }
    fmt::print("{:20} {:>9} reserved {}\n", pool.id, format_seconds(best), format_bytes(reserved));
  }
  return 0;
}
