#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stowage::testing::flat {

struct Value;

/// Fields by their number in the schema; what is missing is absent.
using Fields = std::vector<std::pair<std::size_t, Value>>;

/// A number as its bytes; of a vector, those of all elements.
struct Scalar {
  std::string bytes;
};
struct Numbers {
  std::size_t element_size = 1;
  std::string bytes;
};
struct Text {
  std::string letters;
};
struct Table {
  Fields fields;
};
struct Tables {
  std::vector<Table> elements;
};

/// What stands in a field of a table.
struct Value {
  std::variant<Scalar, Numbers, Text, Table, Tables> is;
};

template <typename T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

template <typename T>
Value scalar(T value) {
  return {Scalar{bytes_of(value)}};
}
template <typename T>
Value numbers(const std::vector<T>& values) {
  Numbers numbers{sizeof(T), {}};
  for (const T value : values) numbers.bytes += bytes_of(value);
  return {std::move(numbers)};
}
inline Value text(std::string letters) {
  return {Text{std::move(letters)}};
}
inline Value table(Fields fields) {
  return {Table{std::move(fields)}};
}
inline Value tables(std::vector<Table> elements) {
  return {Tables{std::move(elements)}};
}

/// Writes a FlatBuffers file front to back: each thing behind the one that refers to it.
class Builder {
 public:
  /// `behind_identifier` comes between the identifier and the root table.
  static std::string file(const Table& root, std::string_view identifier, std::string_view behind_identifier = {}) {
    Builder builder;
    builder.bytes_ = std::string(4, '\0') + std::string(identifier) + std::string(behind_identifier);
    builder.put(root, 0);
    return builder.bytes_;
  }

 private:
  void align(std::size_t step, std::size_t ahead = 0) {
    while ((bytes_.size() + ahead) % step != 0) bytes_ += '\0';
  }
  void refer_here(std::size_t reference) {
    const auto distance = static_cast<std::uint32_t>(bytes_.size() - reference);
    std::memcpy(bytes_.data() + reference, &distance, sizeof distance);
  }

  void put(const Table& table, std::size_t reference) {
    // The largest first, so that each is aligned.
    std::vector<std::size_t> order;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      order.push_back(i);
      count = std::max(count, table.fields[i].first + 1);
    }
    const auto size_of = [&](std::size_t i) {
      const auto* number = std::get_if<Scalar>(&table.fields[i].second.is);
      return number == nullptr ? std::size_t{4} : number->bytes.size();
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    std::vector<std::uint16_t> places(count, 0);
    std::size_t size = order.empty() || size_of(order[0]) < 8 ? 4 : 8;
    for (const std::size_t i : order) {
      places[table.fields[i].first] = static_cast<std::uint16_t>(size);
      size += size_of(i);
    }
    align(8, 4 + 2 * count);
    const std::size_t list = bytes_.size();
    bytes_ += bytes_of(static_cast<std::uint16_t>(4 + 2 * count)) + bytes_of(static_cast<std::uint16_t>(size));
    for (const std::uint16_t place : places) bytes_ += bytes_of(place);
    const std::size_t begin = bytes_.size();
    refer_here(reference);
    bytes_ += bytes_of(static_cast<std::int32_t>(begin - list)) + std::string(size - 4, '\0');
    for (const auto& [number, value] : table.fields) {
      const std::size_t place = begin + places[number];
      if (const auto* own = std::get_if<Scalar>(&value.is)) {
        std::memcpy(bytes_.data() + place, own->bytes.data(), own->bytes.size());
      } else {
        put(value, place);
      }
    }
  }

  void put(const Value& value, std::size_t reference) {
    if (const auto* own = std::get_if<Table>(&value.is)) return put(*own, reference);
    if (const auto* own = std::get_if<Text>(&value.is))
      return put_vector(own->letters + '\0', own->letters.size(), 4, reference);
    if (const auto* own = std::get_if<Numbers>(&value.is)) {
      // As generous as the schemas are with the data of constants.
      return put_vector(own->bytes, own->bytes.size() / own->element_size, own->element_size == 1 ? 16 : 8, reference);
    }
    const auto& elements = std::get<Tables>(value.is).elements;
    put_vector(std::string(4 * elements.size(), '\0'), elements.size(), 4, reference);
    const std::size_t first = last_vector_;
    for (std::size_t i = 0; i < elements.size(); ++i) put(elements[i], first + 4 * i);
  }

  void put_vector(const std::string& bytes, std::size_t count, std::size_t alignment, std::size_t reference) {
    align(alignment, 4);
    refer_here(reference);
    bytes_ += bytes_of(static_cast<std::uint32_t>(count));
    last_vector_ = bytes_.size();
    bytes_ += bytes;
    align(4);
  }

  std::string bytes_;
  std::size_t last_vector_ = 0;
};

}  // namespace stowage::testing::flat
