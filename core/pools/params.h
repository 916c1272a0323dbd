#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/run/params.h"

namespace stowage {

/// Values of complete parameters. A usage error names the pool, the key and what is wanted.
Result<std::int64_t> bytes_param(const ParamValues& params, std::string_view key, std::string_view pool,
                                 std::int64_t least = 0);
/// Nothing for `none`.
Result<std::optional<std::int64_t>> optional_bytes_param(const ParamValues& params, std::string_view key,
                                                         std::string_view none, std::string_view pool,
                                                         std::int64_t least = 0);
Result<std::int64_t> count_param(const ParamValues& params, std::string_view key, std::string_view pool,
                                 std::int64_t least, std::int64_t most);
Result<double> share_param(const ParamValues& params, std::string_view key, std::string_view pool);
bool is_true(const ParamValues& params, std::string_view key);

/// A switch, off or on at first.
ParamSpec switch_spec(std::string_view key, std::string_view summary, bool on);

}  // namespace stowage
