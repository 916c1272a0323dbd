#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/read_watch.h"

namespace stowage {

/// The name under which `open_document` reads what is piped in.
inline constexpr std::string_view kStandardInput = "standard input";

/// The text inside a gzip or Zstandard file whose name ends with ".gz" or ".zst" or that is piped in, or inside UTF-16
/// that holds JSON (which is how Windows programs write their statistics); nothing when the bytes are neither. What
/// unfolds to more than 64 MiB and 200 times the file, or more than the largest file that is read, is refused.
Result<std::optional<std::string>> unpack(std::string_view bytes, const std::string& name,
                                          const ReadWatch* watch = nullptr);

}  // namespace stowage
