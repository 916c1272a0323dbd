#include "app/commands/table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::size_t kRuleUnderWords = 24;

}  // namespace

std::size_t columns_of(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string text_bar(double value, double largest, std::size_t width) {
  static constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(value > 0) || !(largest > 0)) return {};
  const double share = std::min(value / largest, 1.0);
  const auto eighths = static_cast<std::size_t>(std::lround(share * static_cast<double>(width) * 8));
  std::string bar;
  for (std::size_t k = 0; k < eighths / 8; ++k) bar += "█";
  bar += kEighths[eighths % 8];
  return bar;
}

void Table::add_broken_header(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> parts;
  std::size_t lines = 0;
  for (const std::string& name : names) {
    parts.push_back(split(name, '-'));
    lines = std::max(lines, parts.back().size());
  }
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<std::string> cells;
    for (const std::vector<std::string>& part : parts) {
      // Headers stand on the line below, so short ones begin lower.
      const std::size_t above = lines - part.size();
      cells.push_back(line < above ? std::string() : part[line - above]);
    }
    add(std::move(cells));
  }
}

std::string Table::text() const {
  std::vector<std::size_t> widths(aligns_.size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  }
  std::size_t rule = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    // Words at the end of lines may be long; the rule need not be as long as the longest of them.
    const bool words = c > 0 && c + 1 == widths.size() && aligns_[c] == Align::kLeft;
    rule += words ? std::min(widths[c], kRuleUnderWords) : widths[c];
  }

  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    if (row.empty()) {
      text.append(rule, '-').push_back('\n');
      continue;
    }
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string blanks(widths[c] - columns_of(row[c]), ' ');
      line += aligns_[c] == Align::kRight ? blanks + row[c] : row[c] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace stowage
