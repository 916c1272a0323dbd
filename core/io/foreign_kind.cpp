#include <array>
#include <cstring>

#include "core/io/format.h"

namespace stowage {
namespace {

struct Signature {
  std::size_t at = 0;
  std::string_view bytes;
  std::string_view kind;
};

using namespace std::string_view_literals;

// Longer signatures stand before shorter ones that begin alike.
constexpr std::array kSignatures = {
    Signature{0, "PK\x03\x04"sv, "a ZIP file"},
    Signature{0, "PK\x05\x06"sv, "a ZIP file"},
    Signature{0, "\x1F\x8B"sv, "a gzip file"},
    Signature{0,
              "\xFD"
              "7zXZ\0"sv,
              "an xz file"},
    Signature{0, "\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
    Signature{0, "\x04\x22\x4D\x18"sv, "an LZ4 file"},
    Signature{0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip file"},
    Signature{0, "Rar!\x1A\x07"sv, "a RAR file"},
    Signature{257, "ustar"sv, "a tar file"},
    Signature{0, "\x89PNG\r\n\x1A\n"sv, "a PNG picture"},
    Signature{0, "\xFF\xD8\xFF"sv, "a JPEG picture"},
    Signature{0, "GIF8"sv, "a GIF picture"},
    Signature{0, "%PDF-"sv, "a PDF document"},
    Signature{0,
              "\x7F"
              "ELF"sv,
              "an ELF program"},
    Signature{0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file"},
    Signature{0, "\x93NUMPY"sv, "a NumPy array"},
    Signature{0, "SQLite format 3\0"sv, "an SQLite database"},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model"},
    Signature{4, "ET12"sv, "an ExecuTorch program"},
    Signature{4, "ET13"sv, "an ExecuTorch program"},
    Signature{0, "\xFF\xFE\0\0"sv, "UTF-32 text"},
    Signature{0, "\0\0\xFE\xFF"sv, "UTF-32 text"},
    Signature{0, "\xFF\xFE"sv, "UTF-16 text"},
    Signature{0, "\xFE\xFF"sv, "UTF-16 text"},
};

bool is_bzip2(std::string_view bytes) {
  return bytes.size() >= 10 && bytes.substr(0, 3) == "BZh" && bytes[3] >= '1' && bytes[3] <= '9' &&
         bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59";
}

/// Protocols 2 to 5 announce themselves.
bool is_pickle(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

/// Protocols 0 and 1 do not; what we could mean begins with a dictionary, a list or a class, and ends with a full stop.
bool is_old_pickle(std::string_view bytes) {
  if (!bytes.ends_with('.')) return false;
  for (const std::string_view begin : {"(dp", "(lp", "}q", "]q", "ccollections\n", "c__builtin__\n", "ccopy_reg\n"}) {
    if (bytes.starts_with(begin)) return true;
  }
  return false;
}

}  // namespace

std::string foreign_kind(std::string_view bytes) {
  // No text holds a zero byte, however far behind. A signature inside a file proves nothing without one.
  const bool zeros = !bytes.empty() && std::memchr(bytes.data(), 0, bytes.size()) != nullptr;
  for (const Signature& signature : kSignatures) {
    if (signature.at > 0 && !zeros) continue;
    if (bytes.size() >= signature.at && bytes.substr(signature.at).starts_with(signature.bytes)) {
      return std::string(signature.kind);
    }
  }
  if (is_bzip2(bytes)) return "a bzip2 file";
  if (is_pickle(bytes)) return "a Python pickle";
  if (is_old_pickle(bytes)) return "a Python pickle of protocol 0 or 1; 2 to 5 are read";
  return zeros ? "binary data" : "";
}

}  // namespace stowage
