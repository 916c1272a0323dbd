#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/sharing.h"
#include "core/io/text_lines.h"

// The tables of Arm's Vela compiler (--verbose-allocation), one for each memory area:
//   Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name
//            0 -          2:        0x0 -       0x40:          64:           64: FeatureMap  : a
// Steps are closed, addresses half-open. Tensors that are equivalent have one live range, hence equal numbers: they
// share their bytes and are colocated. Below come the peak of the sizes (our load) and of the addresses.
// (ethos-u-vela, tensor_allocation.py.)
//
// Its newer compiler, Regor, prints no purpose, or the format of the tensor in its place; the peak below its table is
// that of the addresses. (ethos-u-vela, regor/compiler/tensor_allocator.cpp.)

namespace stowage {
namespace {

constexpr std::string_view kHead = "Start Time -";

bool is_head(std::string_view line) {
  return trim(line).starts_with(kHead) && line.find("Start Addr") != std::string_view::npos;
}

struct Row {
  std::int64_t first = 0, last = 0, size = 0;
  std::uint64_t low = 0, high = 0;
  std::string_view purpose, name;
};

/// `between` columns stand between the memory usage and the name.
std::optional<Row> row_of(std::string_view line, std::size_t between) {
  LineScan scan(line);
  const auto first = scan.blanks().integer();
  if (!first || !scan.blanks().take("-")) return std::nullopt;
  const auto last = scan.blanks().integer();
  if (!last || !scan.blanks().take(":")) return std::nullopt;
  const auto low = scan.blanks().hexadecimal();
  if (!low || !scan.blanks().take("-")) return std::nullopt;
  const auto high = scan.blanks().hexadecimal();
  if (!high || !scan.blanks().take(":")) return std::nullopt;
  const auto size = scan.blanks().integer();
  if (!size || !scan.blanks().take(":")) return std::nullopt;
  const auto usage = scan.blanks().integer();
  if (!usage || !scan.blanks().take(":")) return std::nullopt;
  std::string_view purpose;
  for (std::size_t c = 0; c < between; ++c) {
    const auto cell = scan.blanks().until(":");
    if (!cell || !scan.take(":")) return std::nullopt;
    if (c == 0) purpose = trim(*cell);
  }
  return Row{*first, *last, *size, *low, *high, purpose, trim(scan.rest())};
}

/// Of the line above a table: what stands between the memory usage and the name.
std::size_t columns_between(std::string_view head) {
  const auto tail = split_first(head, "Memory Usage");
  const auto colons = tail ? std::count(tail->after.begin(), tail->after.end(), ':') : 2;
  return colons > 1 ? static_cast<std::size_t>(colons) - 1 : 0;
}

/// "Tensor Allocation for mem_area Sram, of mem_type_set (...)" as "Sram"; the line itself where it says otherwise.
std::string area_of(std::string_view title) {
  for (const std::string_view mark : {"mem_area ", "Tensor Allocation for ", "Memory area ", "Allocation, memory "}) {
    const auto after = split_first(title, mark);
    if (after) return std::string(trim(after->after.substr(0, after->after.find_first_of(",:"))));
  }
  return title.empty() ? "memory" : shown(title);
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch), options_(options), dump_(name) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) {
      if (is_head(line)) {
        begin_table(line);
      } else if (in_table_ && read_row(line)) {
        continue;
      } else {
        read_other(trim(line));
      }
    }
    tie_shared(dump_.input, dump_.offsets, [this](const SharedBytes& pair) {
      const Buffer& a = dump_.input.buffers[pair.first];
      const Buffer& b = dump_.input.buffers[pair.second];
      return dump_.offsets[pair.first] == dump_.offsets[pair.second] && a.size == b.size && a.start == b.start &&
             a.end == b.end;
    });
    dump_.end_of_text(lines_);
    return dump_.finish("vela-allocation", rule_name(options_.times, TimeRule::kClosed));
  }

 private:
  void begin_table(std::string_view head) {
    between_ = columns_between(head);
    purposes_ = head.find("Purpose") != std::string_view::npos;
    std::string id = area_of(title_);
    if (const int number = ++tables_[id]; number > 1) id += fmt::format(" ({})", number);
    const auto space = dump_.space(id);
    in_table_ = space.has_value();
    space_ = space.value_or(0);
    ranges_.clear();
    top_ = 0;
    if (!space) dump_.leave_out(lines_.number(), "there are more than 65,535 tables");
  }

  /// False when the line is no row of the table, which ends there.
  bool read_row(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.empty()) return true;
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);  // a time may be -1
    if (text.find(':') == std::string_view::npos || digits.empty() || digits.front() < '0' || digits.front() > '9') {
      in_table_ = false;
      return false;
    }
    const auto row = row_of(line, between_);
    const auto end = row ? closed_end(row->last, options_.times) : std::nullopt;
    if (!end || row->size < 0 || row->last < row->first || row->high < row->low ||
        row->high > static_cast<std::uint64_t>(kMaxInt64)) {
      dump_.leave_out(lines_.number(), "not a tensor with times, addresses and a size");
      return true;
    }
    if (row->high - row->low != static_cast<std::uint64_t>(row->size)) {
      dump_.note_at(lines_.number(),
                    fmt::format("{} bytes of addresses for a tensor of {}", row->high - row->low, row->size));
    }
    Buffer buffer;
    buffer.start = row->first;
    buffer.end = *end;
    buffer.size = row->size;
    buffer.space = space_;
    buffer.kind = dump_.kind(row->purpose);
    dump_.add(row->name, buffer, static_cast<std::int64_t>(row->low), lines_.number());
    ranges_.insert({row->first, row->last, row->low, row->size});
    top_ = std::max(top_, row->high);
    return true;
  }

  void read_other(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    if (text.starts_with("Allocation Peak Tensor Size")) {
      compare("Allocation Peak Tensor Size", text, purposes_ ? peak_of_sizes() : static_cast<std::int64_t>(top_));
    } else if (text.starts_with("Peak Memory Usage") || text.starts_with("Allocation Peak Memory Usage")) {
      compare("Peak Memory Usage", text, static_cast<std::int64_t>(top_));
    } else {
      title_ = text;
    }
  }

  void compare(std::string_view what, std::string_view text, std::int64_t found) {
    const auto number = split_first(text, ":");
    const auto said = number ? LineScan(trim(number->after)).integer() : std::nullopt;
    if (said && *said != found) {
      dump_.note_at(lines_.number(), fmt::format("{} is said to be {}, the rows have {}", what, *said, found));
    }
  }

  /// The largest sum of the sizes of live ranges in one step.
  std::int64_t peak_of_sizes() const {
    std::map<std::int64_t, std::int64_t> changes;
    for (const auto& [first, last, low, size] : ranges_) {
      changes[first] += size;
      changes[end_after(last).value_or(last)] -= size;
    }
    std::int64_t sum = 0;
    std::int64_t peak = 0;
    for (const auto& change : changes) peak = std::max(peak, sum += change.second);
    return peak;
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  std::string_view title_;  // the last line before a table
  bool in_table_ = false;
  std::size_t between_ = 1;  // columns between memory usage and name
  bool purposes_ = true;     // the first of them is the purpose
  std::uint16_t space_ = 0;
  std::map<std::string, int> tables_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::int64_t>> ranges_;  // of the table
  std::uint64_t top_ = 0;
};

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 65536));
  for (std::string_view line; lines.next(line);) {
    if (is_head(line)) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format vela_allocation_format() {
  Format format;
  format.id = "vela-allocation";
  format.title = "Vela allocation table";
  format.extension = ".txt";
  format.summary = "what Arm's Vela prints with --verbose-allocation, one space for each table";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
