#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/text_lines.h"

// What TensorFlow Lite Micro prints of a plan (GreedyMemoryPlanner::PrintMemoryPlan); the picture below is not read:
//   0 (id=0): size=64, offset=0, first_used=0 last_used=2
// and before 2021
//   Planner buffer ID: 0, calculated offset: 0, size required: 64, first_time_created: 0, last_time_used: 2
// A log may hold several plans; an id that comes again begins the arena of the next.
// Steps are closed; offset -1 means that the buffer is not planned.

namespace stowage {
namespace {

/// One buffer out of a line, or nothing when the line is none.
struct Row {
  std::int64_t id = 0, size = 0, offset = 0, first = 0, last = 0;
};

constexpr std::string_view kOldRow = "Planner buffer ID:";

bool is_row(std::string_view line) {
  return line.find(kOldRow) != std::string_view::npos ||
         (line.find("(id=") != std::string_view::npos && line.find("first_used=") != std::string_view::npos);
}

std::optional<Row> row_of(std::string_view line) {
  const auto old = split_first(line, kOldRow);
  const auto begin = old ? old : split_first(line, "(id=");
  if (!begin) return std::nullopt;
  LineScan scan(begin->after);
  Row row;
  const auto take = [&scan](std::string_view label, std::int64_t& value) {
    scan.blanks();
    if (!scan.take(label)) return false;
    const auto number = scan.blanks().integer();
    value = number.value_or(0);
    scan.take(",");
    return number.has_value();
  };
  if (old) {
    const bool whole = take("", row.id) && take("calculated offset:", row.offset) && take("size required:", row.size) &&
                       take("first_time_created:", row.first) && take("last_time_used:", row.last);
    return whole ? std::optional(row) : std::nullopt;
  }
  if (!take("", row.id) || !scan.take("):") || !take("size=", row.size) || !take("offset=", row.offset) ||
      !take("first_used=", row.first) || !take("last_used=", row.last)) {
    return std::nullopt;
  }
  return row;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  Dump dump(name);
  TextLines lines(bytes, options.watch);
  std::set<std::int64_t> seen;  // ids of this plan
  std::size_t plans = 0;
  std::uint16_t space = 0;
  bool unplanned = false;
  for (std::string_view line; lines.next(line);) {
    if (!is_row(line)) continue;
    const auto row = row_of(line);
    const auto end = row ? closed_end(row->last, options.times) : std::nullopt;
    if (row && (plans == 0 || !seen.insert(row->id).second)) {
      seen = {row->id};
      const std::string id = ++plans == 1 ? std::string("arena") : fmt::format("arena ({})", plans);
      space = dump.space(id).value_or(space);
    }
    if (!end || row->size < 0 || row->offset < -1 || row->last < row->first) {
      dump.leave_out(lines.number(), "not a buffer with a size, an offset and the steps of its first and last use");
      continue;
    }
    Buffer buffer;
    buffer.start = row->first;
    buffer.end = *end;
    buffer.size = row->size;
    buffer.space = space;
    unplanned = unplanned || row->offset < 0;
    dump.add(std::to_string(row->id), buffer, row->offset < 0 ? kNoOffset : row->offset, lines.number());
  }
  if (unplanned) dump.note("offset -1: these buffers are not planned yet");
  dump.end_of_text(lines);
  return dump.finish("tflm-plan", rule_name(options.times, TimeRule::kClosed));
}

/// The log of a program may stand before the plan.
bool sniff(std::string_view bytes) {
  bytes = bytes.substr(0, std::size_t{1} << 20U);
  for (const std::string_view label : {std::string_view("first_used="), kOldRow}) {
    for (std::size_t at = bytes.find(label); at != std::string_view::npos; at = bytes.find(label, at + 1)) {
      const std::size_t begin = bytes.rfind('\n', at) + 1;  // 0 in the first line
      if (row_of(bytes.substr(begin, bytes.find('\n', at) - begin))) return true;
    }
  }
  return false;
}

}  // namespace

Format tflm_plan_format() {
  Format format;
  format.id = "tflm-plan";
  format.title = "TensorFlow Lite Micro plan";
  format.extension = ".txt";
  format.summary = "what PrintMemoryPlan writes: id, size, offset, first and last use";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
