#include "core/transforms/param_values.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

Result<std::int64_t> count_param(const ParamValues& params, const std::string& key, std::int64_t low, std::int64_t high,
                                 std::string_view owner) {
  const auto value = parse_int(params.at(key));
  if (value && *value >= low && *value <= high) return *value;
  return usage_error(
      fmt::format("{}: {} is '{}', but must be a whole number from {} to {}", owner, key, params.at(key), low, high));
}

Result<std::optional<std::int64_t>> optional_bytes(const ParamValues& params, const std::string& key,
                                                   std::string_view owner) {
  if (trim(params.at(key)).empty()) return std::optional<std::int64_t>();
  const auto bytes = parse_bytes(params.at(key));
  if (bytes) return std::optional<std::int64_t>(*bytes);
  return usage_error(fmt::format("{}: {} is '{}', which is no amount of bytes", owner, key, params.at(key)));
}

Result<double> number_param(const ParamValues& params, const std::string& key, double low, double high,
                            std::string_view owner) {
  const std::string_view text = trim(params.at(key));
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (whole && std::isfinite(value) && value >= low && value <= high) return value;
  return usage_error(
      fmt::format("{}: {} is '{}', but must be a number from {} to {}", owner, key, params.at(key), low, high));
}

}  // namespace stowage
