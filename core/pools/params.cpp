#include "core/pools/params.h"

#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/address_line.h"

namespace stowage {
namespace {

const std::string& text_of(const ParamValues& params, std::string_view key) {
  return params.at(std::string(key));
}

tl::unexpected<Error> wrong(std::string_view pool, std::string_view key, std::string_view text,
                            std::string_view wanted) {
  return usage_error(fmt::format("{}: '{}' is not a value of {}: {}", pool, text, key, wanted));
}

}  // namespace

Result<std::int64_t> bytes_param(const ParamValues& params, std::string_view key, std::string_view pool,
                                 std::int64_t least) {
  const std::string& text = text_of(params, key);
  const auto bytes = parse_bytes(text);
  if (bytes && *bytes >= least && *bytes <= kAddressLimit) return *bytes;
  return wrong(pool, key, text, fmt::format("bytes from {} to 2^62 are wanted, such as 512 or 2MiB", least));
}

Result<std::optional<std::int64_t>> optional_bytes_param(const ParamValues& params, std::string_view key,
                                                         std::string_view none, std::string_view pool,
                                                         std::int64_t least) {
  if (text_of(params, key) == none) return std::optional<std::int64_t>();
  const auto bytes = bytes_param(params, key, pool, least);
  if (!bytes) return tl::unexpected(bytes.error());
  return std::optional<std::int64_t>(*bytes);
}

Result<std::int64_t> count_param(const ParamValues& params, std::string_view key, std::string_view pool,
                                 std::int64_t least, std::int64_t most) {
  const std::string& text = text_of(params, key);
  const auto count = parse_int(text);
  if (count && *count >= least && *count <= most) return *count;
  return wrong(pool, key, text, fmt::format("a whole number from {} to {} is wanted", least, most));
}

Result<double> share_param(const ParamValues& params, std::string_view key, std::string_view pool) {
  const std::string& text = text_of(params, key);
  const auto share = parse_ratio(text);
  if (share && *share <= 1) return *share;
  return wrong(pool, key, text, "a share from 0 to 1 is wanted, such as 0.8 or 80%");
}

bool is_true(const ParamValues& params, std::string_view key) {
  return text_of(params, key) == "true";
}

ParamSpec switch_spec(std::string_view key, std::string_view summary, bool on) {
  return ParamSpec{std::string(key), std::string(summary), on ? "true" : "false", {"true", "false"}, true};
}

}  // namespace stowage
