#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "ui/command.h"

namespace stowage {

/// A piece of a page of the guide.
struct GuideBlock {
  enum class Kind { kHeading, kText, kItem, kCommand };
  Kind kind = Kind::kText;
  std::string words;  // of a command: its title
  CommandId command = CommandId::help;
};

/// One page, as a file of assets/guide says it:
///
///   # Title
///   ## Heading
///   Lines of text up to an empty one are a paragraph.
///   - an item; its further lines are indented
///   keys: find find_next         the keys of these commands, from the command table
struct GuidePage {
  std::string name;  // of the panel
  std::string title;
  std::vector<GuideBlock> blocks;
};

/// Errors: no title, or a command that does not exist.
Result<GuidePage> parse_guide_page(std::string_view name, std::string_view text);

/// Whether every word of `wanted` is somewhere in a text; letter case does not matter.
bool has_words(std::string_view text, std::string_view wanted);
/// The same of a page, with what it says of commands.
bool page_has(const GuidePage& page, std::string_view wanted);

}  // namespace stowage
