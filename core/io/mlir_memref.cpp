#include <algorithm>
#include <functional>
#include <initializer_list>
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
#include "core/io/mlir_ops.h"
#include "core/io/mlir_text.h"
#include "core/io/text_lines.h"

// memref.alloc, memref.alloca, memref.realloc and gpu.alloc in the text of MLIR, in the forms of their dialects or in
// the generic one. Time is the line inside the function, from 0; what is never deallocated lives to the end of the
// block it was made in, what is on the stack to the end of the loop or function around it. Sizes known only at run time
// are asked for. Texts from before memref had a dialect of its own say alloc and dealloc. (llvm-project,
// mlir/docs/Dialects: memref, gpu.)

namespace stowage {

Format mlir_memref_format();

namespace {

struct Alloc {
  std::string name;
  std::string type;  // without the word memref and its brackets
  std::string space;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
  std::int64_t start = 0;
  std::int64_t end = -1;
  std::size_t depth = 0;  // of the block at whose end it is gone
  std::uint64_t line = 0;
  std::string why_not;  // its size is not known, and why
};

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool gives_memory(std::string_view op) {
  return is_any(op, {"memref.alloc", "alloc", "memref.alloca", "alloca", "memref.realloc", "gpu.alloc"});
}

bool is_function(std::string_view op) {
  return is_any(op, {"func.func", "util.func", "gpu.func", "llvm.func", "func"});
}

/// Ops that end the lives of what was made by alloca inside them.
bool is_stack_scope(std::string_view op) {
  return is_function(op) || is_any(op, {"memref.alloca_scope", "scf.for", "scf.parallel", "scf.forall", "affine.for",
                                        "affine.parallel", "gpu.launch"});
}

/// Ops whose result is another name for the memory of their first operand.
bool is_view(std::string_view op) {
  if (op == "builtin.unrealized_conversion_cast" || op == "memref_cast") return true;
  if (op.starts_with("memref.")) op.remove_prefix(std::string_view("memref.").size());
  return is_any(op, {"cast", "reinterpret_cast", "memory_space_cast", "subview", "view", "expand_shape",
                     "collapse_shape", "reshape", "transpose", "extract_strided_metadata", "assume_alignment"});
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options, mlir::Constants sizes)
      : lines_(bytes, options.watch),
        options_(options),
        dump_(name),
        sizes_(std::move(sizes)),
        wanted_(mlir_memref_format().choice(options, "function")) {
    if (wanted_.starts_with('@')) wanted_.erase(0, 1);
  }

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
    if (!asked_.empty()) {
      dump_.note(fmt::format("what lacks its size comes in with --choose {}",
                             shell_word(fmt::format("sizes={}=N", fmt::join(asked_, "=N,")))));
    }
    for (const auto& [op, count] : not_shown_)
      dump_.note(fmt::format("{} is not read; it gives memory {} time{}", op, count, count == 1 ? "" : "s"));
    dump_.input.time_unit = "line";
    auto document = dump_.finish("mlir-memref", rule_name(options_.times, TimeRule::kHalfOpen));
    if (!document) return document;
    for (const std::string& one : asked_) document->facts.open.push_back({"sizes", one});
    return document;
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty()) return;
    read_part(line);
    ++time_;
  }

  /// A line, or what is left of one behind the bracket that opens a block.
  void read_part(std::string_view line) {
    if (const std::size_t block = line.find("{ %"); block != std::string_view::npos) {
      read_part(line.substr(0, block + 1));
      return read_part(trim(line.substr(block + 1)));
    }
    mlir::read_constant(line, constants_);
    read_type_alias(line);
    auto op = mlir::op_of(line);
    if (!broken_.empty() && op && (line.starts_with('%') || line.starts_with('"') || op->name.starts_with("memref."))) {
      give_up_alloc();
    }
    if (!broken_.empty()) {
      go_on_with_alloc(line);
    } else if (op && is_function(op->name)) {
      begin_function(*op);
    } else if (op && gives_memory(op->name)) {
      begin_alloc(line, *op);
    } else if (op && is_any(op->name, {"memref.dealloc", "gpu.dealloc", "dealloc"})) {
      end_of(mlir::last_operand(*op), time_);
    } else if (op && is_view(op->name)) {
      another_name(*op);
    } else if (op && is_any(op->name, {"bufferization.clone", "bufferization.alloc_tensor", "memref.global"})) {
      ++not_shown_[std::string(op->name)];
    }
    follow_blocks(line, op && is_stack_scope(op->name));
  }

  /// `!row = memref<16xf32>`
  void read_type_alias(std::string_view line) {
    if (!line.starts_with('!')) return;
    if (const auto parts = split_first(line, "=")) {
      type_aliases_.insert_or_assign(std::string(trim(parts->before)), trim(parts->after));
    }
  }

  /// The memory may be freed by its other name.
  void another_name(const mlir::Op& op) {
    const auto found = live_.find(mlir::first_operand(op));
    if (found != live_.end() && !op.result.empty()) live_.insert_or_assign(std::string(op.result), found->second);
  }

  /// An allocation whose type stands on a line below waits for it.
  void begin_alloc(std::string_view line, const mlir::Op& op) {
    if (!mlir::result_type(op).empty()) return read_alloc(op, lines_.number(), time_);
    broken_ = line;
    broken_line_ = lines_.number();
    broken_time_ = time_;
  }

  void go_on_with_alloc(std::string_view line) {
    constexpr std::uint64_t most_lines = 16;
    broken_ += ' ';
    broken_ += line;
    const auto op = mlir::op_of(broken_);
    if (op && !mlir::result_type(*op).empty()) {
      read_alloc(*op, broken_line_, broken_time_);
      broken_.clear();
    } else if (lines_.number() - broken_line_ >= most_lines) {
      give_up_alloc();
    }
  }

  void give_up_alloc() {
    dump_.leave_out(broken_line_, "not an allocation with a memref type");
    broken_.clear();
  }

  void begin_function(const mlir::Op& op) {
    end_function();
    in_function_ = true;
    function_depth_ = stack_scopes_.size();
    entered_ = false;
    if (const auto name = mlir::text_attribute(op.rest, "sym_name")) {
      name_ = *name;
    } else if (const auto symbol = split_first(op.rest, "@")) {
      const std::string_view rest = symbol->after;
      name_ = rest.starts_with('"') ? rest.substr(1, rest.find('"', 1) - 1) : rest.substr(0, rest.find_first_of("( "));
    }
    constants_ = sizes_;
  }

  /// Its name may come behind its body, in the generic form of old.
  void end_function() {
    for (Alloc& alloc : allocs_) {
      if (alloc.end < 0) alloc.end = time_;
    }
    const bool mine = !shown_ && (wanted_.empty() || wanted_ == name_);
    if (!allocs_.empty() && mine) {
      shown_ = true;
      dump_.input.name = name_;
      for (const Alloc& alloc : allocs_) add(alloc);
      asked_ = std::move(unknown_);
    } else if (!allocs_.empty() && others_.size() < 2000) {
      others_ += (others_.empty() ? "" : ", ") + shown(name_);
    }
    allocs_.clear();
    live_.clear();
    unknown_.clear();
    name_.clear();
    in_function_ = false;
    time_ = 0;
  }

  void read_alloc(const mlir::Op& op, std::uint64_t number, std::int64_t time) {
    std::string_view type = mlir::result_type(op);
    if (const auto alias = type_aliases_.find(type); alias != type_aliases_.end()) type = alias->second;
    if (op.result.empty() || !type.starts_with("memref<")) {
      return dump_.leave_out(number, "not an allocation with a memref type");
    }
    const bool moves = op.name == "memref.realloc";
    Alloc alloc;
    alloc.name = op.result;
    alloc.line = number;
    alloc.start = time;
    alloc.type = type.substr(7, type.size() - 8);
    alloc.alignment = std::max<std::int64_t>(mlir::number_attribute(op.rest, "alignment").value_or(1), 1);
    const bool on_stack = op.name.ends_with("alloca");
    alloc.depth = on_stack ? innermost_stack_scope() : stack_scopes_.size();
    auto sizes = mlir::operands_of(op);
    const std::size_t others = op.generic && op.name == "gpu.alloc" ? tokens_before(op) : (op.generic && moves ? 1 : 0);
    sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(std::min(others, sizes.size())));
    read_type(sizes, alloc);
    if (alloc.space.empty() && on_stack) alloc.space = "stack";
    if (alloc.space.empty() && op.name == "gpu.alloc") {
      const bool shared =
          op.rest.find("host_shared") != std::string_view::npos || op.rest.find("hostShared") != std::string_view::npos;
      alloc.space = shared ? "gpu host_shared" : "gpu";
    }
    if (moves) {
      const auto from = live_.find(mlir::first_operand(op));
      if (from != live_.end()) alloc.space = allocs_[from->second].space;
      end_of(mlir::first_operand(op), time + 1);  // both are there while the contents are copied
    }
    live_[alloc.name] = allocs_.size();
    allocs_.push_back(std::move(alloc));
  }

  /// How many operands of a generic gpu.alloc are tokens to wait for: the first of its groups of operands.
  static std::size_t tokens_before(const mlir::Op& op) {
    for (const std::string_view word : {"operandSegmentSizes", "operand_segment_sizes"}) {
      const auto groups = split_first(op.rest, word);
      if (!groups) continue;
      const std::size_t digit = groups->after.find_first_of(":[");  // array<i32: 1, 0, 0>, dense<[1, 0, 0]>
      if (digit == std::string_view::npos) return 0;
      return static_cast<std::size_t>(LineScan(groups->after.substr(digit + 1)).blanks().natural().value_or(0));
    }
    return 0;
  }

  void read_type(const std::vector<std::string_view>& operands, Alloc& alloc) {
    const mlir::MemrefType type = mlir::memref_type(alloc.type, operands, constants_);
    if (!type.space.empty()) alloc.space = fmt::format("space {}", type.space);
    if (!type.layout.empty() && type.bytes) {
      dump_.note_at(alloc.line, fmt::format("{} has the size of its dimensions; its layout {} is not applied",
                                            shown(alloc.name), shown(type.layout)));
    }
    if (type.bytes) {
      alloc.bytes = *type.bytes;
    } else if (std::find(type.unknown.begin(), type.unknown.end(), "?") != type.unknown.end()) {
      alloc.why_not = "has more open dimensions than operands";
    } else if (!type.unknown.empty()) {
      std::string answers;
      for (const std::string_view name : type.unknown) {
        answers += fmt::format("{}{}=N", answers.empty() ? "" : ",", shown(name));
        if (std::find(unknown_.begin(), unknown_.end(), name) == unknown_.end()) unknown_.push_back(shown(name));
      }
      alloc.why_not =
          "has a size that is known only at run time; --choose " + shell_word("sizes=" + answers) + " gives it";
    } else if (type.strides_unknown) {
      alloc.why_not = "has strides that are known only at run time";
    } else {
      alloc.why_not = "has elements of no known size, or too many";
    }
  }

  std::size_t innermost_stack_scope() const {
    std::size_t depth = stack_scopes_.size();
    while (depth > 0 && !stack_scopes_[depth - 1]) --depth;
    return depth;
  }

  void end_of(std::string_view name, std::int64_t time) {
    const auto found = live_.find(name);
    if (found == live_.end()) return;  // of another function, or an argument
    Alloc& alloc = allocs_[found->second];
    if (alloc.end < 0) alloc.end = time;  // not yet freed by another name
    live_.erase(found);
  }

  /// Brackets of blocks, and those of attributes, which close in their line.
  void follow_blocks(std::string_view line, bool stack_scope) {
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line[at] == '"' && (at == 0 || line[at - 1] != '\\')) quoted = !quoted;
      if (!quoted && line[at] == '{') stack_scopes_.push_back(stack_scope);
      if (!quoted && line[at] == '}') end_block();
    }
    if (!in_function_) return;
    entered_ = entered_ || stack_scopes_.size() > function_depth_;
    if (!entered_ || stack_scopes_.size() > function_depth_) return;
    if (name_.empty()) name_ = mlir::text_attribute(line, "sym_name").value_or(std::string_view());
    end_function();
  }

  void end_block() {
    if (!stack_scopes_.empty()) stack_scopes_.pop_back();
    for (auto at = live_.begin(); at != live_.end();) {
      Alloc& alloc = allocs_[at->second];
      const bool over = alloc.depth > stack_scopes_.size();
      if (over && alloc.end < 0) alloc.end = time_;
      at = over ? live_.erase(at) : std::next(at);
    }
  }

  void add(const Alloc& alloc) {
    if (!alloc.why_not.empty()) {
      return dump_.leave_out(alloc.line,
                             fmt::format("{}, memref<{}>, {}", shown(alloc.name), shown(alloc.type), alloc.why_not));
    }
    const auto space = dump_.space(alloc.space.empty() ? "memory" : alloc.space);
    const auto end = half_open_end(alloc.end, options_.times);
    if (!space || !end) return;
    Buffer buffer;
    buffer.start = alloc.start;
    buffer.end = *end;
    buffer.size = alloc.bytes;
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
  std::map<std::string, std::int64_t, std::less<>> not_shown_;  // other ops that give memory, counted
  mlir::Constants sizes_;
  std::string wanted_;
  std::string others_;
  std::vector<std::string> asked_;  // names without a value, of the function that is shown
  bool shown_ = false;
  std::map<std::string, std::string, std::less<>> type_aliases_;

  // The function that is read.
  bool in_function_ = false;
  bool entered_ = false;  // its body has begun
  std::size_t function_depth_ = 0;
  std::string name_;
  mlir::Constants constants_ = sizes_;
  std::int64_t time_ = 0;
  std::vector<bool> stack_scopes_;  // of each open block: whether what is on the stack is gone at its end
  std::vector<Alloc> allocs_;
  std::vector<std::string> unknown_;
  std::map<std::string, std::size_t, std::less<>> live_;
};

bool sniff(std::string_view bytes) {
  bytes = bytes.substr(0, std::size_t{1} << 20U);
  for (const std::string_view op : {"memref.alloc", "memref.alloca", "memref.realloc", "gpu.alloc"}) {
    for (std::size_t at = bytes.find(op); at != std::string_view::npos; at = bytes.find(op, at + 1)) {
      const std::string_view rest = bytes.substr(at + op.size());
      if (rest.starts_with('(') || rest.starts_with(' ') || rest.starts_with("\"(")) return true;
    }
  }
  return bytes.find(" = alloc(") != std::string_view::npos && bytes.find(" : memref<") != std::string_view::npos;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  auto sizes = mlir::given_sizes(mlir_memref_format().choice(options, "sizes"));
  if (!sizes) return usage_error("sizes are given as %n=16,%m=4");
  return Reader(bytes, name, options, std::move(*sizes)).run();
}

}  // namespace

Format mlir_memref_format() {
  Format format;
  format.id = "mlir-memref";
  format.title = "MLIR memref allocations";
  format.extension = ".mlir";
  format.summary = "memory that one function allocates and frees";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"function", "which function: its name; the first that allocates when it is empty", "", {}},
                    {"sizes", "what is known only at run time: %n=16,%m=4", "", {}}};
  return format;
}

}  // namespace stowage
