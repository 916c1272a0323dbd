#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/run/params.h"

namespace stowage {

// Values of parameters as numbers; errors are of usage and name the owner, the key and the value.

/// A whole number in [low, high].
Result<std::int64_t> count_param(const ParamValues& params, const std::string& key, std::int64_t low, std::int64_t high,
                                 std::string_view owner);
/// Bytes with or without a unit; nothing when empty.
Result<std::optional<std::int64_t>> optional_bytes(const ParamValues& params, const std::string& key,
                                                   std::string_view owner);
/// A real number in [low, high].
Result<double> number_param(const ParamValues& params, const std::string& key, double low, double high,
                            std::string_view owner);

}  // namespace stowage
