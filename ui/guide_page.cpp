#include "ui/guide_page.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::string_view kKeys = "keys:";

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// A line that goes on with what the last block says.
bool continues(const GuidePage& page, std::string_view line, bool after_blank) {
  if (after_blank || page.blocks.empty()) return false;
  const GuideBlock::Kind last = page.blocks.back().kind;
  if (last == GuideBlock::Kind::kItem) return line.front() == ' ';
  return last == GuideBlock::Kind::kText;
}

Result<void> add_keys(GuidePage& page, std::string_view names) {
  for (const std::string& name : split(names, ' ')) {
    if (name.empty()) continue;
    const Command* one = find_command(name);
    if (one == nullptr) return input_error(page.name + ": no command is called " + name);
    page.blocks.push_back(GuideBlock{GuideBlock::Kind::kCommand, std::string(one->title), one->id});
  }
  return {};
}

/// Everything that a page says.
std::string words_of(const GuidePage& page) {
  std::string words = page.title;
  for (const GuideBlock& block : page.blocks) {
    words += "\n" + block.words;
    if (block.kind != GuideBlock::Kind::kCommand) continue;
    const Command& one = command(block.command);
    words += " " + std::string(one.keys) + " " + std::string(one.help);
  }
  return words;
}

}  // namespace

Result<GuidePage> parse_guide_page(std::string_view name, std::string_view text) {
  GuidePage page;
  page.name = name;
  bool after_blank = true;
  for (const std::string& line : split(text, '\n')) {
    const std::string_view said = trim(line);
    if (said.empty()) {
      after_blank = true;
    } else if (said.rfind("# ", 0) == 0) {
      page.title = trim(said.substr(2));
    } else if (said.rfind("## ", 0) == 0) {
      page.blocks.push_back(GuideBlock{GuideBlock::Kind::kHeading, std::string(trim(said.substr(3)))});
      after_blank = true;
    } else if (said.rfind(kKeys, 0) == 0) {
      if (auto added = add_keys(page, said.substr(kKeys.size())); !added) {
        return tl::unexpected<Error>(added.error());
      }
      after_blank = true;
    } else if (said.rfind("- ", 0) == 0) {
      page.blocks.push_back(GuideBlock{GuideBlock::Kind::kItem, std::string(trim(said.substr(2)))});
      after_blank = false;
    } else if (continues(page, line, after_blank)) {
      page.blocks.back().words += " " + std::string(said);
    } else {
      page.blocks.push_back(GuideBlock{GuideBlock::Kind::kText, std::string(said)});
      after_blank = false;
    }
  }
  if (page.title.empty()) return input_error(page.name + ": the page has no title");
  return page;
}

bool has_words(std::string_view text, std::string_view wanted) {
  const std::string words = to_lower(text);
  const std::vector<std::string> all = split(to_lower(wanted), ' ');
  return std::all_of(all.begin(), all.end(),
                     [&](const std::string& word) { return words.find(word) != std::string::npos; });
}

bool page_has(const GuidePage& page, std::string_view wanted) {
  return has_words(words_of(page), wanted);
}

}  // namespace stowage
