#include "core/io/trace_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/intake.h"

namespace stowage {
namespace {

constexpr std::string_view kMark = "# stowage-trace";
constexpr std::string_view kVersion = "1";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";

std::optional<TraceOp> op_named(std::string_view name) {
  for (const TraceOp op : {TraceOp::kAlloc, TraceOp::kFree, TraceOp::kUse, TraceOp::kReset, TraceOp::kEmpty}) {
    if (name == name_of(op)) return op;
  }
  return std::nullopt;
}

std::string_view without_mark(std::string_view bytes) {
  return bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes;
}

/// The words of a line, without its comment. Nothing when a quote is not closed.
class Words {
 public:
  /// False when there is something wrong in a quoted word.
  bool split(std::string_view line) {
    words_.clear();
    for (std::size_t at = line.find_first_not_of(kBlanks); at < line.size(); at = line.find_first_not_of(kBlanks, at)) {
      if (line[at] == '#') break;
      if (line[at] == '"') {
        if (!take_quoted(line, at)) return false;
      } else {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        words_.emplace_back(line.substr(at, end - at));
        at = end;
      }
    }
    return true;
  }
  const std::vector<std::string>& all() const { return words_; }

 private:
  bool take_quoted(std::string_view line, std::size_t& at) {
    std::string word;
    for (++at; at < line.size(); ++at) {
      if (line[at] == '"') {
        words_.push_back(std::move(word));
        ++at;
        return at == line.size() || kBlanks.find(line[at]) != std::string_view::npos;
      }
      if (line[at] == '\\') {
        constexpr std::string_view kLetters = "\"\\nrt";
        constexpr std::string_view kMeaning = "\"\\\n\r\t";
        const std::size_t letter = ++at < line.size() ? kLetters.find(line[at]) : std::string_view::npos;
        if (letter == std::string_view::npos) return false;
        word += kMeaning[letter];
      } else {
        word += line[at];
      }
    }
    return false;
  }

  std::vector<std::string> words_;
};

/// Turns lines into events and says what is wrong with those that are none.
class Reader {
 public:
  using Fault = TraceBuilder::Fault;

  Fault take(std::string_view line) {
    if (!words_.split(line)) return "a quote is not closed, or what stands in it is no text";
    const std::vector<std::string>& words = words_.all();
    if (words.empty()) return std::nullopt;
    if (words.size() < 2) return "an event is written: time op id bytes [stream]";
    const auto time = parse_int(words[0]);
    if (!time) return fmt::format("the time \"{}\" is not a whole number", shown(words[0]));
    const auto op = op_named(words[1]);
    if (!op) return fmt::format("\"{}\" is none of alloc, free, use, reset and empty", shown(words[1]));
    if (*op == TraceOp::kReset || *op == TraceOp::kEmpty) return take_without_id(*time, *op);
    if (words.size() < 3) return fmt::format("{} needs an id", words[1]);
    return take_with_id(*time, *op);
  }

  Trace finish() { return builder_.take(); }

 private:
  static Fault too_many() { return "too many words: an event is written: time op id bytes [stream]"; }

  Fault take_without_id(std::int64_t time, TraceOp op) {
    if (words_.all().size() > 2) return fmt::format("{} stands alone: it has no id", name_of(op));
    return op == TraceOp::kReset ? builder_.reset(time) : builder_.empty(time);
  }

  Fault take_with_id(std::int64_t time, TraceOp op) {
    std::vector<std::string> words = words_.all();
    const bool is_static = op == TraceOp::kAlloc && words.size() > 4 && words.back() == "static";
    if (is_static) words.pop_back();
    if (words.size() > 5) return too_many();
    const std::string& id = words[2];
    // A use is about a stream: its only number is that.
    const bool stream_only = op == TraceOp::kUse && words.size() == 4;
    std::optional<std::int64_t> bytes;
    if (words.size() > 3 && !stream_only) {
      bytes = parse_int(words[3]);
      if (!bytes) return fmt::format("the bytes \"{}\" are not a whole number", shown(words[3]));
    }
    std::int32_t stream = 0;
    if (words.size() > 4 || stream_only) {
      const auto number = parse_int(words.back());
      if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) {
        return fmt::format("the stream \"{}\" is not a number from 0 to 2^31-1", shown(words.back()));
      }
      stream = static_cast<std::int32_t>(*number);
    }
    if (op == TraceOp::kFree) return builder_.free(time, id, bytes);
    if (op == TraceOp::kUse) return builder_.use(time, id, stream);
    if (!bytes) return "alloc needs bytes";
    return builder_.alloc(time, id, *bytes, stream, is_static);
  }

  TraceBuilder builder_;
  Words words_;
};

bool needs_quotes(std::string_view id) {
  return id.empty() || id.front() == '"' || id.front() == '#' || id.find_first_of(" \t\r\n") != std::string_view::npos;
}

void append_id(std::string& out, std::string_view id) {
  if (!needs_quotes(id)) {
    out += id;
    return;
  }
  out += '"';
  for (const char c : id) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  out += '"';
}

}  // namespace

bool is_trace(std::string_view bytes) {
  const std::string_view text = without_mark(bytes);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text.substr(begin).starts_with(kMark);
}

Result<Trace> read_trace(std::string_view bytes, const std::string& name, bool lenient,
                         std::vector<std::string>& warnings) {
  if (bytes.starts_with(kByteOrderMark)) {
    warnings.push_back(name + ":1: the file begins with a byte order mark; it is skipped");
  }
  std::string_view rest = without_mark(bytes);
  Complaints complaints(lenient);
  Reader reader;
  bool has_mark = false;
  for (std::uint64_t line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto place = [&](std::string_view message) {
      return fmt::format("{}:{}: {}", name, line_number, message);
    };
    if (!has_mark && trim(line).starts_with(kMark)) {
      has_mark = true;
      const std::string_view version = trim(trim(line).substr(kMark.size()));
      if (version != kVersion) {
        return input_error(place(fmt::format("version \"{}\" of a trace; readable is {}", shown(version), kVersion)));
      }
      continue;
    }
    if (const auto fault = reader.take(line)) complaints.add(line_number, place(*fault));
  }
  if (!complaints.empty() && !lenient) return tl::unexpected(complaints.error());
  if (!has_mark) warnings.push_back(fmt::format("{}: the first line \"{} {}\" is missing", name, kMark, kVersion));
  complaints.become_warnings(warnings);
  Trace trace = reader.finish();
  trace.time_unit = "time";
  return trace;
}

Result<Document> document_of(const Trace& trace, const std::string& name, std::vector<std::string> warnings) {
  Result<Problem> problem = problem_of(trace, natural_axis(trace));
  if (!problem) return input_error(name + ": " + problem.error().message);
  Document document;
  document.problem = std::make_shared<const Problem>(std::move(*problem));
  document.facts.format = "stowage-trace";
  document.facts.times = "half-open";
  document.facts.offsets = "none";
  document.facts.capacity_hint = capacity_hint(name);
  document.facts.warnings = std::move(warnings);
  return document;
}

std::string write_trace(const Trace& trace) {
  std::string out = fmt::format("{} {}\n", kMark, kVersion);
  for (const TraceEvent& event : trace.events()) {
    fmt::format_to(std::back_inserter(out), "{} {}", event.time, name_of(event.op));
    if (event.allocation != kNoBuffer) {
      const Allocation& allocation = trace.allocations()[event.allocation];
      out += ' ';
      append_id(out, trace.id(event.allocation));
      if (event.op != TraceOp::kFree) fmt::format_to(std::back_inserter(out), " {}", allocation.bytes);
      if (event.op == TraceOp::kUse || (event.op == TraceOp::kAlloc && event.stream != 0)) {
        fmt::format_to(std::back_inserter(out), " {}", event.stream);
      }
      if (event.op == TraceOp::kAlloc && allocation.is_static) out += " static";
    }
    out += '\n';
  }
  return out;
}

}  // namespace stowage
