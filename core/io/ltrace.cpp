#include <algorithm>
#include <map>
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

// Calls of malloc and its relatives as ltrace prints them, and text logs in that style; time is the number of the call:
//   malloc(24) = 0x5581c0          [pid 12] libc.so.6->calloc(2, 8) = 0x5581e0
//   free(0x5581c0) = <void>        malloc(24 <unfinished ...>   ...   <... malloc resumed> ) = 0x5581c0

namespace stowage {
namespace {

struct Call {
  std::string thread;
  std::string function;
  std::vector<std::string> arguments;
  std::optional<std::uint64_t> result;
};

std::optional<std::uint64_t> address_of(std::string_view text) {
  text = trim(text);
  if (text == "nil" || text == "(nil)" || text == "NULL" || text == "0") return 0;
  if (!text.starts_with("0x")) return std::nullopt;
  return LineScan(text).hexadecimal();
}

std::optional<std::int64_t> amount_of(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("0x")) return parse_int(text);
  const auto value = LineScan(text).hexadecimal();
  return value && *value <= static_cast<std::uint64_t>(kMaxInt64) ? std::optional(static_cast<std::int64_t>(*value))
                                                                  : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch),
        options_(options),
        dump_(name),
        timeline_([this](std::int64_t, const std::string& text) { dump_.note_at(lines_.number(), text); }) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) read_line(trim(line));
    for (const auto& [key, call] : waiting_) {
      dump_.note(fmt::format("a call of {} never returns", call.function));
    }
    add_uses(dump_, "heap", timeline_.finish(time_), options_.times);
    dump_.input.time_unit = "call";
    return dump_.finish("ltrace", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  void read_line(std::string_view line) {
    Call call;
    LineScan scan(line);
    if (scan.take("[pid ")) {
      call.thread = trim(scan.until("]").value_or(""));
      scan.take("]");
      line = trim(scan.rest());
    }
    constexpr std::string_view resumed = " resumed>";
    if (line.starts_with("<... ")) return read_rest(call.thread, line, line.find(resumed), resumed.size());
    const auto head = split_first(line, "(");
    if (!head) return;
    call.function = trim(head->before);
    if (const std::size_t arrow = call.function.rfind("->"); arrow != std::string::npos)
      call.function.erase(0, arrow + 2);
    if (const std::size_t blank = call.function.find_last_of(" \t"); blank != std::string::npos) {
      call.function.erase(0, blank + 1);
    }
    static const std::vector<std::string> known = {"malloc",   "calloc",        "realloc", "reallocarray", "free",
                                                   "memalign", "aligned_alloc", "valloc",  "cfree"};
    if (std::find(known.begin(), known.end(), call.function) == known.end()) return;
    if (const std::size_t broken = head->after.find("<unfinished"); broken != std::string_view::npos) {
      call.arguments = arguments_of(head->after.substr(0, broken));
      waiting_[{call.thread, call.function}] = call;
      return;
    }
    const std::size_t end = head->after.find(')');
    if (end == std::string_view::npos) return dump_.leave_out(lines_.number(), "the call breaks off");
    call.arguments = arguments_of(head->after.substr(0, end));
    finish(call, head->after.substr(end + 1));
  }

  void read_rest(const std::string& thread, std::string_view line, std::size_t at, std::size_t length) {
    if (at == std::string_view::npos) return;
    const auto found = waiting_.find({thread, std::string(trim(line.substr(5, at - 5)))});
    if (found == waiting_.end()) return;
    const Call call = found->second;
    waiting_.erase(found);
    finish(call, line.substr(at + length));
  }

  static std::vector<std::string> arguments_of(std::string_view text) {
    std::vector<std::string> arguments;
    for (const std::string& part : split(std::string(text), ',')) {
      if (const std::string_view word = trim(part); !word.empty()) arguments.emplace_back(word);
    }
    return arguments;
  }

  void finish(Call call, std::string_view tail) {
    if (const auto result = split_last(tail, '=')) call.result = address_of(result->after);
    const auto bad = [&] {
      dump_.leave_out(lines_.number(), "not a call of " + call.function + " with its arguments");
    };
    const std::size_t count = call.arguments.size();
    if (call.function == "free" || call.function == "cfree") {
      const auto address = count > 0 ? address_of(call.arguments[0]) : std::nullopt;
      if (!address) return bad();
      if (*address != 0) take_back(*address);
      ++time_;
      return;
    }
    const bool again = call.function == "realloc" || call.function == "reallocarray";
    const std::size_t first = again ? 1 : call.function == "memalign" || call.function == "aligned_alloc" ? 1 : 0;
    const bool product = call.function == "calloc" || call.function == "reallocarray";
    if (count < first + (product ? 2 : 1) || !call.result) return bad();
    const auto size = size_of(call.arguments, first, product);
    if (!size || *size < 0) return dump_.leave_out(lines_.number(), "the size is no number of bytes in 63 bits");
    if (again) {
      const auto old = address_of(call.arguments[0]);
      if (!old) return bad();
      if (*old != 0 && (*call.result != 0 || *size == 0)) take_back(*old);
    }
    if (*call.result != 0) {
      AddressUse use;
      use.address = *call.result;
      use.size = *size;
      use.at = lines_.number();
      timeline_.alloc(time_, use);
    }
    ++time_;
  }

  void take_back(std::uint64_t address) {
    if (timeline_.knows(address)) return timeline_.free_completed(time_, address, 0);
    dump_.note_at(lines_.number(), fmt::format("frees 0x{:x}, which this log never gave out", address));
  }

  static std::optional<std::int64_t> size_of(const std::vector<std::string>& arguments, std::size_t first,
                                             bool product) {
    const auto one = amount_of(arguments[first]);
    if (!product) return one;
    const auto other = amount_of(arguments[first + 1]);
    std::int64_t size = 0;
    if (!one || !other || __builtin_mul_overflow(*one, *other, &size)) return std::nullopt;
    return size;
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  AddressTimeline timeline_;
  std::int64_t time_ = 0;
  std::map<std::pair<std::string, std::string>, Call> waiting_;  // by thread and function
};

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 16384));
  for (std::string_view line; lines.next(line);) {
    const bool call = line.find("alloc(") != std::string_view::npos || line.find("free(") != std::string_view::npos;
    const bool answer = line.find(") ") != std::string_view::npos && line.find("= ") != std::string_view::npos;
    if (call && (answer || line.find("<unfinished") != std::string_view::npos)) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format ltrace_format() {
  Format format;
  format.id = "ltrace";
  format.title = "ltrace of malloc";
  format.extension = ".txt";
  format.summary = "calls of malloc, calloc, realloc and free with their results, at the addresses of a real heap";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
