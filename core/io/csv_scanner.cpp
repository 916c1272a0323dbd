#include "core/io/csv_scanner.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace stowage::csv {
namespace {

/// The characters that end an unquoted cell.
constexpr auto kEndsCell = [] {
  std::array<bool, 256> ends = {};
  ends[','] = ends['\n'] = ends['\r'] = true;
  return ends;
}();

std::uint64_t line_ends_in(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) ++count;
  }
  return count;
}

}  // namespace

std::string_view Cell::value(std::string& scratch) const {
  if (!doubled) return text;
  scratch.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    scratch += text[i];
    if (text[i] == '"') ++i;
  }
  return scratch;
}

bool Scanner::next(Row& row) {
  if (at_ == text_.size() || !pass_.goes_on(at_)) return false;
  const std::size_t begin = at_;
  row.cells.clear();
  row.line = line_;
  row.kind = scan_row(row.cells);
  row.fault_line = line_;
  if (row.kind == RowKind::kOpenQuote) {
    at_ = begin;
    line_ = row.line;
  }
  if (row.kind == RowKind::kOpenQuote || row.kind == RowKind::kAfterQuote) skip_to_line_end();
  take_line_end();
  return true;
}

RowKind Scanner::scan_row(std::vector<Cell>& cells) {
  const std::size_t begin = at_;
  while (true) {
    Cell cell;
    if (at_ < text_.size() && text_[at_] == '"') {
      if (!scan_quoted(cell)) return RowKind::kOpenQuote;
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
      if (!at_line_end() && text_[at_] != ',') return RowKind::kAfterQuote;
    } else {
      scan_plain(cell);
    }
    cells.push_back(cell);
    if (at_line_end()) break;
    ++at_;
  }
  const bool blank = cells.size() == 1 && cells[0].text.empty() && (at_ == begin || text_[begin] != '"');
  return blank ? RowKind::kBlank : RowKind::kRow;
}

bool Scanner::scan_quoted(Cell& cell) {
  const std::size_t begin = ++at_;
  while (true) {
    const std::size_t quote = text_.find('"', at_);
    if (quote == std::string_view::npos) return false;
    at_ = quote + 1;
    if (at_ == text_.size() || text_[at_] != '"') break;
    cell.doubled = true;
    ++at_;
  }
  cell.text = text_.substr(begin, at_ - 1 - begin);
  line_ += line_ends_in(cell.text);
  return true;
}

void Scanner::scan_plain(Cell& cell) {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !kEndsCell[static_cast<unsigned char>(text_[at_])]) ++at_;
  cell.text = trim(text_.substr(begin, at_ - begin));
}

void Scanner::skip_to_line_end() {
  while (!at_line_end()) ++at_;
}

void Scanner::take_line_end() {
  if (at_ == text_.size()) return;
  if (text_[at_] == '\n') {
    ++at_;
  } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
    at_ += 2;
    saw_crlf_ = true;
  } else {
    ++at_;
    saw_lone_cr_ = true;
  }
  ++line_;
}

void append_cell(std::string& out, std::string_view text) {
  const bool quoted = text.find_first_of(",\"\n\r") != std::string_view::npos || trim(text).size() != text.size();
  if (!quoted) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace stowage::csv
