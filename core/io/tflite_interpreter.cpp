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

// What tflite::PrintInterpreterState prints of each tensor, with its place in the arena but not its lifetime:
//   Tensor   0 images  kTfLiteUInt8  kTfLiteArenaRw  172800  / 0.16 [1,240,240,3] [0, 172800)
// Older versions print "172800 bytes ( 0.2 MB)  1 240 240 3" and no place. Everything is shown at one instant.

namespace stowage {
namespace {

struct Row {
  std::string_view name, type, memory, shape;
  std::int64_t size = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
};

bool is_row(std::string_view line) {
  return trim(line).starts_with("Tensor ") && line.find(" kTfLite") != std::string_view::npos;
}

std::optional<Row> row_of(std::string_view line) {
  LineScan scan(trim(line));
  scan.take("Tensor");
  if (!scan.blanks().integer()) return std::nullopt;
  const auto named = split_first(scan.rest(), " kTfLite");
  if (!named) return std::nullopt;
  Row row;
  row.name = trim(named->before);
  LineScan words(named->after);
  const auto type = words.until(" \t");
  if (!type || !words.blanks().take("kTfLite")) return std::nullopt;
  row.type = *type;
  const auto memory = words.until(" \t");
  const auto size = memory ? words.blanks().integer() : std::nullopt;
  if (!size) return std::nullopt;
  row.memory = *memory;
  row.size = *size;
  const std::string_view tail = trim(words.rest());
  const auto place = split_last(tail, '[');
  if (!place || !tail.ends_with(')')) return row;  // the older kind, without places
  row.shape = trim(place->before.substr(std::min(place->before.find('['), place->before.size())));
  LineScan range(place->after);
  const auto low = range.blanks().integer();
  const auto high = low && range.blanks().take(",") ? range.blanks().integer() : std::nullopt;
  if (high && range.take(")")) row.range = {*low, *high};
  return row;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch), dump_(name) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) {
      if (const auto graph = split_first(line, "Subgraph-")) {
        if (const auto number = LineScan(graph->after).integer()) subgraph_ = *number;
      }
      if (is_row(line)) read_row(line);
    }
    for (const auto& [memory, count] : elsewhere_) {
      dump_.note(fmt::format("{} tensors lie in {} memory, not in the arena, and are not shown", count, shown(memory)));
    }
    dump_.note(
        "this print tells no lifetimes: everything is shown at one instant, and bytes that several tensors use "
        "in turn count once");
    std::vector<BufferIndex> all(dump_.size());
    for (BufferIndex i = 0; i < all.size(); ++i) all[i] = i;
    share_bytes_once(dump_.input, dump_.offsets, std::move(all));
    dump_.input.time_unit = "instant";
    dump_.end_of_text(lines_);
    return dump_.finish("tflite-interpreter", "half-open");
  }

 private:
  void read_row(std::string_view line) {
    const auto row = row_of(line);
    if (!row || row->size < 0) return dump_.leave_out(lines_.number(), "not a tensor with a type, a memory and a size");
    if (!row->memory.starts_with("ArenaRw")) {
      ++elsewhere_[std::string(row->memory)];
      return;
    }
    if (row->range && (row->range->first < 0 || row->range->second < row->range->first)) {
      return dump_.leave_out(lines_.number(), "\"" + shown(row->name) + "\" has no place in the arena");
    }
    std::string id = row->memory == "ArenaRw" ? "arena" : "persistent arena";
    if (subgraph_ > 0) id += fmt::format(" of subgraph {}", subgraph_);
    const auto space = dump_.space(id);
    if (!space) return dump_.leave_out(lines_.number(), "there are more than 65,535 arenas");
    Buffer buffer;
    buffer.end = 1;
    buffer.size = row->size;
    buffer.space = *space;
    Details details;
    json::ObjectWriter writer(details.extra);
    writer.text("type", row->type);
    if (!row->shape.empty()) writer.text("dimensions", row->shape);
    writer.close();
    dump_.add(row->name, buffer, row->range ? row->range->first : kNoOffset, lines_.number(), std::move(details));
  }

  TextLines lines_;
  Dump dump_;
  std::int64_t subgraph_ = 0;
  std::map<std::string, std::int64_t> elsewhere_;  // kind of memory -> tensors
};

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 65536));
  for (std::string_view line; lines.next(line);) {
    if (is_row(line)) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format tflite_interpreter_format() {
  Format format;
  format.id = "tflite-interpreter";
  format.title = "TensorFlow Lite interpreter state";
  format.extension = ".txt";
  format.summary = "what PrintInterpreterState writes: places in the arena at one instant";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
