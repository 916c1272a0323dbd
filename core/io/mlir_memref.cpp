#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/io/mlir_text.h"
#include "core/io/text_lines.h"

// memref.alloc and memref.dealloc in the text of MLIR. Time is the line inside the function, from 0; what is never
// deallocated lives to the end of the block it was made in. Sizes known only at run time are asked for. Texts from
// before memref had a dialect of its own say alloc and dealloc. (llvm-project, mlir/docs/Dialects: memref.)

namespace stowage {

Format mlir_memref_format();

namespace {

struct Alloc {
  std::string name;
  std::optional<std::int64_t> bytes;
  std::string space;
  std::string type;
  std::int64_t alignment = 1;
  std::int64_t start = 0;
  std::int64_t end = -1;
  std::size_t depth = 0;
  std::uint64_t line = 0;
};

/// Whether an op of the dialect, or one of the time before it had a name, begins behind this.
bool is_op(std::string_view before) {
  return before.empty() || before.ends_with("memref.") || before.ends_with(' ');
}

/// Where "alloc(" of an allocation stands in a line.
std::size_t alloc_at(std::string_view line) {
  for (std::size_t at = line.find("alloc("); at != std::string_view::npos; at = line.find("alloc(", at + 1)) {
    if (is_op(line.substr(0, at))) return at;
  }
  return std::string_view::npos;
}

/// Where the bracket that opens at text[0] closes; nothing when it does not.
std::optional<std::size_t> closing(std::string_view text, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && (at == 0 || text[at - 1] != '-') && --depth == 0) return at;  // "->" closes nothing
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options, mlir::Constants sizes)
      : lines_(bytes, options.watch),
        options_(options),
        dump_(name),
        sizes_(std::move(sizes)),
        wanted_(mlir_memref_format().choice(options, "function")) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) read_line(trim(mlir::without_comment(line)));
    if (!broken_.empty()) give_up_alloc();
    dump_.end_of_text(lines_);
    end_function();
    if (!shown_ && !wanted_.empty()) {
      return usage_error(
          fmt::format("{}: no function {} allocates anything; there are: {}", dump_.name(), wanted_, others_));
    }
    if (!others_.empty()) dump_.note("other functions that allocate, for --choose function=NAME: " + others_);
    for (const auto& [op, count] : not_shown_)
      dump_.note(fmt::format("{} is not read; it gives memory {} time{}", op, count, count == 1 ? "" : "s"));
    dump_.input.time_unit = "line";
    return dump_.finish("mlir-memref", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty()) return;
    if (const std::size_t at = function_at(line); at != std::string_view::npos) begin_function(line.substr(at));
    mlir::read_constant(line, constants_);
    read_view(line);
    if (!broken_.empty() && (line.starts_with('%') || line.starts_with("memref."))) give_up_alloc();
    if (!broken_.empty()) {
      go_on_with_alloc(line);
    } else if (const std::size_t at = alloc_at(line); at != std::string_view::npos) {
      begin_alloc(line);
    } else if (const auto freed = split_first(line, "dealloc "); freed && is_op(freed->before)) {
      end_of(std::string(trim(freed->after.substr(0, freed->after.find_first_of(" :")))));
    }
    for (const std::string_view op : {"memref.alloca", "memref.realloc", "gpu.alloc"}) {
      const std::size_t at = line.find(op);
      if (at == std::string_view::npos) continue;
      const std::string_view rest = line.substr(at + op.size());
      if (rest.starts_with('(') || rest.starts_with(' ')) ++not_shown_[op];
    }
    count_braces(line);
    ++time_;
  }

  /// `%v = memref.cast %m : ...` and its like: another name for the memory of %m, by which it may be freed.
  void read_view(std::string_view line) {
    const auto parts = split_first(line, " = memref.");
    if (!parts) return;
    for (const std::string_view op : {"cast ", "reinterpret_cast ", "memory_space_cast ", "subview ", "view ",
                                      "expand_shape ", "collapse_shape ", "reshape ", "transpose "}) {
      if (!parts->after.starts_with(op)) continue;
      const std::string_view operand = parts->after.substr(op.size());
      const auto found = live_.find(std::string(operand.substr(0, operand.find_first_of("[({ :,"))));
      if (found != live_.end()) live_.insert_or_assign(std::string(trim(parts->before)), found->second);
      return;
    }
  }

  /// An allocation whose type stands on a line below waits for it.
  void begin_alloc(std::string_view line) {
    if (type_end(line)) return read_alloc(line, lines_.number(), time_);
    broken_ = line;
    broken_line_ = lines_.number();
    broken_time_ = time_;
  }

  void go_on_with_alloc(std::string_view line) {
    constexpr std::uint64_t most_lines = 16;
    broken_ += ' ';
    broken_ += line;
    if (type_end(broken_)) {
      read_alloc(broken_, broken_line_, broken_time_);
      broken_.clear();
    } else if (lines_.number() - broken_line_ >= most_lines) {
      give_up_alloc();
    }
  }

  void give_up_alloc() {
    dump_.leave_out(broken_line_, "not an allocation with a memref type");
    broken_.clear();
  }

  /// Where the memref type of an allocation ends, counted from the "<" that opens it.
  static std::optional<std::size_t> type_end(std::string_view line) {
    const std::size_t type = line.find("memref<", alloc_at(line));
    return type == std::string_view::npos ? std::nullopt
                                          : closing(line.substr(type + std::string_view("memref").size()), '<', '>');
  }

  static std::size_t function_at(std::string_view line) {
    for (const std::string_view word : {"func.func ", "util.func ", "gpu.func ", "func @", "llvm.func "}) {
      if (const std::size_t at = line.find(word); at != std::string_view::npos) return at;
    }
    return std::string_view::npos;
  }

  void begin_function(std::string_view line) {
    end_function();
    const auto name = split_first(line, "@");
    name_ = name ? std::string(trim(name->after.substr(0, name->after.find_first_of("( ")))) : std::string();
    constants_ = sizes_;
    time_ = 0;
    depth_ = 0;
  }

  void end_function() {
    for (Alloc& alloc : allocs_) {
      if (alloc.end < 0) alloc.end = time_;
    }
    const bool mine = !shown_ && (wanted_.empty() || wanted_ == name_);
    if (!allocs_.empty() && mine) {
      shown_ = true;
      dump_.input.name = name_;
      for (const Alloc& alloc : allocs_) add(alloc);
    } else if (!allocs_.empty() && others_.size() < 2000) {
      others_ += (others_.empty() ? "" : ", ") + shown(name_);
    }
    allocs_.clear();
    live_.clear();
  }

  /// `%x = memref.alloc(%n) {alignment = 64 : i64} : memref<?x32xf32, 1>`, at a line and a time.
  void read_alloc(std::string_view line, std::uint64_t number, std::int64_t time) {
    const auto result = split_first(line, "=");
    const auto end = type_end(line);
    const std::string_view rest = line.substr(line.find('(', alloc_at(line)) + 1);
    const auto type = split_first(rest, "memref<");
    if (!result || !type || !end) return dump_.leave_out(number, "not an allocation with a memref type");
    Alloc alloc;
    alloc.name = trim(result->before);
    alloc.line = number;
    alloc.start = time;
    alloc.depth = depth_;
    alloc.type = type->after.substr(0, *end - 1);
    if (const auto given = split_first(type->before, "alignment = ")) {
      alloc.alignment = std::max<std::int64_t>(LineScan(given->after).integer().value_or(1), 1);
    }
    read_type(rest.substr(0, rest.find(')')), alloc);
    live_[alloc.name] = allocs_.size();
    allocs_.push_back(std::move(alloc));
  }

  /// "16x?xf32, strided<[1]>, 3": dimensions and element, a layout, the memory space.
  void read_type(std::string_view arguments, Alloc& alloc) {
    std::vector<std::string> operands;
    for (const std::string& word : split(std::string(arguments), ',')) operands.emplace_back(trim(word));
    std::string_view type = alloc.type;
    const std::size_t comma = top_level_comma(type);
    std::string_view tail = comma == std::string_view::npos ? std::string_view() : trim(type.substr(comma + 1));
    type = trim(type.substr(0, comma));
    if (tail.starts_with("affine_map") || tail.starts_with("strided") || tail.starts_with("#map")) {
      const std::size_t next = top_level_comma(tail);
      tail = next == std::string_view::npos ? std::string_view() : trim(tail.substr(next + 1));
    }
    alloc.space = tail.substr(0, tail.find(" :"));

    std::int64_t count = 1;
    std::size_t asked = 0;
    for (;;) {
      LineScan scan(type);
      std::optional<std::int64_t> dimension;
      if (scan.take("?")) {
        const auto known = asked < operands.size() ? constants_.find(operands[asked]) : constants_.end();
        ++asked;
        if (known == constants_.end()) return;  // the size stays unknown
        dimension = known->second;
      } else if (const auto number = scan.natural(); number && *number <= static_cast<std::uint64_t>(kMaxInt64)) {
        dimension = static_cast<std::int64_t>(*number);
      }
      if (!dimension || !scan.take("x")) break;
      if (__builtin_mul_overflow(count, *dimension, &count)) return;
      type = scan.rest();
    }
    const auto element = mlir::element_bytes(type);
    std::int64_t bytes = 0;
    if (element && !__builtin_mul_overflow(count, *element, &bytes)) alloc.bytes = bytes;
  }

  static std::size_t top_level_comma(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '<' || c == '(' || c == '[') ++depth;
      if ((c == '>' && (at == 0 || text[at - 1] != '-')) || c == ')' || c == ']') depth -= depth > 0 ? 1 : 0;
      if (c == ',' && depth == 0) return at;
    }
    return std::string_view::npos;
  }

  void end_of(const std::string& name) {
    const auto found = live_.find(name);
    if (found == live_.end()) return;  // of another function, or an argument
    Alloc& alloc = allocs_[found->second];
    if (alloc.end < 0) alloc.end = time_;  // not yet freed by another name
    live_.erase(found);
  }

  void count_braces(std::string_view line) {
    for (const char c : line) {
      if (c == '{') ++depth_;
      if (c != '}') continue;
      depth_ -= depth_ > 0 ? 1 : 0;
      for (auto at = live_.begin(); at != live_.end();) {
        Alloc& alloc = allocs_[at->second];
        const bool over = alloc.depth > depth_;
        if (over && alloc.end < 0) alloc.end = time_;
        at = over ? live_.erase(at) : std::next(at);
      }
    }
  }

  void add(const Alloc& alloc) {
    if (!alloc.bytes) {
      return dump_.leave_out(alloc.line, fmt::format("the size of {}, memref<{}>, is known only at run time or its "
                                                     "element is unknown; --choose sizes=%NAME=N,... gives it",
                                                     shown(alloc.name), shown(alloc.type)));
    }
    const auto space = dump_.space(alloc.space.empty() ? "memory" : "space " + alloc.space);
    const auto end = half_open_end(alloc.end, options_.times);
    if (!space || !end) return;
    Buffer buffer;
    buffer.start = alloc.start;
    buffer.end = *end;
    buffer.size = *alloc.bytes;
    buffer.alignment = alloc.alignment;
    buffer.space = *space;
    Details details;
    details.op = "memref<" + alloc.type + ">";
    dump_.add(alloc.name, buffer, kNoOffset, alloc.line, std::move(details));
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  std::string broken_;  // an allocation whose type has not come yet
  std::uint64_t broken_line_ = 0;
  std::int64_t broken_time_ = 0;
  std::map<std::string_view, std::int64_t> not_shown_;  // other ops that give memory, counted
  mlir::Constants sizes_;
  std::string wanted_;
  std::string others_;
  bool shown_ = false;
  std::string name_;  // of the function
  mlir::Constants constants_ = sizes_;
  std::int64_t time_ = 0;
  std::size_t depth_ = 0;
  std::vector<Alloc> allocs_;
  std::map<std::string, std::size_t> live_;
};

constexpr std::string_view kGeneric = "\"memref.alloc\"(";

bool sniff(std::string_view bytes) {
  bytes = bytes.substr(0, std::size_t{1} << 20U);
  constexpr std::string_view ops[] = {"memref.alloc(", "memref.alloca(", "memref.realloc ", "gpu.alloc ", kGeneric};
  for (const std::string_view op : ops) {
    if (bytes.find(op) != std::string_view::npos) return true;
  }
  return bytes.find(" = alloc(") != std::string_view::npos && bytes.find(" : memref<") != std::string_view::npos;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  auto sizes = mlir::given_sizes(mlir_memref_format().choice(options, "sizes"));
  if (!sizes) return usage_error("sizes are given as %n=16,%m=4");
  if (bytes.find(kGeneric) != std::string_view::npos) {
    return input_error(name +
                       ": this is MLIR in its generic form; mlir-opt without --mlir-print-op-generic prints it "
                       "as it is read here");
  }
  return Reader(bytes, name, options, std::move(*sizes)).run();
}

}  // namespace

Format mlir_memref_format() {
  Format format;
  format.id = "mlir-memref";
  format.title = "MLIR memref allocations";
  format.extension = ".mlir";
  format.summary = "memref.alloc and memref.dealloc of one function";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"function", "which function: its name; the first that allocates when it is empty", "", {}},
                    {"sizes", "what is known only at run time: %n=16,%m=4", "", {}}};
  return format;
}

}  // namespace stowage
