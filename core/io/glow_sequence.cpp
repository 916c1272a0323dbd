#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/text_lines.h"

// Allocation sequences of Glow's tests, lines of KEY and value: MODEL begins one, ALIGN gives the alignment, ALLOC id
// size and FREE id are the events, whose order is time; MEM is the height that is expected with sizes rounded up to
// ALIGN, EFF its efficiency. Lines that begin with # are comments. (pytorch/glow, MemoryAllocatorTest.cpp.)

namespace stowage {

Format glow_sequence_format();

namespace {

struct Item {
  std::string id;
  std::int64_t size = 0;
  std::int64_t start = 0;
  std::int64_t end = -1;  // not freed yet
  std::uint64_t line = 0;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch),
        options_(options),
        dump_(name),
        wanted_(glow_sequence_format().choice(options, "model")) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) read_line(trim(line));
    if (!found_ && !wanted_.empty()) {
      return usage_error(fmt::format("{}: there is no model {} in it; it has {}", dump_.name(), wanted_, others_));
    }
    if (!others_.empty()) dump_.note("other models in this file, for --choose model=NAME: " + others_);
    add_items();
    dump_.input.time_unit = "event";
    dump_.end_of_text(lines_);
    return dump_.finish("glow-sequence", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    std::vector<std::string> words;
    for (const std::string& word : split(std::string(line), ' ')) {
      if (!trim(word).empty()) words.emplace_back(trim(word));
    }
    std::string key = words[0];
    if (key.ends_with(':')) key.pop_back();
    const std::string value = words.size() > 1 ? words[1] : std::string();
    if (key == "MODEL") return begin_model(std::string(trim(line.substr(words[0].size()))));
    if (!reading_ && !(models_ == 0 && wanted_.empty())) return;
    if (key == "ALIGN") {
      const auto align = parse_int(value);
      if (!align || *align < 1) return dump_.leave_out(lines_.number(), "an alignment below 1");
      alignment_ = *align;
    } else if (key == "ALLOC") {
      const auto size = words.size() > 2 ? parse_int(words[2]) : std::nullopt;
      if (!size || *size < 0) return dump_.leave_out(lines_.number(), "not ALLOC with an id and a size");
      const auto known = live_.find(value);
      if (known != live_.end()) {
        dump_.note_at(lines_.number(), "\"" + shown(value) + "\" is given out again without a FREE between");
        items_[known->second].end = time_;
      }
      live_[value] = items_.size();
      items_.push_back({value, *size, time_++, -1, lines_.number()});
    } else if (key == "FREE") {
      const auto known = live_.find(value);
      if (known == live_.end())
        return dump_.leave_out(lines_.number(), "\"" + shown(value) + "\" is freed, but not in use");
      items_[known->second].end = time_++;
      live_.erase(known);
    } else if (key == "MEM") {
      dump_.note_at(lines_.number(), fmt::format("Glow's own allocator is expected to need {} bytes", shown(value)));
    } else if (key != "EFF") {
      dump_.leave_out(lines_.number(), "\"" + shown(key) + "\" means nothing here");
    }
  }

  void begin_model(std::string name) {
    ++models_;
    reading_ = !found_ && (wanted_.empty() || wanted_ == name);
    if (reading_) {
      found_ = true;
      dump_.input.name = std::move(name);
    } else if (others_.size() < 2000) {
      others_ += (others_.empty() ? "" : ", ") + shown(name);
    }
  }

  void add_items() {
    const std::uint16_t space = dump_.space("memory").value_or(0);
    for (const Item& item : items_) {
      const auto end = half_open_end(item.end < 0 ? time_ : item.end, options_.times);
      const auto padded =
          item.size > kMaxInt64 - alignment_ ? std::nullopt : std::optional(align_up(item.size, alignment_));
      if (!end || !padded) {
        dump_.leave_out(item.line, "a size above 2^63-1");
        continue;
      }
      Buffer buffer;
      buffer.start = item.start;
      buffer.end = *end;
      buffer.size = *padded;
      buffer.alignment = alignment_;
      buffer.space = space;
      Details details;
      if (*padded != item.size) details.requested = item.size;
      details.open_end = item.end < 0;
      dump_.add(item.id, buffer, kNoOffset, item.line, std::move(details));
    }
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  std::string wanted_;
  std::string others_;
  std::int64_t models_ = 0;
  bool reading_ = false;
  bool found_ = false;
  std::int64_t alignment_ = 1;
  std::int64_t time_ = 0;
  std::vector<Item> items_;
  std::map<std::string, std::size_t> live_;
};

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 16384));
  int keys = 0;
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.front() == '#') continue;
    const bool known = line.starts_with("MODEL ") || line.starts_with("ALIGN ") || line.starts_with("ALLOC ") ||
                       line.starts_with("FREE ") || line.starts_with("MEM ") || line.starts_with("EFF ") ||
                       line.starts_with("MODEL:") || line.starts_with("ALIGN:") || line.starts_with("MEM:");
    if (!known) return false;
    if (++keys == 2 || line.starts_with("ALLOC ")) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format glow_sequence_format() {
  Format format;
  format.id = "glow-sequence";
  format.title = "Glow allocation sequence";
  format.extension = ".txt";
  format.summary = "ALLOC and FREE events of Glow's tests, one model at a time";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"model", "which model of the file: its name; the first one when it is empty", "", {}}};
  return format;
}

}  // namespace stowage
