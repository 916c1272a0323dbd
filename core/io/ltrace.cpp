#include <algorithm>
#include <iterator>
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
//   malloc(24) = 0x5581c0          [pid 12] 10:11:12 libc.so.6->calloc(2, 8) = 0x5581e0 <0.000123>
//   free(0x5581c0) = <void>        malloc(24 <unfinished ...>   ...   <... malloc resumed> ) = 0x5581c0
//   _Znwm(24, 1, 2) = 0x5581c0     operator new(unsigned long)(24) = 0x5581c0
// Where ltrace does not know the parameters of a function it prints what stands in the registers: such numbers are not
// taken for sizes and addresses.

namespace stowage {
namespace {

/// What a function of the heap does, and where its arguments stand.
struct HeapFunction {
  enum class Act { kGive, kGiveElsewhere, kAgain, kTake };
  Act act = Act::kGive;
  std::size_t size_at = 0;  // which argument is the size
  bool product = false;     // of it and the one behind it
};

std::optional<HeapFunction> heap_function(std::string_view name) {
  using Act = HeapFunction::Act;
  static const std::map<std::string_view, HeapFunction> known = {
      {"malloc", {Act::kGive, 0, false}},
      {"valloc", {Act::kGive, 0, false}},
      {"pvalloc", {Act::kGive, 0, false}},
      {"operator new", {Act::kGive, 0, false}},
      {"operator new[]", {Act::kGive, 0, false}},
      {"calloc", {Act::kGive, 0, true}},
      {"memalign", {Act::kGive, 1, false}},
      {"aligned_alloc", {Act::kGive, 1, false}},
      {"posix_memalign", {Act::kGiveElsewhere, 2, false}},
      {"realloc", {Act::kAgain, 1, false}},
      {"reallocarray", {Act::kAgain, 1, true}},
      {"free", {Act::kTake, 0, false}},
      {"cfree", {Act::kTake, 0, false}},
      {"operator delete", {Act::kTake, 0, false}},
      {"operator delete[]", {Act::kTake, 0, false}},
  };
  if (name.starts_with("_Znw") || name.starts_with("_Zna")) return HeapFunction{Act::kGive, 0, false};
  if (name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv")) return HeapFunction{Act::kTake, 0, false};
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// Functions that give memory of a size that no argument says; inside them the library calls malloc unseen.
bool gives_unseen(std::string_view name) {
  constexpr std::string_view known[] = {"strdup",  "strndup",  "wcsdup",         "asprintf",        "vasprintf",
                                        "getline", "getdelim", "__asprintf_chk", "__vasprintf_chk", "realpath"};
  if (name.starts_with("__str")) name.remove_prefix(2);
  return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

/// "libc.so.6->malloc@GLIBC_2.2.5" as "malloc", "operator new(unsigned long)" as "operator new".
std::string_view function_of(std::string_view text) {
  text = trim(text);
  if (const std::size_t cpp = text.find("operator "); cpp != std::string_view::npos) {
    return trim(text.substr(cpp, std::min(text.find('(', cpp), text.size()) - cpp));
  }
  if (const std::size_t arrow = text.rfind("->"); arrow != std::string_view::npos) text.remove_prefix(arrow + 2);
  if (const std::size_t blank = text.find_last_of(" \t"); blank != std::string_view::npos)
    text.remove_prefix(blank + 1);
  return text.substr(0, text.find('@'));
}

/// A line that begins a call, or ends one that another thread interrupted.
struct CallLine {
  std::string thread;
  std::string_view function;
  std::string_view rest;  // behind the parenthesis that opens the arguments, or behind "resumed>"
  bool resumed = false;
};

std::optional<CallLine> call_line_of(std::string_view line) {
  CallLine call;
  LineScan scan(line);
  const bool bracket = scan.take("[pid ");
  const std::string_view number = scan.blanks().rest().substr(0, scan.rest().find_first_of("] \t"));
  if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos) {
    call.thread = number;
    line = scan.rest().substr(number.size());
    if (bracket && !line.empty()) line.remove_prefix(1);
  }
  constexpr std::string_view begin = "<... ";
  constexpr std::string_view end = " resumed>";
  const std::size_t open = line.find('(');
  const std::size_t resumed = line.find(begin);
  if (resumed < open) {  // nothing is farther than everything
    const std::size_t at = line.find(end, resumed + begin.size());
    if (at == std::string_view::npos) return std::nullopt;
    call.function = function_of(line.substr(resumed + begin.size(), at - resumed - begin.size()));
    call.rest = line.substr(at + end.size());
    call.resumed = true;
    return call;
  }
  if (open == std::string_view::npos) return std::nullopt;
  call.function = function_of(line.substr(0, open));
  call.rest = line.substr(open + 1);
  // The types of a C++ operator stand in parentheses before its arguments.
  const bool typed = call.function.starts_with("operator ");
  if (const std::size_t second = call.rest.find(")("); typed && second != std::string_view::npos) {
    call.rest.remove_prefix(second + 2);
  }
  return call;
}

struct Call {
  std::string function;
  std::vector<std::string> arguments;
  std::optional<std::uint64_t> result;
  bool seen_inside = false;  // waits, and came back already as the function of the library: malloc@libc.so.6
};

/// The first page of a process is never given out.
constexpr std::uint64_t kLowestAddress = 4096;
/// More than a process of today can address.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 47U;

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
    dump_.end_of_text(lines_, LineEnds::kAlways);
    for (const auto& [name, count] : unseen_) {
      dump_.note(fmt::format("{} gives memory of a size that the log does not tell; {} call{} not shown", shown(name),
                             count, count == 1 ? "" : "s"));
    }
    add_uses(dump_, "heap", timeline_.finish(time_), options_.times);
    dump_.input.time_unit = "call";
    return dump_.finish("ltrace", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  void read_line(std::string_view line) {
    const auto found = call_line_of(line);
    if (!found) return;
    if (gives_unseen(found->function) && !found->resumed) ++unseen_[std::string(found->function)];
    if (!heap_function(found->function)) return;
    if (found->resumed) return read_rest(*found);
    Call call;
    call.function = found->function;
    if (const std::size_t broken = found->rest.find("<unfinished"); broken != std::string_view::npos) {
      call.arguments = arguments_of(found->rest.substr(0, broken));
      waiting_[{found->thread, call.function}] = call;
      return;
    }
    const std::size_t end = found->rest.find(')');
    if (end == std::string_view::npos) return dump_.leave_out(lines_.number(), "the call breaks off");
    call.arguments = arguments_of(found->rest.substr(0, end));
    const auto outer = waiting_.find({found->thread, call.function});
    if (outer != waiting_.end() && outer->second.arguments == call.arguments) outer->second.seen_inside = true;
    finish(call, found->rest.substr(end + 1));
  }

  void read_rest(const CallLine& line) {
    const auto found = waiting_.find({line.thread, std::string(line.function)});
    if (found == waiting_.end()) {
      return dump_.leave_out(lines_.number(), fmt::format("the call of {} began before this log", line.function));
    }
    const Call call = found->second;
    waiting_.erase(found);
    if (!call.seen_inside) finish(call, line.rest);
  }

  static std::vector<std::string> arguments_of(std::string_view text) {
    std::vector<std::string> arguments;
    for (const std::string& part : split(std::string(text), ',')) {
      if (const std::string_view word = trim(part); !word.empty()) arguments.emplace_back(word);
    }
    return arguments;
  }

  void finish(Call call, std::string_view tail) {
    using Act = HeapFunction::Act;
    if (const auto result = split_last(tail, '=')) {
      const std::string_view word = trim(result->after);  // the time it took may follow: 0 <0.000098>
      call.result = address_of(word.substr(0, word.find(' ')));
    }
    const auto bad = [&] {
      dump_.leave_out(lines_.number(), "not a call of " + call.function + " with its arguments");
    };
    const HeapFunction function = *heap_function(call.function);
    const std::size_t count = call.arguments.size();
    if (function.act == Act::kTake) {
      const auto address = count > 0 ? address_of(call.arguments[0]) : std::nullopt;
      if (!address) return bad();
      if (*address != 0) take_back(*address);
      ++time_;
      return;
    }
    if (function.act == Act::kGiveElsewhere) {
      ++time_;
      return dump_.leave_out(lines_.number(), call.function + " does not show the address that it gives");
    }
    if (count < function.size_at + (function.product ? 2 : 1) || !call.result) return bad();
    const auto size = size_of(call.arguments, function.size_at, function.product);
    if (!size || *size < 0) return dump_.leave_out(lines_.number(), "the size is no number of bytes in 63 bits");
    if (*call.result != 0) {
      if (const std::string why = why_stale(*call.result, *size); !why.empty()) {
        return dump_.leave_out(lines_.number(), why);
      }
    }
    if (function.act == Act::kAgain) {
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

  /// Numbers that no allocator takes or gives come from registers that nobody had set.
  static std::string why_stale(std::uint64_t result, std::int64_t size) {
    if (result < kLowestAddress) return fmt::format("the result 0x{:x} is below any address of a heap", result);
    if (size > kLargestSize) return fmt::format("a size of {} bytes is above 2^47, more than a process can have", size);
    return {};
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
  std::map<std::string, std::int64_t> unseen_;  // calls by function
  Dump dump_;
  AddressTimeline timeline_;
  std::int64_t time_ = 0;
  std::map<std::pair<std::string, std::string>, Call> waiting_;  // by thread and function
};

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 16384));
  for (std::string_view line; lines.next(line);) {
    const auto call = call_line_of(trim(line));
    if (!call || !heap_function(call->function)) continue;
    const auto answer = split_first(call->rest, ")");
    if (answer && trim(answer->after).starts_with("=")) return true;
    if (call->rest.find("<unfinished") != std::string_view::npos) return true;
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
  format.summary =
      "calls of malloc, operator new, free and their relatives with their results, at the addresses of a real heap";
  format.sniff = sniff;
  format.read = read;
  return format;
}

}  // namespace stowage
