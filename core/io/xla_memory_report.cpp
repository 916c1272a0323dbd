#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/sharing.h"
#include "core/io/text_lines.h"
#include "core/io/xla_assignment.h"

// XLA's `...-memory-usage-report.txt`: allocations by size, and in each the places that its values take turns in:
//   cumulative_size;       size;       offset; used_by_n_values; shapes_list
//     1.00MiB(  7%);    1.00MiB;      4194304;                3; f32[4,256,64], 2×f32[4,256,256]
// Offsets are exact, sizes are rounded for people, lifetimes are not told: all of it is shown at one instant.
// (openxla/xla, buffer_assignment.cc: MemoryUsageReport.)

namespace stowage {

Format xla_memory_report_format();

namespace {

/// Exact sizes from the buffer assignment beside the report: of an allocation, and of what lies at an offset in it.
struct ExactSizes {
  std::map<std::int64_t, std::int64_t> allocations;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> places;
};

/// "3.14MiB" is rounded for people and no whole number of bytes: the nearest one.
std::optional<std::int64_t> nearest_bytes(std::string_view text) {
  text = trim(text);
  if (const auto whole = parse_bytes(text)) return whole;
  const std::size_t point = text.find('.');
  const std::size_t end = text.find_first_not_of("0123456789", point == std::string_view::npos ? point : point + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view fraction = text.substr(point + 1, end - point - 1);
  const auto unit = parse_bytes("1" + std::string(text.substr(end)));
  const auto digits = parse_int(std::string(text.substr(0, point)) + std::string(fraction));
  constexpr std::size_t most = 9;  // so that nothing below overflows
  if (!unit || !digits || *digits < 0 || fraction.size() > most) return std::nullopt;
  Int128 scale = 1;
  for (std::size_t i = 0; i < fraction.size(); ++i) scale *= 10;
  const Int128 bytes = (Int128{*digits} * *unit + scale / 2) / scale;
  return bytes <= kMaxInt64 ? std::optional<std::int64_t>(static_cast<std::int64_t>(bytes)) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch), options_(options), dump_(name) {
    with_given_ = xla_memory_report_format().choice(options, "constants") == "on";
  }

  Result<Document> run() {
    read_exact_sizes();
    std::string_view line;
    while (lines_.next(line)) read_line(trim(line));
    end_allocation();
    if (!detailed_) add_first_list();
    if (dump_.size() == 0 && hidden_ == 0) {
      return input_error(dump_.name() + ": this memory usage report of XLA lists no allocation");
    }
    if (hidden_ > 0) {
      dump_.note(fmt::format("{} parameters and constants are not shown; --choose constants=on shows them", hidden_));
    }
    if (!exact_) {
      dump_.note(
          "sizes are rounded in this report; the exact ones stand in the ...-buffer-assignment.txt, which is not "
          "beside it");
    }
    dump_.note(
        "the report tells no lifetimes: everything is shown at one instant, and bytes that several values use "
        "in turn count once");
    std::vector<BufferIndex> all(dump_.size());
    for (BufferIndex i = 0; i < all.size(); ++i) all[i] = i;
    share_bytes_once(dump_.input, dump_.offsets, std::move(all));
    dump_.input.time_unit = "instant";
    return dump_.finish("xla-memory-report", "half-open");
  }

 private:
  void read_exact_sizes() {
    if (!options_.beside) return;
    std::string plain = dump_.name().substr(dump_.name().find_last_of('/') + 1);
    constexpr std::string_view mine = "memory-usage-report";
    const std::size_t at = plain.rfind(mine);
    const auto text =
        at == std::string::npos ? std::nullopt : options_.beside(plain.replace(at, mine.size(), "buffer-assignment"));
    if (!text) return;
    exact_.emplace();
    Dump unheard(dump_.name());
    for (const xla::Allocation& allocation : xla::read_assignment(*text, unheard).allocations) {
      exact_->allocations[allocation.index] = allocation.size;
      for (const xla::Value& value : allocation.values) {
        std::int64_t& size = exact_->places[{allocation.index, value.offset}];
        size = std::max(size, value.size);
      }
    }
    dump_.note("sizes are those of the buffer assignment beside it");
  }

  void read_line(std::string_view text) {
    if (text.starts_with("Allocations sorted by size with their values")) {
      detailed_ = true;
    } else if (text.starts_with("allocation ")) {
      if (detailed_) begin_allocation(text);
    } else if (const auto row = split_first(text, "; allocation "); row && !detailed_) {
      first_list_.emplace_back(lines_.number(), text.substr(row->before.size() + 2));
    } else if (text.starts_with("cumulative_size;") && text.find("used_by_n_values") != std::string_view::npos) {
      detailed_ = true;
      if (!index_ || !rows_.empty()) begin_unnamed();
      in_rows_ = true;
    } else if (in_rows_ && text.find(';') != std::string_view::npos) {
      read_row(text);
    } else if (text.starts_with("The rest ")) {
      dump_.note_at(lines_.number(), shown(text));
    }
  }

  /// A report that was cut, or printed in part, may have only the list in front: allocations without their values.
  void add_first_list() {
    for (const auto& [line, text] : first_list_) begin_allocation(text, line);
    end_allocation();
    if (!first_list_.empty()) dump_.note("the section with the values of each allocation is missing");
  }

  void begin_allocation(std::string_view text) { begin_allocation(text, lines_.number()); }

  /// "allocation 6: size 512.0KiB, preallocated-temp:".
  void begin_allocation(std::string_view text, std::uint64_t line) {
    end_allocation();
    LineScan scan(text);
    scan.take("allocation ");
    const auto index = scan.integer();
    const auto size_text = index && scan.take(": size ") ? scan.until(",:") : std::nullopt;
    if (!size_text) return dump_.leave_out(line, "not an allocation with a number and a size");
    scan.take(",");
    std::string_view tail = trim(scan.rest());
    if (tail.ends_with(':')) tail.remove_suffix(1);
    index_ = *index;
    name_ = fmt::format("allocation {}", *index);
    size_ = nearest_bytes(*size_text);
    if (exact_ && exact_->allocations.count(*index) > 0) size_ = exact_->allocations.at(*index);
    kind_ = xla::kind_of(tail);
    tail_ = tail;
    line_ = line;
  }

  /// Newer reports have tables whose allocation nobody names.
  void begin_unnamed() {
    end_allocation();
    index_ = -1 - unnamed_;
    name_ = fmt::format("table {}", ++unnamed_);
    size_.reset();
    kind_ = {};
    tail_ = {};
    line_ = lines_.number();
  }

  void read_row(std::string_view text) {
    const std::vector<std::string> cells = split(std::string(text), ';');
    const auto offset = cells.size() >= 4 ? parse_int(cells[2]) : std::nullopt;
    auto size = offset ? nearest_bytes(cells[1]) : std::nullopt;
    if (offset && exact_ && index_) {
      const auto exact = exact_->places.find({*index_, *offset});
      if (exact != exact_->places.end()) size = exact->second;
    }
    if (!size || *offset < 0) return dump_.leave_out(lines_.number(), "not a row of sizes and an offset");
    std::string shapes;
    for (std::size_t c = 4; c < cells.size(); ++c) shapes += (c > 4 ? ";" : "") + cells[c];
    rows_.push_back({*offset, *size, std::string(trim(cells[3])), std::string(trim(shapes)), lines_.number()});
  }

  void end_allocation() {
    if (index_) {
      const bool given = kind_ == "input" || kind_ == "constant";
      if (given && !with_given_) {
        ++hidden_;
      } else {
        add_allocation();
      }
    }
    index_.reset();
    rows_.clear();
    in_rows_ = false;
  }

  void add_allocation() {
    const auto space = dump_.space(name_);
    if (!space) return dump_.leave_out(line_, "there are more than 65,535 allocations");
    if (rows_.empty() && size_) add(name_, *space, 0, *size_, line_, tail_, "");
    if (rows_.empty() && !size_ && *index_ >= 0) dump_.leave_out(line_, "an allocation whose size cannot be read");
    for (const Row& row : rows_) {
      add(fmt::format("{} at {}", name_, row.offset), *space, row.offset, row.size, row.line, row.shapes, row.values);
    }
  }

  void add(const std::string& id, std::uint16_t space, std::int64_t offset, std::int64_t size, std::uint64_t line,
           std::string_view shapes, std::string_view values) {
    Buffer buffer;
    buffer.end = 1;
    buffer.size = size;
    buffer.space = space;
    buffer.kind = dump_.kind(kind_);
    Details details;
    json::ObjectWriter writer(details.extra);
    if (!shapes.empty()) writer.text("shapes", shapes);
    if (!values.empty()) writer.text("used_by_n_values", values);
    writer.close();
    if (details.extra == "{}") details.extra.clear();
    dump_.add(id, buffer, offset, line, std::move(details));
  }

  struct Row {
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::string values;
    std::string shapes;
    std::uint64_t line = 0;
  };

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  std::optional<ExactSizes> exact_;
  bool with_given_ = false;
  bool detailed_ = false;  // past the first list, which has no places
  bool in_rows_ = false;
  std::optional<std::int64_t> index_;  // of the allocation that is open
  std::optional<std::int64_t> size_;
  std::string name_;
  std::string_view kind_;
  std::string_view tail_;
  std::uint64_t line_ = 0;
  std::vector<Row> rows_;
  std::vector<std::pair<std::uint64_t, std::string_view>> first_list_;  // line and allocation
  std::int64_t unnamed_ = 0;
  std::int64_t hidden_ = 0;
};

bool sniff(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 4096);
  return head.find("Allocations sorted by size") != std::string_view::npos ||
         (head.find("cumulative_size;") != std::string_view::npos &&
          head.find("used_by_n_values") != std::string_view::npos);
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format xla_memory_report_format() {
  Format format;
  format.id = "xla-memory-report";
  format.title = "XLA memory usage report";
  format.extension = ".txt";
  format.summary = "...-memory-usage-report.txt: places inside each allocation, at one instant";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"constants", "show parameters and constants as well", "off", {"off", "on"}}};
  return format;
}

}  // namespace stowage
