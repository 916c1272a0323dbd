#pragma once

#include <string_view>

namespace stowage::fuzz {

/// Reads bytes as a format (strictly and leniently). What can be read is written in both formats and read again, and
/// must be the same. Aborts with a message when it is not.
void round_trip(std::string_view bytes, std::string_view format);

}  // namespace stowage::fuzz
