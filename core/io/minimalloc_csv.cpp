#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/csv_columns.h"
#include "core/io/csv_gaps.h"
#include "core/io/csv_scanner.h"
#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/palette.h"

namespace stowage {

Result<std::string> write_minimalloc_csv(const Document& document, const WriteOptions& options);

namespace {

using csv::Cell;
using csv::Columns;
using csv::Role;
using csv::Row;
using csv::RowKind;

/// "# pool_offset=N": where the memory begins (fpedd/omnimalloc).
bool read_pool_offset(const Row& row, std::uint64_t& base) {
  constexpr std::string_view mark = "pool_offset=";
  if (row.kind != RowKind::kRow || row.cells.size() != 1 || !row.cells[0].text.starts_with('#')) return false;
  const std::string_view text = trim(row.cells[0].text.substr(1));
  if (!text.starts_with(mark)) return false;
  const std::string_view number = text.substr(mark.size());
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), base);
  return error == std::errc{} && end == number.data() + number.size();
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : name_(name), options_(options), complaints_(options.lenient), scanner_(without_mark(bytes), options.watch) {
    if (bytes.starts_with(kByteOrderMark)) {
      warnings_.push_back(name + ":1: the file begins with a byte order mark; it is skipped");
    }
    kinds_.index("");  // "no kind" comes first in a problem
    const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    input_.buffers.reserve(lines);
    lines_.reserve(lines);
    input_.ids.reserve(lines, std::min(bytes.size() / 3, lines * 8));
  }

  Result<Document> run() {
    if (const auto error = read_header()) return input_error(*error);
    Row row;
    {
      Notes blanks(warnings_, "blank lines");
      Notes hints(warnings_, "negative hints");
      negative_hints_ = &hints;
      while (scanner_.next(row)) {
        if (row.kind == RowKind::kBlank) {
          blanks.add([&] { return fmt::format("{}:{}: blank line skipped", name_, row.line); });
        } else {
          read_row(row);
        }
      }
    }
    if (scanner_.saw_crlf()) warnings_.push_back(name_ + ": lines end with CR LF");
    if (scanner_.saw_lone_cr()) warnings_.push_back(name_ + ": lines end with CR alone");
    return finish();
  }

 private:
  static std::string_view without_mark(std::string_view bytes) {
    return bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes;
  }

  std::string place(std::uint64_t line) const { return fmt::format("{}:{}: ", name_, line); }

  /// The first row that is not blank. An error when the columns are not clear.
  std::optional<std::string> read_header() {
    Row row;
    do {
      if (!scanner_.next(row)) return name_ + ": the file is empty";
    } while (row.kind == RowKind::kBlank || read_pool_offset(row, base_));
    if (row.kind != RowKind::kRow) return quote_fault(row);

    const bool numbers = std::all_of(row.cells.begin(), row.cells.end(),
                                     [](const Cell& cell) { return parse_int(cell.text).has_value(); });
    if (numbers && row.cells.size() == 4) {
      warnings_.push_back(place(row.line) + "there is no header; the columns are taken as id,lower,upper,size");
      columns_ = csv::plain_columns();
      find_rules();
      read_row(row);  // without details, hence without the notes that run() keeps
      return std::nullopt;
    }
    std::vector<std::string> problems;
    columns_ = csv::columns_of(row.cells, problems);
    if (!problems.empty()) return header_fault(row, problems, numbers);
    for (std::size_t c = 0; c < columns_.roles.size(); ++c) {
      if (columns_.roles[c] == Role::kUnknown) {
        warnings_.push_back(fmt::format("{}unknown column \"{}\" is kept, but means nothing here", place(row.line),
                                        shown(columns_.names[c])));
      }
    }
    if (columns_.numbered) warnings_.push_back(place(row.line) + "there are no ids; the rows are numbered from 0");
    find_rules();
    return std::nullopt;
  }

  std::string header_fault(const Row& row, const std::vector<std::string>& problems, bool numbers) const {
    if (numbers) {
      return place(row.line) + "there is no header: the first line must name the columns, at least id,lower,upper,size";
    }
    if (row.cells.size() == 1 && row.cells[0].text.find_first_of(";\t") != std::string_view::npos) {
      return place(row.line) + "the columns must be separated by commas, not by semicolons or tabs";
    }
    std::string text;
    for (const std::string& problem : problems) {
      text += fmt::format("{}{}:{}: {}", text.empty() ? "" : "\n", name_, row.line, problem);
    }
    return text;
  }

  void find_rules() {
    // A column named `end` is inclusive unless the user says otherwise; the one is added once in any case.
    const bool closed =
        options_.times == TimeRule::kClosed || (options_.times == TimeRule::kDefault && columns_.closed_end);
    times_ = closed ? "closed" : options_.times == TimeRule::kOpen ? "open" : "half-open";
    add_to_end_ = closed ? 1 : 0;
    if (columns_.has(Role::kOffset)) offsets_.reserve(lines_.capacity());
    has_details_ = std::any_of(columns_.roles.begin(), columns_.roles.end(), [](Role role) {
      return role == Role::kHint || role == Role::kGaps || role == Role::kOp || role == Role::kSource ||
             role == Role::kRequested || role == Role::kUnknown;
    });
  }

  std::string quote_fault(const Row& row) const {
    if (row.kind == RowKind::kOpenQuote) {
      return place(row.fault_line) + "the quote that opens in this line is never closed";
    }
    return place(row.fault_line) + "text between a closing quote and the next comma";
  }

  void read_row(const Row& row) {
    if (row.kind != RowKind::kRow) return complaints_.add(row.line, quote_fault(row));
    if (row.cells.size() != columns_.roles.size()) {
      return complaints_.add(row.line, fmt::format("{}the row has {} cells, the header has {}", place(row.line),
                                                   row.cells.size(), columns_.roles.size()));
    }
    row_ = &row;
    sound_ = true;
    Buffer buffer;
    std::optional<Clock> clock;
    if (text(Role::kLower).find(':') != std::string_view::npos) {
      clock = read_clock(buffer);
    } else {
      buffer.start = required(Role::kLower);
      buffer.end = end_of_life(required(Role::kUpper), Role::kUpper);
    }
    buffer.size = required(Role::kSize);
    buffer.alignment = optional(Role::kAlignment).value_or(1);
    buffer.fixed = address(Role::kFixed);
    const std::int64_t offset = address(Role::kOffset);
    buffer.kind = shared(Role::kKind, kinds_, "");
    buffer.space = columns_.has(Role::kSpace) ? shared(Role::kSpace, spaces_, "memory") : std::uint16_t{0};
    auto details = read_details();
    if (clock) {
      if (!details) details.emplace();
      details->clock = std::move(clock);
    }
    expect_components(details && details->clock ? details->clock->start.size() : 1);
    if (!sound_) return;

    if (columns_.has(Role::kOffset)) offsets_.push_back(offset);
    lines_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(row.line, 0xFFFFFFFFU)));
    const std::string number = columns_.numbered ? std::to_string(lines_.size() - 1) : std::string();
    const std::string_view id = columns_.numbered ? std::string_view(number) : text(Role::kId);
    if (details) {
      input_.add(id, buffer, std::move(*details));
    } else {
      input_.add(id, buffer);
    }
  }

  void bad(std::string message) {
    complaints_.add(row_->line, place(row_->line) + std::move(message));
    sound_ = false;
  }

  std::string_view text(Role role) {
    const auto column = columns_.column(role);
    return column ? row_->cells[*column].value(scratch_) : std::string_view();
  }

  std::optional<std::int64_t> integer(Role role, std::string_view cell) {
    const auto value = parse_int(cell);
    if (value) return value;
    const std::string_view digits = cell.substr(!cell.empty() && (cell[0] == '-' || cell[0] == '+') ? 1 : 0);
    const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    bad(fmt::format("{} is \"{}\", {}", csv::name_of(role), shown(cell),
                    whole ? "outside the range of 64-bit integers" : "not an integer"));
    return std::nullopt;
  }

  std::int64_t required(Role role) {
    const std::string_view cell = text(role);
    if (cell.empty()) {
      bad(fmt::format("{} is empty", csv::name_of(role)));
      return 0;
    }
    return integer(role, cell).value_or(0);
  }

  std::optional<std::int64_t> optional(Role role) {
    const std::string_view cell = text(role);
    if (cell.empty()) return std::nullopt;
    return integer(role, cell);
  }

  /// `3:0:7`, one component a thread. The lifetime that is shown runs over the sums: who is over in every component is
  /// over in the sum.
  std::optional<Clock> read_clock(Buffer& buffer) {
    Clock clock;
    clock.start = components(Role::kLower);
    clock.end = components(Role::kUpper);
    if (sound_ && clock.start.size() != clock.end.size()) {
      bad(fmt::format("lower has {} components, upper has {}", clock.start.size(), clock.end.size()));
    }
    if (!sound_) return std::nullopt;
    const auto sum = [this](const std::vector<std::int64_t>& times) {
      Int128 total = 0;
      for (const std::int64_t time : times) total += time;
      if (total > kMaxInt64 || total < kMinInt64) bad("the components of a time add up to more than 64 bits hold");
      return static_cast<std::int64_t>(total);
    };
    buffer.start = sum(clock.start);
    buffer.end = sum(clock.end);
    return clock;
  }

  std::vector<std::int64_t> components(Role role) {
    std::vector<std::int64_t> times;
    for (const std::string& part : split(std::string(text(role)), ':')) {
      if (const auto time = integer(role, trim(part))) times.push_back(*time);
    }
    return times;
  }

  /// All times of a file have the same number of components.
  void expect_components(std::size_t count) {
    if (components_ == 0) components_ = count;
    if (!sound_ || components_ == count) return;
    bad(fmt::format("times have {} components here, {} in the rows before", count, components_));
  }

  /// An offset; kNoOffset for an empty cell.
  std::int64_t address(Role role) {
    const auto value = optional(role);
    if (value && *value == kNoOffset) bad(fmt::format("{} is {}, which is no address", csv::name_of(role), *value));
    return value.value_or(kNoOffset);
  }

  std::int64_t end_of_life(std::int64_t end, Role role) {
    const auto moved = checked_add(end, add_to_end_);
    if (!moved) bad(fmt::format("{} is {}: nothing comes after it in 64 bits", csv::name_of(role), end));
    return moved.value_or(0);
  }

  std::uint16_t shared(Role role, Palette& palette, std::string_view when_empty) {
    if (!columns_.has(role)) return 0;
    const std::string_view cell = text(role);
    const auto index = palette.index(cell.empty() ? when_empty : cell);
    if (!index) bad(fmt::format("more than {} different values of {}", Palette::kMost, csv::name_of(role)));
    return index.value_or(0);
  }

  /// Nothing when the row has none of it, which is the case of nearly all.
  std::optional<Details> read_details() {
    if (!has_details_) return std::nullopt;
    Details details;
    const auto hint = optional(Role::kHint);
    if (hint && *hint >= 0) details.hint = hint;
    if (hint && *hint < -1) {
      negative_hints_->add(
          [&] { return fmt::format("{}hint {} is negative: taken as none", place(row_->line), *hint); });
    }
    details.requested = optional(Role::kRequested);
    details.op = text(Role::kOp);
    details.source = text(Role::kSource);
    read_gaps(text(Role::kGaps), details.gaps);
    read_unknown(details.extra);
    static const Details none;
    if (details == none) return std::nullopt;
    return details;
  }

  void read_unknown(std::string& extra) {
    std::optional<json::ObjectWriter> writer;
    for (std::size_t c = 0; c < columns_.roles.size(); ++c) {
      if (columns_.roles[c] != Role::kUnknown || row_->cells[c].text.empty()) continue;
      if (!writer) writer.emplace(extra);
      writer->text(columns_.names[c], row_->cells[c].value(scratch_));
    }
    if (writer) writer->close();
  }

  /// `lo-hi` or `lo-hi@wlo:whi`, separated by spaces; each number may be negative.
  void read_gaps(std::string_view cell, std::vector<Gap>& gaps) {
    std::string_view rest = trim(cell);
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find_first_of(" \t"), rest.size());
      const auto gap = csv::parse_gap(rest.substr(0, space));
      if (!gap) {
        return bad(fmt::format("gap \"{}\" is not LOWER-UPPER or LOWER-UPPER@LOW:HIGH", shown(rest.substr(0, space))));
      }
      gaps.push_back(*gap);
      gaps.back().end = end_of_life(gap->end, Role::kGaps);
      rest = trim(rest.substr(space));
    }
    std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.start < b.start; });
  }

  /// Decides what the offset column is (contract: every row filled: a plan; some empty: pins; with `fixed`: a plan).
  bool offsets_are_pins() const {
    if (options_.offsets != OffsetRule::kDefault) return options_.offsets == OffsetRule::kPins;
    if (columns_.has(Role::kFixed)) return false;
    return std::find(offsets_.begin(), offsets_.end(), kNoOffset) != offsets_.end();
  }

  Result<Document> finish() {
    Intake intake;
    bool pins = std::any_of(input_.buffers.begin(), input_.buffers.end(), [](const Buffer& b) { return b.is_fixed(); });
    if (columns_.has(Role::kOffset) && offsets_are_pins()) {
      for (std::size_t i = 0; i < offsets_.size(); ++i) {
        Buffer& buffer = input_.buffers[i];
        if (!buffer.is_fixed()) buffer.fixed = offsets_[i];
        pins = pins || buffer.is_fixed();
      }
    } else if (columns_.has(Role::kOffset)) {
      Plan plan;
      plan.id = "file";
      plan.allocator = "file";
      plan.offsets = std::move(offsets_);
      intake.plans.push_back(std::move(plan));
    }
    const std::string offsets = !intake.plans.empty() ? "plan" : pins ? "pins" : "none";
    if (input_.buffers.empty() && complaints_.empty()) warnings_.push_back(name_ + ": there is a header, but no rows");

    input_.kinds = kinds_.names();
    if (!spaces_.names().empty()) {
      input_.spaces.clear();
      for (const std::string& space : spaces_.names()) input_.spaces.push_back(Space{space, 0, std::nullopt, {}});
    }
    for (Space& space : input_.spaces) space.base = base_;
    intake.input = std::move(input_);
    intake.at = [this](BufferIndex i) {
      return std::uint64_t{lines_[i]};
    };
    intake.place = [this](BufferIndex i, std::string_view) {
      return i == kNoBuffer ? fmt::format("{}: ", name_) : place(lines_[i]);
    };
    auto document = admit(std::move(intake), complaints_, std::move(warnings_));
    if (!document) return document;
    document->facts.format = "minimalloc-csv";
    document->facts.times = times_;
    document->facts.offsets = offsets;
    document->facts.capacity_hint = capacity_hint(name_);
    return document;
  }

  std::string name_;
  const ReadOptions& options_;
  Complaints complaints_;
  csv::Scanner scanner_;
  std::vector<std::string> warnings_;
  Columns columns_;
  std::string times_;
  std::int64_t add_to_end_ = 0;

  bool has_details_ = false;    // a column goes into Details
  std::uint64_t base_ = 0;      // of every space
  std::size_t components_ = 0;  // of every time; 0 before the first row

  const Row* row_ = nullptr;  // the row being read
  bool sound_ = true;         // nothing wrong with it so far
  std::string scratch_;

  Notes* negative_hints_ = nullptr;

  ProblemInput input_;
  Palette kinds_;
  Palette spaces_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::uint32_t> lines_;
};

bool sniff(std::string_view bytes) {
  csv::Scanner scanner(bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes);
  Row row;
  std::uint64_t base = 0;
  while (scanner.next(row)) {
    if (row.kind == RowKind::kBlank || read_pool_offset(row, base)) continue;
    if (row.kind != RowKind::kRow || row.cells.size() > 1) return true;
    for (const char separator : {';', '\t'}) {
      for (const std::string& cell : split(row.cells[0].text, separator)) {
        if (csv::role_of(to_lower(trim(cell))) != Role::kUnknown) return true;
      }
    }
    return false;
  }
  return true;  // nothing but blank lines: the reader says that the file is empty
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format minimalloc_csv_format() {
  Format format;
  format.id = "minimalloc-csv";
  format.title = "MiniMalloc CSV";
  format.extension = ".csv";
  format.summary = "one buffer a row: id, lower, upper, size; also alignment, hint, gaps, kind, space, offset, fixed";
  format.sniff = sniff;
  format.read = read;
  format.write = write_minimalloc_csv;
  return format;
}

}  // namespace stowage
