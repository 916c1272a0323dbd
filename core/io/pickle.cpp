#include "core/io/pickle.h"

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "core/base/chunked.h"
#include "core/io/intake.h"

namespace stowage {
namespace {

using Value = ValueTree::Value;

/// Opcodes that would look something up, make an object or call it.
struct Refused {
  char code;
  std::string_view name;
};
constexpr std::array kRefused = {Refused{'c', "GLOBAL"},
                                 Refused{'\x93', "STACK_GLOBAL"},
                                 Refused{'R', "REDUCE"},
                                 Refused{'b', "BUILD"},
                                 Refused{'i', "INST"},
                                 Refused{'o', "OBJ"},
                                 Refused{'\x81', "NEWOBJ"},
                                 Refused{'\x92', "NEWOBJ_EX"},
                                 Refused{'\x82', "EXT1"},
                                 Refused{'\x83', "EXT2"},
                                 Refused{'\x84', "EXT4"},
                                 Refused{'P', "PERSID"},
                                 Refused{'Q', "BINPERSID"},
                                 Refused{'\x97', "NEXT_BUFFER"},
                                 Refused{'\x98', "READONLY_BUFFER"}};

constexpr std::size_t kMostWaiting = std::size_t{4} << 20;  // values on the stack; Python writes them in thousands
constexpr std::size_t kFreeBytes = std::size_t{64} << 20;

/// Of up to eight bytes, whatever the order of this machine.
std::uint64_t little_endian(std::string_view digits, std::uint64_t above = 0) {
  for (std::size_t i = digits.size(); i-- > 0;) above = above << 8U | static_cast<unsigned char>(digits[i]);
  return above;
}

class Machine {
 public:
  Machine(std::string_view bytes, ValueTree& tree, const ReadWatch* watch)
      : bytes_(bytes), tree_(tree), pass_(watch, bytes.size()) {}

  Result<Value> run() {
    while (!failed_) {
      if (at_ == bytes_.size()) {
        fail("the pickle breaks off before its end");
        break;
      }
      op_ = at_;
      if (!pass_.goes_on(at_)) {
        fail("the reading was stopped");
        break;
      }
      const char code = bytes_[at_++];
      if (code == '.') {
        if (stack_.empty()) fail("the pickle holds nothing");
        break;
      }
      execute(code);
      if ((++steps_ & 0xFFFFU) == 0 && tree_.bytes() + 8 * memo_.size() > kFreeBytes + 2 * bytes_.size()) {
        fail("what this pickle unfolds to is more than twice its size");
      }
    }
    if (failed_) return input_error(message_);
    return stack_.back();
  }

 private:
  void fail(std::string_view why) {
    if (failed_) return;
    failed_ = true;
    message_ = fmt::format("byte {}: {}", op_, why);
  }

  // What the input says next; on failure something harmless.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      fail(fmt::format("{} bytes are announced, {} are left", count, bytes_.size() - at_));
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }
  std::uint64_t number(std::size_t width) { return little_endian(take(width)); }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    const std::string_view taken = bytes_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
    return taken;
  }

  void push(Value value) {
    if (stack_.size() >= kMostWaiting) return fail("too many values wait for a list or dict to hold them");
    stack_.push_back(value);
  }
  bool need(std::size_t count) {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < floor + count) fail("the pickle takes a value that is not there");
    return !failed_;
  }
  /// The values above the last mark, which goes.
  std::optional<std::size_t> pop_mark() {
    if (marks_.empty()) {
      fail("the pickle ends a list that it did not begin");
      return std::nullopt;
    }
    const std::size_t begin = marks_.back();
    marks_.pop_back();
    return begin;
  }
  std::span<const Value> above(std::size_t begin) const { return {stack_.data() + begin, stack_.size() - begin}; }

  /// Makes a list or dict of what lies above `begin`.
  void gather(std::size_t begin, bool dict) {
    const Value made = dict ? tree_.dict() : tree_.list();
    if (dict) {
      set(made, above(begin));
    } else {
      tree_.append(made, above(begin));
    }
    stack_.resize(begin);
    push(made);
  }
  void set(Value dict, std::span<const Value> pairs) {
    if (pairs.size() % 2 != 0) return fail("a dict ends behind a key");
    tree_.set(dict, pairs);
  }
  /// Adds what lies above `begin` to the container below it.
  void extend(std::size_t begin, ValueTree::Kind kind) {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (begin <= floor || stack_[begin - 1].kind() != kind) {
      return fail("the pickle adds to something that is not the right kind of container");
    }
    if (kind == ValueTree::Kind::kDict) {
      set(stack_[begin - 1], above(begin));
    } else {
      tree_.append(stack_[begin - 1], above(begin));
    }
    stack_.resize(begin);
  }
  void extend_marked(ValueTree::Kind kind) {
    if (const auto begin = pop_mark()) extend(*begin, kind);
  }
  void tuple(std::size_t count) {
    if (need(count)) gather(stack_.size() - count, false);
  }

  void remember(std::uint64_t number) {
    if (!need(1)) return;
    if (number == memo_.size()) {
      memo_.push_back(stack_.back());
    } else if (number < memo_.size()) {
      memo_[static_cast<std::size_t>(number)] = stack_.back();
    } else {
      far_memo_[number] = stack_.back();
    }
  }
  void recall(std::uint64_t number) {
    if (number < memo_.size()) return push(memo_[static_cast<std::size_t>(number)]);
    const auto found = far_memo_.find(number);
    if (found == far_memo_.end())
      return fail(fmt::format("the pickle recalls value {}, which was never there", number));
    push(found->second);
  }

  /// Little endian, two's complement, any length.
  void long_integer(std::string_view digits) {
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
    const char fill = negative ? '\xFF' : '\0';
    while (digits.size() > 8 && digits.back() == fill) digits.remove_suffix(1);
    if (digits.size() > 8) return push(ValueTree::no_integer());
    const std::uint64_t value = little_endian(digits, negative ? ~std::uint64_t{0} : 0);
    const bool top = (value >> 63U) != 0;
    if (!negative) return push(tree_.natural(value));
    push(top ? tree_.integer(static_cast<std::int64_t>(value)) : ValueTree::no_integer());
  }

  /// "os.system" for the two lines behind GLOBAL or the two texts below STACK_GLOBAL.
  std::string called(char code) {
    if (code == 'c' || code == 'i') {
      const std::string module = shown(line());
      return fmt::format(" {}.{}", module, shown(line()));
    }
    if (code == '\x93' && stack_.size() >= 2) {
      return fmt::format(" {}.{}", shown(tree_.to_text(stack_[stack_.size() - 2])),
                         shown(tree_.to_text(stack_.back())));
    }
    return {};
  }

  void refuse(char code) {
    for (const Refused& refused : kRefused) {
      if (refused.code == code) {
        return fail(fmt::format(
            "this pickle uses {}{}, which would run code when Python loads it; only plain data is read here, and "
            "nothing was run",
            refused.name, called(code)));
      }
    }
    fail(fmt::format("opcode 0x{:02x} is none of plain data in protocols 2 to 5", static_cast<unsigned char>(code)));
  }

  void execute(char code) {
    using Kind = ValueTree::Kind;
    switch (code) {
      case '\x80':  // PROTO
        if (const std::uint64_t version = number(1); version > 5) {
          fail(fmt::format("this is pickle protocol {}; 2 to 5 are read", version));
        }
        return;
      case '\x95':  // FRAME
        if (const std::uint64_t length = number(8); length > bytes_.size() - at_) {
          fail(fmt::format("a frame of {} bytes is announced, {} are left", length, bytes_.size() - at_));
        }
        return;
      case '(':
        if (marks_.size() >= kMostWaiting) return fail("lists are nested too deeply");
        return marks_.push_back(stack_.size());
      case 'N':
        return push(ValueTree::null());
      case '\x88':
        return push(ValueTree::boolean(true));
      case '\x89':
        return push(ValueTree::boolean(false));
      case 'J':
        return push(tree_.integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4)))));
      case 'K':
        return push(tree_.natural(number(1)));
      case 'M':
        return push(tree_.natural(number(2)));
      case '\x8A':  // LONG1
        return long_integer(take(number(1)));
      case '\x8B':  // LONG4
        return long_integer(take(number(4)));
      case 'G':  // BINFLOAT
        take(8);
        return push(ValueTree::no_integer());
      case '\x8C':  // SHORT_BINUNICODE
      case 'U':     // SHORT_BINSTRING
      case 'C':     // SHORT_BINBYTES
        return push(tree_.text(take(number(1))));
      case 'X':  // BINUNICODE
      case 'T':  // BINSTRING
      case 'B':  // BINBYTES
        return push(tree_.text(take(number(4))));
      case '\x8D':  // BINUNICODE8
      case '\x8E':  // BINBYTES8
      case '\x96':  // BYTEARRAY8
        return push(tree_.text(take(number(8))));
      case '}':
        return push(tree_.dict());
      case ']':
      case ')':
      case '\x8F':  // EMPTY_SET
        return push(tree_.list());
      case 'd':
      case 'l':
      case 't':
      case '\x91':  // FROZENSET
        if (const auto begin = pop_mark()) gather(*begin, code == 'd');
        return;
      case '\x85':
        return tuple(1);
      case '\x86':
        return tuple(2);
      case '\x87':
        return tuple(3);
      case 'a':  // APPEND
        if (need(1)) extend(stack_.size() - 1, Kind::kList);
        return;
      case 'e':     // APPENDS
      case '\x90':  // ADDITEMS
        return extend_marked(Kind::kList);
      case 's':  // SETITEM
        if (need(2)) extend(stack_.size() - 2, Kind::kDict);
        return;
      case 'u':
        return extend_marked(Kind::kDict);
      case 'h':
        return recall(number(1));
      case 'j':
        return recall(number(4));
      case 'q':
        return remember(number(1));
      case 'r':
        return remember(number(4));
      case '\x94':
        return remember(memo_.size());
      case '0':  // POP
        if (need(1)) stack_.pop_back();
        return;
      case '1':  // POP_MARK
        if (const auto begin = pop_mark()) stack_.resize(*begin);
        return;
      case '2':  // DUP
        if (need(1)) push(stack_.back());
        return;
      default:
        refuse(code);
    }
  }

  std::string_view bytes_;
  ValueTree& tree_;
  WatchedPass pass_;
  std::size_t at_ = 0;
  std::size_t op_ = 0;  // byte of the opcode that is executed
  std::uint64_t steps_ = 0;
  bool failed_ = false;
  std::string message_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  Chunked<Value> memo_;
  std::unordered_map<std::uint64_t, Value> far_memo_;  // numbers out of order
};

}  // namespace

Result<Value> read_pickle(std::string_view bytes, ValueTree& tree, const ReadWatch* watch) {
  return Machine(bytes, tree, watch).run();
}

}  // namespace stowage
