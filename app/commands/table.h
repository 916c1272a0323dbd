#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// Text in aligned columns, for people.
class Table {
 public:
  enum class Align { kLeft, kRight };

  /// Without a header line; `aligns` gives the number of columns.
  explicit Table(std::vector<Align> aligns) : aligns_(std::move(aligns)) {}

  /// Cells that are missing at the end are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A header of several lines: each name is broken at its hyphens, so that long ids stay narrow.
  void add_broken_header(const std::vector<std::string>& names);
  /// A line of dashes over all columns; of a last one with words over their beginning.
  void add_rule() { rows_.emplace_back(); }

  /// Two blanks between columns, none at the end of a line.
  std::string text() const;

 private:
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

/// Columns that a text takes in a terminal: its code points.
std::size_t columns_of(std::string_view utf8);

/// A bar of at most `width` columns for value / largest, in eighths of a column.
std::string text_bar(double value, double largest, std::size_t width);

}  // namespace stowage
