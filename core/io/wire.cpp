#include "core/io/wire.h"

namespace stowage::wire {
namespace {

/// False when it breaks off or needs more than 64 bits; then `rest` stays.
bool take_varint(std::string_view& rest, std::uint64_t& value) {
  value = 0;
  constexpr std::size_t longest = 10;
  for (std::size_t i = 0; i < longest && i < rest.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    if (i + 1 == longest && byte > 1) return false;
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if (byte >= 0x80) continue;
    rest.remove_prefix(i + 1);
    return true;
  }
  return false;
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(static_cast<unsigned char>(value | 0x80U));
  out += static_cast<char>(static_cast<unsigned char>(value));
}

template <typename Number>
std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

}  // namespace

bool Fields::varint(std::uint64_t& value) {
  return take_varint(rest_, value);
}

bool Fields::take(std::size_t count, std::string_view& bytes) {
  if (count > rest_.size()) return false;
  bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

bool Fields::next(Field& field) {
  if (!sound_ || rest_.empty()) return false;
  const std::string_view before = rest_;
  std::uint64_t tag = 0;
  sound_ = false;
  if (!varint(tag) || tag >> 3U == 0 || tag >> 3U > 0x1FFFFFFFU) {
    rest_ = before;
    return false;
  }
  field = Field{};
  field.number = static_cast<std::uint32_t>(tag >> 3U);
  field.kind = static_cast<Kind>(tag & 7U);
  std::string_view bytes;
  std::uint64_t length = 0;
  bool good = false;
  switch (field.kind) {
    case Kind::kVarint:
      good = varint(field.value);
      break;
    case Kind::kFixed64:
      good = take(8, bytes);
      if (good) field.value = little_endian<std::uint64_t>(bytes);
      break;
    case Kind::kFixed32:
      good = take(4, bytes);
      if (good) field.value = little_endian<std::uint32_t>(bytes);
      break;
    case Kind::kBytes:
      good = varint(length) && length <= rest_.size() && take(static_cast<std::size_t>(length), field.bytes);
      break;
    default:  // groups, which nobody writes any more, and what has no meaning
      break;
  }
  if (!good) {
    rest_ = before;
    return false;
  }
  field.whole = before.substr(0, before.size() - rest_.size());
  sound_ = true;
  return true;
}

bool Packed::next(std::int64_t& value) {
  if (done_) return false;
  if (field_.kind != Kind::kBytes) {
    value = field_.integer();
    done_ = true;
    return true;
  }
  if (inside_.empty()) return false;
  std::uint64_t number = 0;
  if (!take_varint(inside_, number)) {
    done_ = true;
    sound_ = false;
    return false;
  }
  value = static_cast<std::int64_t>(number);
  return true;
}

void append_number(std::string& out, std::uint32_t number, std::uint64_t value) {
  append_varint(out, static_cast<std::uint64_t>(number) << 3U);
  append_varint(out, value);
}

void append_bytes(std::string& out, std::uint32_t number, std::string_view bytes) {
  append_varint(out, static_cast<std::uint64_t>(number) << 3U | 2U);
  append_varint(out, bytes.size());
  out += bytes;
}

}  // namespace stowage::wire
