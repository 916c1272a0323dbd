#include "core/io/hlo_text.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"
#include "core/io/hlo_words.h"
#include "core/io/text_lines.h"

namespace stowage::hlo {
namespace {

constexpr std::size_t kDeepest = 64;        // tuples inside tuples
constexpr std::size_t kMostLeaves = 65536;  // of one instruction

struct Place {
  std::string_view file;
  std::string_view line;
};

/// The tables in front of the computations that newer versions print in place of source_file and source_line:
///   FileNames / 1 "f.py"
///   FileLocations / 1 {file_name_id=1 function_name_id=1 line=7 ...}
///   StackFrames / 1 {file_location_id=1 parent_frame_id=1}
class SourceTables {
 public:
  void read(std::string_view line) {
    const auto row = split_first(line, " ");
    const auto number = row ? small_number(row->before) : std::nullopt;
    if (!number) {
      table_ = line;
    } else if (table_ == "FileNames") {
      files_[*number] = inside(row->after);
    } else if (table_ == "FileLocations") {
      locations_[*number] = row->after;
    } else if (table_ == "StackFrames") {
      frames_[*number] = row->after;
    }
  }

  Place of(std::string_view frame) const {
    const std::string_view location = row_of(locations_, word_value(row_of(frames_, frame), "file_location_id="));
    return {row_of(files_, word_value(location, "file_name_id=")), word_value(location, "line=")};
  }

 private:
  using Table = std::unordered_map<std::uint32_t, std::string_view>;

  static std::string_view row_of(const Table& table, std::string_view number) {
    const auto id = small_number(number);
    const auto found = id ? table.find(*id) : table.end();
    return found == table.end() ? std::string_view() : found->second;
  }

  std::string_view table_;
  Table files_, locations_, frames_;
};

class Parser {
 public:
  Parser(std::string_view text, const std::function<void(std::size_t, std::string_view)>& complain)
      : text_(text), cursor_(text), complain_(complain) {}

  Result<Module> run() {
    Module module;
    bool any = false;
    std::optional<std::size_t> header;  // of a computation, whose parameters may take several lines
    while (!cursor_.done()) {
      cursor_.blanks();
      const std::size_t begin = cursor_.at();
      if (cursor_.done()) break;
      cursor_.line();
      const std::string_view line = without_blanks(cursor_.from(begin));
      if (line.starts_with("HloModule")) {
        if (any) {
          complain_(begin, "another module begins here; it and what follows are not read");
          break;
        }
        any = true;
        header.reset();
        Cursor words(line);
        words.take("HloModule");
        words.blanks();
        module.name = words.word();
        module.scheduled = line.find("is_scheduled=true") != std::string_view::npos;
        module.donated = donated_in(line);
      } else if (line.ends_with('{')) {
        module.computations.push_back(computation(cursor_.from(header.value_or(begin))));
        header.reset();
      } else if ((line.starts_with("ENTRY ") || line.starts_with('%')) && line.find(" = ") == std::string_view::npos) {
        header = begin;
      } else if (!header) {
        sources_.read(line);
      }
    }
    if (!any) return input_error("there is no HloModule");
    if (module.computations.empty()) return input_error("the module has no computation");
    return module;
  }

 private:
  /// "..., input_output_alias={ {0}: (14, {}, must-alias), {1}: (15, {}) }, ...": how many.
  static std::size_t donated_in(std::string_view line) {
    constexpr std::string_view key = "input_output_alias=";
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) return 0;
    Cursor list(line);
    list.go(at + key.size());
    return list.peek() == '{' ? parts_of(list.bracketed().value_or("")).size() : 0;
  }

  Computation computation(std::string_view header) {
    Computation computation;
    Cursor words(header);
    computation.entry = words.take("ENTRY");
    words.blanks();
    words.take("%");
    computation.name = words.word();
    for (;;) {
      cursor_.blanks();
      if (cursor_.done()) {
        complain_(text_.size(), "the text breaks off inside a computation");
        return computation;
      }
      if (cursor_.take("}")) {
        cursor_.line();
        return computation;
      }
      const std::size_t begin = cursor_.at();
      Instruction instruction;
      instruction.at = begin;
      std::string_view why = read(instruction);
      if (why.empty()) {
        computation.instructions.push_back(std::move(instruction));
        continue;
      }
      complain_(begin, why);
      cursor_.go(begin);
      cursor_.line();
    }
  }

  /// Empty when all went well, else what is wrong.
  std::string_view read(Instruction& instruction) {
    instruction.root = cursor_.take("ROOT ");
    cursor_.blanks();
    cursor_.take("%");
    instruction.name = cursor_.word();
    cursor_.blanks();
    if (instruction.name.empty() || !cursor_.take("=")) return "not an instruction";
    cursor_.blanks();
    instruction.untyped = !at_shape();
    if (instruction.untyped && !cursor_.ahead("tuple(")) return "its shape is missing";
    if (!instruction.untyped && !shape(instruction)) return "its shape cannot be read";
    cursor_.blanks();
    instruction.opcode = cursor_.word();
    if (instruction.opcode.empty() || cursor_.peek() != '(') return "there is no opcode with its operands";
    const auto operands = cursor_.bracketed();
    if (!operands) return "its operands do not end";
    take_operands(instruction, *operands);
    const std::size_t begin = cursor_.at();
    if (!cursor_.statement()) return "it does not end";
    attributes(instruction, cursor_.from(begin));
    return {};
  }

  /// Texts that people write may leave out the shape: then the opcode and its operands stand here.
  bool at_shape() const {
    Cursor ahead = cursor_;
    const std::string_view word = ahead.word();
    return word.empty() || word == kBufferShape || ahead.peek() != '(';
  }

  bool shape(Instruction& instruction) {
    Index index;
    for (;;) {
      cursor_.blanks();
      if (cursor_.take("(")) {
        if (index.size() == kDeepest) return false;
        cursor_.blanks();
        if (cursor_.peek() != ')') {
          index.push_back(0);
          continue;
        }
        cursor_.take(")");
      } else if (!leaf(instruction, index)) {
        return false;
      }
      for (bool more = false; !more;) {
        if (index.empty()) return true;
        cursor_.blanks();
        if (cursor_.take(",")) {
          ++index.back();
          more = true;
        } else if (cursor_.take(")")) {
          index.pop_back();
        } else {
          return false;
        }
      }
    }
  }

  static constexpr std::string_view kBufferShape = "b";  // b(f32[4]): the same as a buffer that may be written to

  bool leaf(Instruction& instruction, const Index& index) {
    Leaf leaf;
    leaf.index = index;
    leaf.type = cursor_.word();
    const bool buffer = leaf.type == kBufferShape && cursor_.take("(");
    if (buffer) leaf.type = cursor_.word();
    if (leaf.type.empty() || instruction.leaves.size() == kMostLeaves) return false;
    bool known = true;
    if (cursor_.peek() == '[') {
      const auto dimensions = cursor_.bracketed();
      if (!dimensions) return false;
      for (std::string_view part : parts_of(*dimensions)) {
        if (part.starts_with("<=")) part.remove_prefix(2);  // at most so many: that is what is given memory
        const auto number = parse_int(part);
        if (!number && part != "?") return false;
        known = known && number && *number >= 0;
        leaf.dimensions.push_back(number.value_or(-1));
      }
    }
    auto bits = element_bits(leaf.type);
    if (cursor_.peek() == '{') {
      const auto layout = cursor_.bracketed();
      if (!layout) return false;
      leaf.memory_space = layout_value(*layout, "S(").value_or(0);
      if (const auto own = layout_value(*layout, "E("); own && bits && *own > 0 && *own <= 128)
        bits = static_cast<int>(*own);
    }
    const auto count = known ? element_count(leaf.dimensions) : std::nullopt;
    std::int64_t all = 0;
    if (bits && count && !__builtin_mul_overflow(*count, static_cast<std::int64_t>(*bits), &all)) {
      leaf.bytes = all / 8 + (all % 8 == 0 ? 0 : 1);
    }
    instruction.leaves.push_back(std::move(leaf));
    return !buffer || cursor_.take(")");
  }

  static std::optional<std::int64_t> layout_value(std::string_view layout, std::string_view key) {
    const std::size_t at = layout.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = layout.substr(at + key.size());
    return parse_int(rest.substr(0, std::min(rest.find(')'), rest.size())));
  }

  static void take_operands(Instruction& instruction, std::string_view text) {
    if (instruction.opcode == "constant") return;  // that is its value
    if (instruction.opcode == "parameter") {
      instruction.number = small_number(text);
      return;
    }
    for (std::string_view part : parts_of(text)) {
      // With or without the shape in front of the name.
      const std::size_t blank = part.find_last_of(" \t\n/");
      if (blank != std::string_view::npos) part.remove_prefix(blank + 1);
      instruction.operands.push_back(without_sign(part));
    }
  }

  void attributes(Instruction& instruction, std::string_view text) const {
    for (const std::string_view part : parts_of(text)) {
      const auto pair = split_first(part, "=");
      if (!pair) continue;
      std::string_view key = without_blanks(pair->before);
      key.remove_prefix(key.find_last_of(" \t\r\n/") + 1);  // a comment may stand before it; npos + 1 is 0
      const std::string_view value = without_blanks(pair->after);
      if (key == "index") instruction.number = small_number(value);
      if (key == "calls" || key == "to_apply" || key == "body" || key == "condition" || key == "true_computation" ||
          key == "false_computation") {
        instruction.called.push_back(without_sign(value));
      }
      if (key == "branch_computations" || key == "called_computations") {
        for (const std::string_view name : parts_of(inside(value))) instruction.called.push_back(without_sign(name));
      }
      if (key == "output_to_operand_aliasing") aliases(instruction, inside(value));
      if (key == "metadata") {
        instruction.op_name = word_value(value, "op_name=");
        instruction.source_file = word_value(value, "source_file=");
        instruction.source_line = word_value(value, "source_line=");
        if (instruction.source_file.empty()) {
          const Place place = sources_.of(word_value(value, "stack_frame_id="));
          instruction.source_file = place.file;
          instruction.source_line = place.line;
        }
      }
    }
  }

  /// "{0}: (1, {}), {1}: (0, {2})".
  static void aliases(Instruction& instruction, std::string_view text) {
    for (const std::string_view part : parts_of(text)) {
      const auto pair = split_first(part, ":");
      if (!pair) continue;
      const auto output = index_of(pair->before);
      const auto operand = parts_of(inside(pair->after));
      if (!output || operand.size() < 2) continue;
      const auto number = small_number(operand[0]);
      const auto index = index_of(operand[1]);
      if (number && index) instruction.aliasing.push_back(Aliasing{*output, *number, *index});
    }
  }

  std::string_view text_;
  Cursor cursor_;
  const std::function<void(std::size_t, std::string_view)>& complain_;
  SourceTables sources_;
};

}  // namespace

Result<Module> read_module(std::string_view text, const std::function<void(std::size_t, std::string_view)>& complain) {
  return Parser(text, complain).run();
}

}  // namespace stowage::hlo
