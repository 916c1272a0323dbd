#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/csv_scanner.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/sharing.h"

// The pair of tables that XLA's memory space assignment writes for the alternate (fast) memory:
//   bufferinfo: buffer_id,buffer_name,alt_mem_benefit,size,definition_time,use_times,use_names[,is_scoped]
//   allocinfo:  buffer_id,size,offset,start_time,end_time
// A buffer may be there several times (fetched, evicted, fetched again). Steps are closed; ids of scoped allocations
// are negative. The two are joined by buffer_id when they lie in one folder under such names.
// (openxla/xla, memory_space_assignment/algorithm.cc.)

namespace stowage {
namespace {

using Columns = std::unordered_map<std::string, std::size_t>;

/// A table as rows of cells by column name.
class Rows {
 public:
  explicit Rows(std::string_view text, const ReadWatch* watch = nullptr) : scanner_(without_mark(text), watch) {
    if (!next()) return;
    for (std::size_t c = 0; c < row_.cells.size(); ++c) columns_.emplace(trim(row_.cells[c].text), c);
  }
  bool has(const std::string& column) const { return columns_.count(column) > 0; }
  bool next() {
    while (scanner_.next(row_)) {
      if (row_.kind != csv::RowKind::kBlank) return true;
    }
    return false;
  }
  std::uint64_t line() const { return row_.line; }
  std::string text(const std::string& column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end() || found->second >= row_.cells.size()) return {};
    std::string scratch;
    return std::string(row_.cells[found->second].value(scratch));
  }
  std::optional<std::int64_t> integer(const std::string& column) const { return parse_int(text(column)); }

 private:
  static std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
  }

  csv::Scanner scanner_;
  csv::Row row_;
  Columns columns_;
};

struct Info {
  std::string name;
  std::string uses;
  std::int64_t size = 0;
  std::int64_t defined = 0;
  std::int64_t last_use = 0;
  std::uint64_t line = 0;
  bool allocated = false;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : bytes_(bytes), options_(options), dump_(name) {}

  Result<Document> run() {
    const bool allocations = Rows(bytes_).has("start_time");
    other_ = beside(allocations ? "allocinfo" : "bufferinfo", allocations ? "bufferinfo" : "allocinfo");
    const std::string_view other = other_ ? std::string_view(*other_) : std::string_view();
    const std::string_view infos = allocations ? other : bytes_;
    const std::string_view placed = allocations ? bytes_ : other;
    if (!infos.empty()) read_infos(infos);
    if (!placed.empty()) {
      read_allocations(placed);
      tell_of_default_memory();
    } else {
      add_problem();
    }
    if (!allocations && Rows(bytes_).has("offset")) {
      dump_.note("this table tells offsets, but not in which allocation; they are left out");
    } else if (!other_) {
      dump_.note(allocations ? "names stand in the ...bufferinfo table, which is not beside it"
                             : "offsets stand in the ...allocinfo table, which is not beside it");
    }
    tie_shared(dump_.input, dump_.offsets,
               [this](const SharedBytes& pair) { return touch_at_one_step(dump_.input, pair); });
    return dump_.finish("xla-memory-spaces", rule_name(options_.times, TimeRule::kClosed));
  }

 private:
  std::optional<std::string> beside(std::string_view mine, std::string_view other) const {
    if (!options_.beside) return std::nullopt;
    std::string plain = dump_.name().substr(dump_.name().find_last_of('/') + 1);
    const std::size_t at = plain.rfind(mine);
    if (at == std::string::npos) return std::nullopt;
    return options_.beside(plain.replace(at, mine.size(), other));
  }

  void read_infos(std::string_view text) {
    for (Rows rows(text, options_.watch); rows.next();) {
      const auto id = rows.integer("buffer_id");
      const auto size = rows.integer("size");
      const auto defined = rows.integer("definition_time");
      if (!id || !size || *size < 0 || !defined) {
        dump_.leave_out(rows.line(), "not a buffer with buffer_id, size and definition_time");
        continue;
      }
      Info info;
      info.name = rows.text("buffer_name");
      info.uses = rows.text("use_names");
      info.size = *size;
      info.defined = info.last_use = *defined;
      info.line = rows.line();
      for (const std::string& time : split(rows.text("use_times"), ';')) {
        if (const auto use = parse_int(time)) info.last_use = std::max(info.last_use, *use);
      }
      if (const auto end = rows.integer("end_time")) info.last_use = std::max(info.last_use, *end);
      if (infos_.emplace(*id, info).second) order_.push_back(*id);
    }
  }

  void read_allocations(std::string_view text) {
    std::unordered_map<std::int64_t, int> uses;
    const auto space = dump_.space("alternate memory").value_or(0);
    for (Rows rows(text, options_.watch); rows.next();) {
      const auto id = rows.integer("buffer_id");
      const auto size = rows.integer("size");
      const auto offset = rows.integer("offset");
      const auto start = rows.integer("start_time");
      const auto last = rows.integer("end_time");
      std::optional<std::int64_t> end;
      if (last) end = closed_end(*last, options_.times);
      if (!id || !size || *size < 0 || !offset || *offset < 0 || !start || !end || *end < *start) {
        dump_.leave_out(rows.line(), "not an allocation with buffer_id, size, offset, start_time and end_time");
        continue;
      }
      const auto info = infos_.find(*id);
      std::string name = info == infos_.end() ? fmt::format("buffer {}", *id) : info->second.name;
      if (const int use = ++uses[*id]; use > 1) name += fmt::format(" ({})", use);
      if (info != infos_.end()) info->second.allocated = true;
      Buffer buffer;
      buffer.start = *start;
      buffer.end = *end;
      buffer.size = *size;
      buffer.space = space;
      buffer.kind = dump_.kind(*id < 0 ? "workspace" : "activation");
      Details details;
      if (info != infos_.end()) details.op = info->second.uses;
      dump_.add(name, buffer, *offset, rows.line(), std::move(details));
    }
  }

  void tell_of_default_memory() {
    std::int64_t count = 0;
    Int128 bytes = 0;
    for (const auto& [id, info] : infos_) {
      if (info.allocated) continue;
      ++count;
      bytes += info.size;
    }
    if (count == 0) return;
    dump_.note(fmt::format("{} buffers with {} never lie in the alternate memory; where they lie the tables do not say",
                           count, bytes <= kMaxInt64 ? format_bytes(static_cast<std::int64_t>(bytes)) : "2^63 bytes"));
  }

  /// Without offsets there is a problem all the same.
  void add_problem() {
    const auto space = dump_.space("memory").value_or(0);
    for (const std::int64_t id : order_) {
      const Info& info = infos_.at(id);
      const auto end = closed_end(info.last_use, options_.times);
      if (!end) {
        dump_.leave_out(info.line, "a time above 2^63-2");
        continue;
      }
      Buffer buffer;
      buffer.start = info.defined;
      buffer.end = *end;
      buffer.size = info.size;
      buffer.space = space;
      Details details;
      details.op = info.uses;
      dump_.add(info.name.empty() ? fmt::format("buffer {}", id) : info.name, buffer, kNoOffset, info.line,
                std::move(details));
    }
  }

  std::string_view bytes_;
  const ReadOptions& options_;
  Dump dump_;
  std::optional<std::string> other_;
  std::unordered_map<std::int64_t, Info> infos_;
  std::vector<std::int64_t> order_;
};

bool sniff(std::string_view bytes) {
  // Only the lines up to the first with something in it are looked at.
  const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  const Rows rows(bytes.substr(begin, std::min(bytes.find('\n', begin), bytes.size()) - begin));
  const bool places = rows.has("offset") && rows.has("start_time") && rows.has("end_time");
  return rows.has("buffer_id") && (places || (rows.has("buffer_name") && rows.has("definition_time")));
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format xla_memory_spaces_format() {
  Format format;
  format.id = "xla-memory-spaces";
  format.title = "XLA memory space assignment";
  format.extension = ".csv";
  format.summary = "the tables bufferinfo and allocinfo: what lies in the fast memory when";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
