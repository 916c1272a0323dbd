#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/read_watch.h"

namespace stowage::csv {

/// A cell as a view of the file. Blanks around an unquoted cell do not belong to it; a quoted one is verbatim.
struct Cell {
  std::string_view text;  // without the quotes around it
  bool doubled = false;   // holds quotes written twice

  /// The text that is meant; `scratch` is used only when the view of the file is not it.
  std::string_view value(std::string& scratch) const;
};

enum class RowKind {
  kRow,
  kBlank,      // nothing but blanks
  kOpenQuote,  // a quote that is never closed: the row is skipped up to the end of its first line
  kAfterQuote  // text between a closing quote and the next comma: the row is skipped
};

struct Row {
  RowKind kind = RowKind::kRow;
  std::uint64_t line = 0;  // from 1, where it begins
  std::uint64_t fault_line = 0;
  std::vector<Cell> cells;
};

/// Goes through a CSV text (RFC 4180) in one pass without copying a cell. Lines end with LF, CRLF or a lone CR; the
/// last one may lack its end. A quote inside an unquoted cell is an ordinary character.
class Scanner {
 public:
  /// `text` without a byte order mark; `watch` may be null.
  explicit Scanner(std::string_view text, const ReadWatch* watch = nullptr) : text_(text), pass_(watch, text.size()) {}
  /// False at the end of the text, and once the reading is stopped.
  bool next(Row& row);
  bool saw_crlf() const { return saw_crlf_; }
  bool saw_lone_cr() const { return saw_lone_cr_; }

 private:
  RowKind scan_row(std::vector<Cell>& cells);
  bool scan_quoted(Cell& cell);
  void scan_plain(Cell& cell);
  bool at_line_end() const { return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }
  void skip_to_line_end();
  void take_line_end();

  std::string_view text_;
  WatchedPass pass_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  bool saw_crlf_ = false;
  bool saw_lone_cr_ = false;
};

/// Appends a text as one cell, in quotes when it needs them to be read back as it is.
void append_cell(std::string& out, std::string_view text);

}  // namespace stowage::csv
