#include <optional>
#include <string>

#include "core/base/text.h"
#include "core/io/address_timeline.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/text_lines.h"

// What glibc's mtrace() logs, one call a line; time is the number of the call:
//   @ ./prog:[0x401196] + 0x602460 0x18      malloc, calloc
//   @ ./prog:[0x4011b3] - 0x602460           free
//   @ ./prog:[0x4011c0] < 0x602460           realloc: the old block, and on the next line
//   @ ./prog:[0x4011c0] > 0x602480 0x30      the new one; `!` for one that failed
// Where the caller is not known by name, the line begins with " [0x401196]" or with the operation.
// (glibc manual, "Allocation Debugging"; malloc/mtrace.c.)

namespace stowage {
namespace {

struct Call {
  char op = 0;
  std::uint64_t address = 0;
  std::int64_t size = 0;
};

/// The operation is the last word of one letter before the addresses: names of callers may hold anything, or be
/// missing.
std::optional<Call> call_of(std::string_view line) {
  for (std::size_t at = line.rfind(" 0"); at != std::string_view::npos && at > 0; at = line.rfind(" 0", at - 1)) {
    if (line.substr(at + 2, 1) != "x" && line.substr(at + 2, 1) != "X") continue;
    const char op = line[at - 1];
    const bool word = at == 1 || line[at - 2] == ' ';
    if (!word || std::string_view("+-<>!").find(op) == std::string_view::npos) continue;
    LineScan scan(line.substr(at));
    const auto address = scan.blanks().hexadecimal();
    const auto size = scan.blanks().hexadecimal();
    if (!address || size.value_or(0) > static_cast<std::uint64_t>(kMaxInt64)) return std::nullopt;
    if (!size && (op == '+' || op == '>')) return std::nullopt;
    return Call{op, *address, static_cast<std::int64_t>(size.value_or(0))};
  }
  return std::nullopt;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  Dump dump(name);
  TextLines lines(bytes, options.watch);
  AddressTimeline timeline([&](std::int64_t, const std::string& text) { dump.note_at(lines.number(), text); });
  std::int64_t time = 0;
  for (std::string_view line; lines.next(line);) {
    if (trim(line).empty() || trim(line).starts_with("= ")) continue;
    const auto call = call_of(line);
    if (!call && line.find("+ (nil) ") != std::string_view::npos) continue;  // failed
    if (!call) {
      dump.leave_out(lines.number(), "not a call with an address and a size");
      continue;
    }
    if (call->op == '!') continue;  // failed: nothing was given or taken
    if (call->op == '+' || call->op == '>') {
      AddressUse use;
      use.address = call->address;
      use.size = call->size;
      use.at = lines.number();
      timeline.alloc(time++, use);
    } else if (timeline.knows(call->address)) {
      timeline.free_completed(time++, call->address, 0);
    } else {
      ++time;
      dump.note_at(lines.number(), "frees a block that this log never gave out");
    }
  }
  dump.end_of_text(lines, LineEnds::kAlways);
  add_uses(dump, "heap", timeline.finish(time), options.times);
  dump.input.time_unit = "call";
  return dump.finish("mtrace", rule_name(options.times, TimeRule::kHalfOpen));
}

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 4096));
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line == "= Start") return true;
    if (line.starts_with("@ ") && line.find(" 0x") != std::string_view::npos && call_of(line)) return true;
    if (line.starts_with('[') && line.find("] + 0x") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Format mtrace_format() {
  Format format;
  format.id = "mtrace";
  format.title = "mtrace log";
  format.extension = ".log";
  format.summary = "calls of malloc and free as glibc's mtrace logs them, at the addresses of a real heap";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
