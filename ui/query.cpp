#include "ui/query.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/text.h"

namespace stowage {
namespace {

/// Whether `text` contains `lower`, which is in lower case; ASCII letters only are folded.
bool contains(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(a))) == b;
  };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

}  // namespace

Result<BufferQuery::Term> BufferQuery::parse_term(std::string_view word) {
  Term term;
  if (word.size() >= 2 && word.front() == '/' && word.back() == '/') {
    term.kind = Kind::kRegex;
    try {
      const std::string pattern(word.substr(1, word.size() - 2));
      term.regex = std::make_shared<const std::regex>(pattern, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error&) {
      return usage_error(std::string(word) + ": not a regular expression");
    }
    return term;
  }
  if (word.rfind("kind:", 0) == 0) {
    term.kind = Kind::kKind;
    term.text = to_lower(word.substr(5));
    return term;
  }
  if (word.rfind("at:", 0) == 0) {
    const auto step = parse_int(word.substr(3));
    if (!step) return usage_error(std::string(word) + ": at: wants a step, such as at:156");
    term.kind = Kind::kAt;
    term.number = *step;
    return term;
  }
  constexpr std::pair<std::string_view, Kind> signs[] = {
      {"size>=", Kind::kGreaterEqual}, {"size<=", Kind::kLessEqual}, {"size>", Kind::kGreater},
      {"size<", Kind::kLess},          {"size=", Kind::kEqual},
  };
  for (const auto& [sign, kind] : signs) {
    if (word.rfind(sign, 0) != 0) continue;
    const auto bytes = parse_bytes(word.substr(sign.size()));
    if (!bytes) return usage_error(std::string(word) + ": not a number of bytes, such as size>1MiB");
    term.kind = kind;
    term.number = *bytes;
    return term;
  }
  term.text = to_lower(word);
  return term;
}

Result<BufferQuery> BufferQuery::parse(std::string_view text) {
  BufferQuery query;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    auto term = parse_term(word);
    if (!term) return tl::unexpected<Error>(term.error());
    query.terms_.push_back(std::move(*term));
  }
  return query;
}

bool BufferQuery::holds(const Term& term, const Problem& problem, BufferIndex i) {
  const Buffer& buffer = problem[i];
  switch (term.kind) {
    case Kind::kText: {
      if (contains(problem.id(i), term.text) || contains(problem.kind(i), term.text)) return true;
      const Details* details = problem.details(i);
      return details != nullptr && (contains(details->op, term.text) || contains(details->source, term.text));
    }
    case Kind::kRegex: {
      const std::string_view id = problem.id(i);
      return std::regex_search(id.begin(), id.end(), *term.regex);
    }
    case Kind::kKind:
      return contains(problem.kind(i), term.text);
    case Kind::kAt:
      return buffer.start <= term.number && term.number < buffer.end;
    case Kind::kLess:
      return buffer.size < term.number;
    case Kind::kLessEqual:
      return buffer.size <= term.number;
    case Kind::kGreater:
      return buffer.size > term.number;
    case Kind::kGreaterEqual:
      return buffer.size >= term.number;
    case Kind::kEqual:
      return buffer.size == term.number;
  }
  return false;
}

bool BufferQuery::matches(const Problem& problem, BufferIndex buffer) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) { return holds(term, problem, buffer); });
}

}  // namespace stowage
