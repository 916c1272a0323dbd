// What heaptrack records, one event a line, a letter and hexadecimal numbers; time is the number of the event.
//   raw ("heaptrack --raw"):   + SIZE TRACE POINTER     - POINTER
//   interpreted:               a SIZE TRACE  (kind 0, 1, ... of allocations)     + KIND     - KIND
// Both: v VERSION FILE_VERSION, c elapsed milliseconds, R resident pages, x X I S s m t i and A for other things, # for
// comments. Only raw files have addresses; of the others come lifetimes and sizes, without places. (heaptrack,
// libheaptrack.cpp and heaptrack_interpret.cpp.)

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/address_timeline.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/text_lines.h"

namespace stowage {
namespace {

/// Numbers behind the letter of a line; nothing when there are not as many.
std::optional<std::vector<std::uint64_t>> numbers_of(std::string_view line, std::size_t count) {
  std::vector<std::uint64_t> numbers;
  LineScan scan(line.substr(1));
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = scan.blanks().hexadecimal();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// How many numbers stand behind the letter.
std::size_t count_of(std::string_view line) {
  std::size_t count = 0;
  LineScan scan(line.substr(1));
  while (scan.blanks().hexadecimal()) ++count;
  return count;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch),
        options_(options),
        dump_(name),
        timeline_([this](std::int64_t, const std::string& text) { dump_.note_at(lines_.number(), text); }) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) {
      if (line.size() < 2 || line[1] != ' ') continue;
      if (line[0] == 'a') {
        learn(line);
      } else if (line[0] == '+') {
        give(line);
      } else if (line[0] == '-') {
        take(line);
      }
    }
    if (kinds_.empty()) {
      add_uses(dump_, "heap", timeline_.finish(time_), options_.times);
    } else {
      finish_without_places();
    }
    dump_.input.time_unit = "event";
    dump_.end_of_text(lines_, LineEnds::kAlways);
    return dump_.finish("heaptrack", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  /// Allocations of one size from one place of the program, of an interpreted file.
  struct Kind {
    std::int64_t size = 0;
    std::vector<std::size_t> live;  // which of blocks_
  };
  struct Block {
    std::int64_t start = 0;
    std::int64_t end = -1;
    std::size_t kind = 0;
    std::uint64_t at = 0;
  };

  void bad(std::string_view what) { dump_.leave_out(lines_.number(), what); }

  void learn(std::string_view line) {
    const auto numbers = numbers_of(line, 2);
    const bool fits = numbers && (*numbers)[0] <= static_cast<std::uint64_t>(kMaxInt64);
    if (!fits) bad("not a kind of allocations with a size in 63 bits");
    // A bad one still has its number.
    kinds_.push_back(Kind{fits ? static_cast<std::int64_t>((*numbers)[0]) : -1, {}});
  }

  void give(std::string_view line) {
    if (!kinds_.empty()) return give_kind(line);
    const auto numbers = numbers_of(line, 3);
    if (!numbers || (*numbers)[0] > static_cast<std::uint64_t>(kMaxInt64))
      return bad("not an allocation with size, trace and pointer");
    AddressUse use;
    use.size = static_cast<std::int64_t>((*numbers)[0]);
    use.address = (*numbers)[2];
    use.at = lines_.number();
    timeline_.alloc(time_++, use);
  }

  void take(std::string_view line) {
    const auto numbers = numbers_of(line, 1);
    if (!numbers) return bad("not a free with one number");
    if (!kinds_.empty()) return take_kind((*numbers)[0]);
    if (timeline_.knows((*numbers)[0])) {
      timeline_.free_completed(time_, (*numbers)[0], 0);
    } else {
      dump_.note_at(lines_.number(), fmt::format("frees 0x{:x}, which this file never gave out", (*numbers)[0]));
    }
    ++time_;
  }

  void give_kind(std::string_view line) {
    const auto numbers = numbers_of(line, 1);
    if (!numbers || (*numbers)[0] >= kinds_.size()) return bad("not an allocation of a kind that stands before it");
    const auto number = static_cast<std::size_t>((*numbers)[0]);
    if (kinds_[number].size < 0) return;  // told where it stands
    kinds_[number].live.push_back(blocks_.size());
    blocks_.push_back(Block{time_++, -1, number, lines_.number()});
  }

  void take_kind(std::uint64_t number) {
    if (number >= kinds_.size()) return bad("not a free of a kind that stands before it");
    Kind& kind = kinds_[static_cast<std::size_t>(number)];
    if (!kind.live.empty()) {
      blocks_[kind.live.back()].end = time_;
      kind.live.pop_back();
    } else if (kind.size >= 0) {
      dump_.note_at(lines_.number(), "frees a block that this file never gave out");
    }
    ++time_;
  }

  void finish_without_places() {
    dump_.note(
        "an interpreted file has no addresses: lifetimes and sizes are as recorded, the heap's own plan is not "
        "there (heaptrack --raw keeps it). Of equal blocks from one place of the program the newest is taken to "
        "be the one that is freed");
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      Buffer buffer;
      buffer.size = kinds_[block.kind].size;
      buffer.start = block.start;
      const auto end = half_open_end(block.end < 0 ? std::max(time_, block.start + 1) : block.end, options_.times);
      if (!end) continue;  // never: there are not 2^63 lines
      buffer.end = *end;
      Details details;
      details.open_end = block.end < 0;
      dump_.add(fmt::format("a{}_{}", block.kind, i), buffer, kNoOffset, block.at, std::move(details));
    }
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  AddressTimeline timeline_;
  std::int64_t time_ = 0;
  std::vector<Kind> kinds_;
  std::vector<Block> blocks_;
};

/// The first line is its version: two numbers. Older files begin with the program.
bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 16384));
  std::size_t number = 0;
  for (std::string_view line; lines.next(line) && number < 200;) {
    if (line.empty() || line[0] == '#') continue;
    if (line.size() < 3 || line[1] != ' ') return false;
    if (number++ == 0 && line[0] == 'v') return count_of(line) == 2 || count_of(line) == 1;
    if (std::string_view("xXImtsSiacR+-A").find(line[0]) == std::string_view::npos) return false;
    if (line[0] == '+') return number > 1 && count_of(line) == 3;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format heaptrack_format() {
  Format format;
  format.id = "heaptrack";
  format.title = "heaptrack recording";
  format.extension = ".raw";
  format.summary = "allocations and frees of a program, raw with the addresses of a real heap, interpreted without";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
