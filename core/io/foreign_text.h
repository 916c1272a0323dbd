#pragma once

#include <string>
#include <string_view>

namespace stowage {

/// What a text in no known format seems to be and what could be done with it, as the end of a sentence that begins
/// with "this": "looks like ...". Empty when nobody can tell.
std::string foreign_text(std::string_view bytes);
/// The same of JSON that nobody reads: it names the keys that were found.
std::string unknown_json(std::string_view bytes);

}  // namespace stowage
