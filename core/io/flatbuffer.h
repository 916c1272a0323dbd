#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::flat {

static_assert(std::endian::native == std::endian::little, "FlatBuffers are little-endian, and so are our numbers");

class Table;

/// The bytes of a FlatBuffers file, read in place and without its schema: tables, vectors and texts are followed by
/// field number. Nothing outside the bytes is ever read; what points there is absent, and the first such thing is
/// remembered. Many places of a hostile file may point at the same large vector; so the file also counts what it hands
/// out, and calls itself damaged when that is many times what it holds.
/// (flatbuffers.dev, "FlatBuffer Internals".)
class File {
 public:
  /// The bytes must outlive it.
  explicit File(std::string_view bytes);

  std::string_view bytes() const { return bytes_; }
  /// "TFL3"; empty when there is none.
  std::string_view identifier() const;
  Table root();

  struct Damage {
    std::size_t at = 0;
    std::string what;
  };
  const std::optional<Damage>& damage() const { return damage_; }
  /// The same for a message: "damaged or cut off: at byte 17, ...".
  std::string damage_text() const;

  // For Table and those who read what a schema calls scalars in place.
  void damaged(std::size_t at, std::string_view what);
  /// Whether `size` bytes lie there and may still be handed out; `what` is damaged when not.
  bool hand_out(std::size_t at, std::size_t size, std::string_view what);
  bool holds(std::size_t at, std::size_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }
  /// A number that holds() said is there.
  template <typename T>
  T number(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  /// Follows the 32-bit offset at `at`; nothing (and damage) when it leads out of the file.
  std::optional<std::size_t> follow(std::size_t at, std::string_view what);

 private:
  std::string_view bytes_;
  std::size_t left_;  // bytes that may still be handed out
  std::optional<Damage> damage_;
};

/// A vector in the file: `count` elements from `at` on, all of them inside. Not counted as handed out.
struct Extent {
  std::size_t at = 0;
  std::size_t count = 0;
};

/// A table of the file, or an absent one, whose fields are all absent. Fields have the numbers of their schema, from 0;
/// a union takes two, its type and its value.
class Table {
 public:
  Table() = default;
  Table(File& file, std::size_t at);

  explicit operator bool() const { return file_ != nullptr; }
  std::size_t at() const { return at_; }
  /// Fields that its writer knew.
  std::size_t fields() const { return fields_; }
  bool has(std::size_t field) const { return place(field, 1).has_value(); }

  /// Where the bytes of a field stand; nothing when it is absent.
  std::optional<std::size_t> place(std::size_t field, std::size_t size) const;
  template <typename T>
  T scalar(std::size_t field, T otherwise = T()) const {
    const auto at = place(field, sizeof(T));
    return at ? file_->number<T>(*at) : otherwise;
  }
  Table table(std::size_t field) const;
  std::string_view text(std::size_t field) const;
  std::vector<Table> tables(std::size_t field) const;
  /// The table at a position of a vector of tables; an absent one when there is none.
  Table element(std::size_t field, std::size_t index) const;
  template <typename T>
  std::vector<T> numbers(std::size_t field) const {
    const Extent extent = vector(field, sizeof(T));
    if (extent.count == 0 || !file_->hand_out(extent.at, extent.count * sizeof(T), "a vector")) return {};
    std::vector<T> values(extent.count);
    std::memcpy(values.data(), file_->bytes().data() + extent.at, extent.count * sizeof(T));
    return values;
  }
  /// Where a vector of elements of this size stands; nothing is read or counted.
  Extent vector(std::size_t field, std::size_t element_size) const;

 private:
  File* file_ = nullptr;
  std::size_t at_ = 0;
  std::size_t size_ = 0;  // of its own bytes
  std::size_t vtable_ = 0;
  std::size_t fields_ = 0;
};

}  // namespace stowage::flat
