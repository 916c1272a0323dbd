#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "core/io/format.h"

namespace stowage::testing {

inline Document read_good(std::string_view bytes, const ReadOptions& options = {},
                          const std::string& name = "model.csv") {
  auto document = read_document(bytes, name, options);
  REQUIRE_MESSAGE(document.has_value(), (document ? std::string() : document.error().message));
  return std::move(*document);
}

inline std::string read_error(std::string_view bytes, const ReadOptions& options = {},
                              const std::string& name = "model.csv") {
  const auto document = read_document(bytes, name, options);
  REQUIRE_FALSE(document.has_value());
  CHECK(document.error().kind == Error::Kind::kInput);
  return document.error().message;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline bool has_warning(const Document& document, std::string_view part) {
  for (const std::string& warning : document.facts.warnings) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

inline std::string write_as(const Document& document, std::string_view format, const WriteOptions& options = {}) {
  const auto bytes = find_format(format)->write(document, options);
  REQUIRE(bytes.has_value());
  return *bytes;
}

}  // namespace stowage::testing
