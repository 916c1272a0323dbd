#include "core/chart/label.h"

#include <vector>

#include "core/base/text.h"

namespace stowage {

namespace {

constexpr std::size_t kLongest = 400;  // bytes looked at

bool starts_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/// Ends of all letters, ascending.
std::vector<std::size_t> letter_ends(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i == text.size() || starts_letter(text[i])) ends.push_back(i);
  }
  return ends;
}

}  // namespace

std::string one_line(std::string_view name) {
  std::string text = printable_utf8(name.substr(0, kLongest));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  }
  return text;
}

std::string shortened(std::string_view text, float width, float size, FontFace face, const TextMeasure& measure) {
  if (measure.width(text, size, face) <= width) return std::string(text);
  const std::vector<std::size_t> ends = letter_ends(text);
  std::size_t fits = 0;  // letters known to fit
  std::size_t fails = ends.size();
  while (fits + 1 < fails) {
    const std::size_t middle = (fits + fails) / 2;
    const std::string candidate = std::string(text.substr(0, ends[middle - 1])) + "…";
    (measure.width(candidate, size, face) <= width ? fits : fails) = middle;
  }
  if (fits < 2) return {};
  std::string kept(text.substr(0, ends[fits - 1]));
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + "…";
}

}  // namespace stowage
