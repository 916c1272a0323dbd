#include "core/io/json_outline.h"

#include <algorithm>
#include <cstddef>

#include "core/io/json_letters.h"

namespace stowage::json {
namespace {

constexpr std::size_t kMostKeys = 1000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Goes over a text that may break off or be wrong anywhere.
class Skipper {
 public:
  explicit Skipper(std::string_view text) : text_(text) {}

  char look() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (look() != c) return false;
    ++at_;
    return true;
  }
  /// The letters of a string as they are written.
  std::string_view string() {
    const std::size_t begin = at_ + 1;
    if (!take('"')) return {};
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
    const std::size_t end = std::min(at_, text_.size());
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(std::min(begin, end), end - std::min(begin, end));
  }
  void value() {
    const char first = look();
    if (first == '"') {
      string();
    } else if (first == '{' || first == '[') {
      container();
    } else {
      while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}' && text_[at_] != ']') ++at_;
    }
  }

 private:
  void container() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        string();
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Takes the keys of an object; `outline` receives those of the members that it tells more about.
void read_keys(Skipper& text, std::vector<std::string>& keys, Outline* outline) {
  if (!text.take('{')) return;
  while (keys.size() < kMostKeys && text.look() == '"') {
    keys.emplace_back(text.string());
    if (!text.take(':')) return;
    if (outline != nullptr && keys.back() == "problem" && text.look() == '{') {
      outline->problem_keys.clear();
      read_keys(text, outline->problem_keys, nullptr);
      if (!text.take('}')) return;
    } else {
      if (outline != nullptr && keys.back() == "buffers" && text.look() == '[') {
        Skipper ahead = text;
        ahead.take('[');
        outline->buffer_keys.clear();
        read_keys(ahead, outline->buffer_keys, nullptr);
      }
      text.value();
    }
    if (!text.take(',')) return;
  }
}

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace

bool Outline::has(std::string_view key) const {
  return contains(keys, key);
}

bool Outline::problem_has(std::string_view key) const {
  return contains(problem_keys, key);
}

bool Outline::buffer_has(std::string_view key) const {
  return contains(buffer_keys, key);
}

bool looks_like_json(std::string_view text) {
  const char first = Skipper(without_mark(text)).look();
  return first == '{' || first == '[';
}

Outline outline_of(std::string_view text) {
  Outline outline;
  Skipper skipper(without_mark(text));
  outline.array = skipper.take('[');
  read_keys(skipper, outline.keys, outline.array ? nullptr : &outline);
  return outline;
}

}  // namespace stowage::json
