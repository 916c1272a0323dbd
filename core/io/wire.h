#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Messages as Protocol Buffers encode them (protobuf.dev, "Encoding"), read in place and without their schema.
namespace stowage::wire {

enum class Kind : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

/// One field of a message; a view of it.
struct Field {
  std::uint32_t number = 0;
  Kind kind = Kind::kVarint;
  std::uint64_t value = 0;  // of a number
  std::string_view bytes;   // of a text or a message inside
  std::string_view whole;   // with its tag, as it stands

  bool is(std::uint32_t wanted, Kind of_kind) const { return number == wanted && kind == of_kind; }
  std::int64_t integer() const { return static_cast<std::int64_t>(value); }
};

/// The fields of a message in the order in which they stand.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}
  /// False at the end and where the message is damaged; sound() tells which.
  bool next(Field& field);
  bool sound() const { return sound_; }
  /// Where the damage is, or the end: the address of the first byte that was not understood.
  const char* at() const { return rest_.data(); }

 private:
  bool varint(std::uint64_t& value);
  bool take(std::size_t count, std::string_view& bytes);

  std::string_view rest_;
  bool sound_ = true;
};

/// Takes a repeated number apart, which stands by itself or with others in one field.
class Packed {
 public:
  explicit Packed(const Field& field) : field_(field), inside_(field.bytes) {}
  bool next(std::int64_t& value);
  bool sound() const { return sound_; }

 private:
  Field field_;
  std::string_view inside_;
  bool done_ = false;
  bool sound_ = true;
};

void append_number(std::string& out, std::uint32_t number, std::uint64_t value);
void append_bytes(std::string& out, std::uint32_t number, std::string_view bytes);

}  // namespace stowage::wire
