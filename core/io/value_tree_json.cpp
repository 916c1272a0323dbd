#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/json.h"
#include "core/io/json_letters.h"
#include "core/io/value_tree.h"

namespace stowage {
namespace {

using Value = ValueTree::Value;

/// Goes over a valid text once; open containers wait on stacks of its own, so that depth costs no recursion.
class Reader {
 public:
  Reader(std::string_view text, ValueTree& tree, WatchedPass pass) : text_(text), tree_(tree), pass_(pass) {}

  Value run() {
    for (at_ = 0; at_ < text_.size();) {
      if (!pass_.goes_on(at_)) return ValueTree::null();
      const char c = text_[at_];
      if (is_space(c)) {
        ++at_;
      } else if (c == '{' || c == '[') {
        open_.push_back({stack_.size(), c == '{'});
        ++at_;
      } else if (c == '}' || c == ']') {
        close();
        ++at_;
      } else {
        stack_.push_back(c == '"' ? string() : literal());
      }
    }
    return stack_.empty() ? ValueTree::null() : stack_.front();
  }

 private:
  struct Open {
    std::size_t begin = 0;  // of its items on the stack
    bool dict = false;
  };

  static bool is_space(char c) { return json::is_blank(c) || c == ',' || c == ':'; }

  void close() {
    const Open open = open_.back();
    open_.pop_back();
    const std::span<const Value> items(stack_.data() + open.begin, stack_.size() - open.begin);
    const Value made = open.dict ? tree_.dict() : tree_.list();
    if (open.dict) {
      tree_.set(made, items);
    } else {
      tree_.append(made, items);
    }
    stack_.resize(open.begin);
    stack_.push_back(made);
  }

  Value string() {
    const std::size_t begin = at_++;
    bool escaped = false;
    while (text_[at_] != '"') {
      escaped = escaped || text_[at_] == '\\';
      at_ += text_[at_] == '\\' ? 2U : 1U;
    }
    ++at_;
    const std::string_view written = text_.substr(begin, at_ - begin);
    const auto known = strings_.find(written);
    if (known != strings_.end()) return known->second;
    const Value made =
        escaped ? tree_.own_text(json::decode({written})) : tree_.text(written.substr(1, written.size() - 2));
    constexpr std::size_t most = 100'000;  // distinct texts; what comes later is rarely seen again
    if (strings_.size() < most) strings_.emplace(written, made);
    return made;
  }

  Value literal() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '}' && text_[at_] != ']') ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "null") return ValueTree::null();
    if (word == "true" || word == "false") return ValueTree::boolean(word == "true");
    const json::Value number{word};
    if (const auto value = json::to_int64(number)) return tree_.integer(*value);
    if (const auto value = json::to_uint64(number)) return tree_.natural(*value);
    return real(word);
  }

  /// Programs that keep numbers as doubles write "64.0" and "1e3": integers, as far as doubles hold each of them.
  Value real(std::string_view word) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc{}) return ValueTree::no_integer();
    if (std::abs(value) <= exact && std::trunc(value) == value) return tree_.integer(static_cast<std::int64_t>(value));
    return tree_.real(value);
  }

  std::string_view text_;
  ValueTree& tree_;
  WatchedPass pass_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::vector<Value> stack_;
  std::unordered_map<std::string_view, Value> strings_;
};

}  // namespace

Value read_json_tree(std::string_view text, ValueTree& tree, WatchedPass pass) {
  return Reader(text, tree, pass).run();
}

}  // namespace stowage
