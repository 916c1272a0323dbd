#pragma once

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "core/document/document.h"
#include "core/model/check.h"

/// The buffers of what was read, by name.
namespace stowage::testing {

inline BufferIndex find(const Document& document, std::string_view id) {
  for (BufferIndex i = 0; i < document.problem->size(); ++i) {
    if (document.problem->id(i) == id) return i;
  }
  return kNoBuffer;
}

inline const Buffer& buffer(const Document& document, std::string_view id) {
  const BufferIndex i = find(document, id);
  REQUIRE_MESSAGE(i != kNoBuffer, std::string(id));
  return (*document.problem)[i];
}

inline bool lives(const Buffer& buffer, std::int64_t start, std::int64_t end) {
  return buffer.start == start && buffer.end == end;
}

inline void check_plan_is_valid(const Document& document) {
  REQUIRE(document.plans.size() == 1);
  CHECK(check_plan(*document.problem, document.plans[0]).valid());
}

}  // namespace stowage::testing
