#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage::json {

/// The outermost keys of a JSON text, found by skipping over the values without validating them: enough to tell what
/// kind of file it is.
struct Outline {
  bool array = false;                     // the text is an array; the keys are those of its first element
  std::vector<std::string> keys;          // at most 1,000
  std::vector<std::string> problem_keys;  // of the member "problem"
  std::vector<std::string> buffer_keys;   // of the first element of the member "buffers"

  bool has(std::string_view key) const;
  bool problem_has(std::string_view key) const;
  bool buffer_has(std::string_view key) const;
};

/// Whether a text begins as JSON objects and arrays do (a byte order mark and blanks aside).
bool looks_like_json(std::string_view text);
/// O(text), without recursion; of a text that is no JSON the keys up to where it ends to be.
Outline outline_of(std::string_view text);

}  // namespace stowage::json
