#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/planning.h"
#include "app/commands/pool_source.h"
#include "app/commands/pool_text.h"
#include "core/base/result.h"
#include "core/steps/step.h"

namespace stowage {

/// Which pools are fed, and which plans are played beside them.
struct PoolChoice {
  static constexpr const char* kAll = "all";

  std::string pool = kAll;
  std::vector<std::string> with;  // allocators whose plans are played; with all pools and none named: fast
  std::vector<std::string> set;   // KEY=VALUE, parameters of the one pool
  std::optional<std::int64_t> capacity;

  bool all() const { return pool == kAll; }
};

/// A usage error for a pool or an allocator that there is not.
Result<void> check_pools(const PoolChoice& choice);

/// The pools, then the plans. With all of them, one that refuses becomes a row that says so; `steps` are those of one
/// pool, or null.
Result<std::vector<PoolRow>> run_pools(const PoolChoice& choice, const PlanningFlags& planning,
                                       const PoolSource& source, std::stop_token stop, StepLog* steps);

/// The picture of what ran, for each wanted file. Refused when nothing did.
Result<void> add_pool_pictures(const PictureFlags& pictures, const PoolSource& source, const std::vector<PoolRow>& rows,
                               Outputs& outputs);

}  // namespace stowage
