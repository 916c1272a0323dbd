#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/random.h"
#include "core/pools/pool.h"
#include "core/pools/trace.h"
#include "tests/support/units.h"

namespace stowage::testing {

/// Writes a trace down event by event; each event is one step later.
class TraceWriter {
 public:
  TraceWriter& alloc(const std::string& id, std::int64_t bytes, std::int32_t stream = 0, bool is_static = false) {
    return took(builder_.alloc(time_++, id, bytes, stream, is_static));
  }
  TraceWriter& free(const std::string& id) { return took(builder_.free(time_++, id, {})); }
  TraceWriter& use(const std::string& id, std::int32_t stream) { return took(builder_.use(time_++, id, stream)); }
  TraceWriter& reset() { return took(builder_.reset(time_++)); }
  TraceWriter& empty() { return took(builder_.empty(time_++)); }
  Trace take() { return builder_.take(); }

 private:
  TraceWriter& took(const TraceBuilder::Fault& fault) {
    CHECK_MESSAGE(!fault, fault.value_or(""));
    return *this;
  }

  TraceBuilder builder_;
  std::int64_t time_ = 0;
};

/// What random_trace may do beside allocating and freeing.
struct TraceMix {
  std::size_t events = 400;
  std::int64_t most_live = 60;
  int streams = 1;
  bool specials = true;  // uses, resets, emptied caches, static and empty requests
};

/// Sizes over many orders of magnitude, some of them exactly on the borders that pools know.
inline Trace random_trace(std::uint64_t seed, const TraceMix& mix) {
  static constexpr std::int64_t kBorders[] = {0,       1,        255,     256, 512, 513, 1 << 20, (1 << 20) + 1,
                                              2 << 20, 10 << 20, 20 << 20};
  Random random(seed);
  TraceBuilder builder;
  std::vector<std::string> live;
  std::int64_t time = 0;
  for (std::size_t k = 0; k < mix.events; ++k) {
    time += random.uniform(0, 1);
    const std::int64_t dice = random.uniform(0, 99);
    if (mix.specials && dice < 2) {
      if (dice == 0) {
        CHECK_FALSE(builder.empty(time));
      } else if (random.uniform(0, 3) == 0) {
        CHECK_FALSE(builder.reset(time));
        std::erase_if(live, [](const std::string& id) { return id.front() != 's'; });
      }
      continue;
    }
    const auto stream = static_cast<std::int32_t>(random.uniform(0, mix.streams - 1));
    const bool grows = live.empty() || (static_cast<std::int64_t>(live.size()) < mix.most_live && dice < 58);
    if (grows) {
      const bool is_static = mix.specials && dice < 4;
      std::int64_t bytes = std::int64_t{1} << random.uniform(0, 24);
      bytes += random.uniform(0, bytes);
      if (random.uniform(0, 4) == 0) bytes = kBorders[random.uniform(0, 10)];
      if (!mix.specials && bytes == 0) bytes = 1;
      const std::string id = fmt::format("{}{}", is_static ? "s" : "t", k);
      CHECK_FALSE(builder.alloc(time, id, bytes, stream, is_static));
      live.push_back(id);
      continue;
    }
    const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(live.size()) - 1));
    if (mix.specials && mix.streams > 1 && dice > 90) {
      CHECK_FALSE(builder.use(time, live[at], stream));
    } else {
      CHECK_FALSE(builder.free(time, live[at], {}));
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return builder.take();
}

/// Runs a pool that must take these parameters.
inline PoolRun played(std::string_view pool, const Trace& trace, const ParamValues& params = {},
                      std::optional<std::int64_t> capacity = {}, StepLog* steps = nullptr) {
  RunContext context;
  context.steps = steps;
  const Pool* found = find_pool(pool);
  REQUIRE(found != nullptr);
  Result<PoolRun> run = run_pool(*found, trace, params, capacity, context);
  REQUIRE_MESSAGE(run, (run ? "" : run.error().message));
  return std::move(*run);
}

}  // namespace stowage::testing
