#include "core/io/hlo_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/io/text_lines.h"

namespace stowage::hlo {
namespace {

constexpr std::size_t kDeepest = 64;             // tuples inside tuples
constexpr std::size_t kMostLeaves = 65536;       // of one instruction
constexpr std::string_view kBlanks = " \t\r\n";  // lines may end with CRLF

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct TypeRow {
  std::string_view name;
  int bits;
  DataType like;
};

constexpr std::array<TypeRow, 33> kTypes = {{
    {"pred", 8, DataType::kBool},
    {"s1", 1, DataType::kInt4},
    {"s2", 2, DataType::kInt4},
    {"s4", 4, DataType::kInt4},
    {"s8", 8, DataType::kInt8},
    {"s16", 16, DataType::kInt16},
    {"s32", 32, DataType::kInt32},
    {"s64", 64, DataType::kInt64},
    {"u1", 1, DataType::kUint4},
    {"u2", 2, DataType::kUint4},
    {"u4", 4, DataType::kUint4},
    {"u8", 8, DataType::kUint8},
    {"u16", 16, DataType::kUint16},
    {"u32", 32, DataType::kUint32},
    {"u64", 64, DataType::kUint64},
    {"f16", 16, DataType::kFloat16},
    {"bf16", 16, DataType::kBfloat16},
    {"f32", 32, DataType::kFloat32},
    {"f64", 64, DataType::kFloat64},
    {"c64", 64, DataType::kComplex64},
    {"c128", 128, DataType::kComplex128},
    {"f8e5m2", 8, DataType::kFloat8},
    {"f8e4m3", 8, DataType::kFloat8},
    {"f8e4m3fn", 8, DataType::kFloat8},
    {"f8e4m3b11fnuz", 8, DataType::kFloat8},
    {"f8e4m3fnuz", 8, DataType::kFloat8},
    {"f8e5m2fnuz", 8, DataType::kFloat8},
    {"f8e3m4", 8, DataType::kFloat8},
    {"f8e8m0fnu", 8, DataType::kFloat8},
    {"f4e2m1fn", 4, DataType::kUint4},
    {"token", 0, DataType::kUint8},
    {"opaque", 0, DataType::kUint8},
    {"tuple", 0, DataType::kUint8},
}};

const TypeRow* row_of(std::string_view type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.name == type; });
  return found == kTypes.end() ? nullptr : &*found;
}

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_' || letter == '-' || letter == '.';
}

/// A place in the text that moves to the right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void go(std::size_t at) { at_ = at; }
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  std::string_view from(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  /// Spaces, line ends and comments.
  void blanks() {
    while (!done()) {
      if (comment()) {
        continue;
      } else if (kBlanks.find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// A comment that begins here; up to the line end, which stays, when it is one of a line.
  bool comment() {
    if (ahead("//")) {
      line();
      return true;
    }
    if (!ahead("/*")) return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    return true;
  }

  bool ahead(std::string_view letters) const { return text_.substr(at_).starts_with(letters); }

  bool take(std::string_view letters) {
    if (!ahead(letters)) return false;
    at_ += letters.size();
    return true;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (!done() && is_word(text_[at_])) ++at_;
    return from(begin);
  }

  /// What stands between a bracket here and the one that closes it, which is passed; nothing when none does.
  std::optional<std::string_view> bracketed() {
    const std::size_t begin = at_ + 1;
    if (!pass(false)) return std::nullopt;
    return text_.substr(begin, at_ - begin - 1);
  }

  /// To the end of the line in which all brackets that open are closed and no comma asks for more. False when the text
  /// ends before.
  bool statement() { return pass(true); }

  void line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

 private:
  /// Over brackets, texts and comments: to behind the bracket that closes the first, or to a line end outside all.
  bool pass(bool to_line_end) {
    std::size_t depth = 0;
    char last = ' ';  // before the blanks and comments here
    while (!done()) {
      const char letter = text_[at_];
      if (letter == '"') {
        if (!quoted()) return false;
        last = letter;
        continue;
      }
      if (comment()) continue;
      if (to_line_end && depth == 0 && ((letter == '\n' && last != ',') || letter == '}')) return true;
      ++at_;
      if (kBlanks.find(letter) == std::string_view::npos) last = letter;
      if (letter == '(' || letter == '{' || letter == '[') ++depth;
      if ((letter == ')' || letter == '}' || letter == ']') && depth > 0 && --depth == 0 && !to_line_end) return true;
    }
    return to_line_end && depth == 0;
  }

  bool quoted() {
    for (++at_; !done(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    at_ = text_.size();
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The parts between commas that stand outside brackets and texts.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char letter = at < text.size() ? text[at] : ',';
    if (in_text) {
      if (letter == '\\') ++at;
      in_text = letter != '"' && at < text.size();
      continue;
    }
    in_text = letter == '"';
    if (letter == '(' || letter == '{' || letter == '[') ++depth;
    if ((letter == ')' || letter == '}' || letter == ']') && depth > 0) --depth;
    if (letter != ',' || (depth > 0 && at < text.size())) continue;
    const std::string_view part = without_blanks(text.substr(begin, std::min(at, text.size()) - begin));
    if (!part.empty()) parts.push_back(part);
    begin = at + 1;
  }
  return parts;
}

std::string_view without_sign(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

std::string_view inside(std::string_view text) {
  text = without_blanks(text);
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : std::string_view();
}

std::optional<std::uint32_t> small_number(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < 0 || *number > 0xFFFFFF) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

/// "{1, 0}" or "{}".
std::optional<Index> index_of(std::string_view text) {
  Index index;
  for (const std::string_view part : parts_of(inside(text))) {
    const auto number = small_number(part);
    if (!number) return std::nullopt;
    index.push_back(*number);
  }
  return index;
}

/// The value of `key=` among words; texts without their quotes.
std::string_view word_value(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '{') continue;
    std::string_view rest = text.substr(at + key.size());
    if (rest.starts_with('"')) return rest.substr(1, std::min(rest.find('"', 1), rest.size()) - 1);
    return rest.substr(0, std::min(rest.find_first_of(" }"), rest.size()));
  }
  return {};
}

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

std::optional<int> element_bits(std::string_view type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? std::nullopt : std::optional<int>(row->bits);
}

DataType data_type_of(std::string_view type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? DataType::kUint8 : row->like;
}

Result<Module> read_module(std::string_view text, const std::function<void(std::size_t, std::string_view)>& complain) {
  return Parser(text, complain).run();
}

}  // namespace stowage::hlo
