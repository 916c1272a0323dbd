#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace stowage::xml {

/// The attributes of an element.
class Attributes {
 public:
  /// Names and values in turns, ended by a null pointer.
  explicit Attributes(const char* const* list) : list_(list) {}
  /// Empty when it is not there.
  std::string_view find(std::string_view name) const {
    for (const char* const* at = list_; *at != nullptr; at += 2) {
      if (name == at[0]) return at[1];
    }
    return {};
  }

 private:
  const char* const* list_;
};

/// What the elements of a document tell, one after the other. Depths count from 1.
struct Handler {
  std::function<void(std::string_view name, const Attributes&, std::size_t depth)> begin;
  std::function<void(std::string_view name, std::size_t depth)> end;
  std::function<void(std::string_view text, std::size_t depth)> text;  // pieces of what stands in an element
};

/// Goes through a document without keeping it. Refused: elements nested more than 256 deep, and document types, with
/// which one can define entities; nothing outside the document is ever looked at. An empty text when all went well,
/// else where and why not; in a build without the library for XML that is the reason.
std::string parse(std::string_view document, const Handler& handler);

}  // namespace stowage::xml
