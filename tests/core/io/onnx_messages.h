#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/wire.h"

/// Messages of onnx.proto, as far as the tests need them.
namespace stowage::testing::onnx_messages {

inline std::string text_field(std::uint32_t number, std::string_view text) {
  std::string out;
  wire::append_bytes(out, number, text);
  return out;
}

inline std::string number_field(std::uint32_t number, std::uint64_t value) {
  std::string out;
  wire::append_number(out, number, value);
  return out;
}

/// TypeProto of a tensor; "?" is a dimension without anything, letters are its name.
inline std::string type_of(std::uint64_t element, const std::vector<std::string>& shape) {
  std::string dimensions;
  for (const std::string& dimension : shape) {
    const bool number = dimension.find_first_not_of("0123456789") == std::string::npos;
    dimensions += text_field(1, dimension == "?" ? ""
                                : number         ? number_field(1, std::stoull(dimension))
                                                 : text_field(2, dimension));
  }
  return text_field(1, number_field(1, element) + text_field(2, dimensions));
}

inline std::string value(std::uint32_t field, std::string_view name, std::uint64_t element,
                         const std::vector<std::string>& shape) {
  return text_field(field, text_field(1, name) + text_field(2, type_of(element, shape)));
}
inline std::string input(std::string_view name, std::uint64_t element, const std::vector<std::string>& shape) {
  return value(11, name, element, shape);
}
inline std::string output(std::string_view name, std::uint64_t element, const std::vector<std::string>& shape) {
  return value(12, name, element, shape);
}
inline std::string inside(std::string_view name, std::uint64_t element, const std::vector<std::string>& shape) {
  return value(13, name, element, shape);
}

inline std::string node(std::string_view op, const std::vector<std::string>& in, const std::vector<std::string>& out,
                        std::string_view more = "") {
  std::string text;
  for (const std::string& name : in) text += text_field(1, name);
  for (const std::string& name : out) text += text_field(2, name);
  return text_field(1, text + text_field(4, op) + std::string(more));
}

inline std::string body(std::string_view name, std::string_view graph) {
  return text_field(5, text_field(1, name) + text_field(6, graph) + number_field(20, 5));
}

inline std::string integers(std::string_view name, const std::vector<std::uint64_t>& values) {
  std::string text = text_field(1, name);
  for (const std::uint64_t value : values) text += number_field(8, value);
  return text_field(5, text + number_field(20, 7));
}

inline std::string weight(std::string_view name, std::uint64_t element, const std::vector<std::uint64_t>& shape,
                          std::string_view more = "") {
  std::string text;
  for (const std::uint64_t dimension : shape) text += number_field(1, dimension);
  return text_field(5, text + number_field(2, element) + text_field(8, name) + std::string(more));
}

/// Values of 64 bits as raw data.
inline std::string raw(const std::vector<std::uint64_t>& values) {
  std::string data;
  for (const std::uint64_t value : values) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      data += static_cast<char>(static_cast<unsigned char>(value >> shift));
  }
  return text_field(9, data);
}

inline std::string model(std::string_view graph, std::string_view more = "") {
  return number_field(1, 8) + text_field(7, std::string(graph) + text_field(2, "g")) +
         text_field(8, text_field(1, "") + number_field(2, 13)) + std::string(more);
}

}  // namespace stowage::testing::onnx_messages
