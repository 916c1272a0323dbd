#include "core/io/unpack_zstd.h"

namespace stowage {

std::string unpack_zstd(std::string_view, std::string&, std::size_t, WatchedPass) {
  return "this is a Zstandard file, which this build cannot unpack; unpack it first (zstd -d), or build Stowage with "
         "libzstd";
}

}  // namespace stowage
