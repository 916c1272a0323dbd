#include "ui/query.h"

#include <algorithm>
#include <cctype>
#include <regex>
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

struct BufferQuery::Expression {
  std::regex regex;
};

Result<BufferQuery::Term> BufferQuery::parse_term(std::string_view word) {
  Term term;
  if (word.size() >= 2 && word.front() == '/' && word.back() == '/') {
    term.kind = Kind::kRegex;
    try {
      const std::string pattern(word.substr(1, word.size() - 2));
      term.expression = std::make_shared<const Expression>(
          Expression{std::regex(pattern, std::regex::ECMAScript | std::regex::icase)});
    } catch (const std::regex_error&) {
      return usage_error(std::string(word) + ": not a regular expression");
    }
    return term;
  }
  constexpr std::pair<std::string_view, Kind> parts[] = {
      {"kind:", Kind::kKind}, {"op:", Kind::kOp}, {"space:", Kind::kSpace}};
  for (const auto& [prefix, kind] : parts) {
    if (word.rfind(prefix, 0) != 0) continue;
    term.kind = kind;
    term.text = to_lower(word.substr(prefix.size()));
    return term;
  }
  if (word.rfind("is:", 0) == 0) {
    constexpr std::pair<std::string_view, Kind> states[] = {
        {"is:pinned", Kind::kPinned}, {"is:tied", Kind::kTied},         {"is:empty", Kind::kEmpty},
        {"is:moved", Kind::kMoved},   {"is:selected", Kind::kSelected},
    };
    for (const auto& [name, kind] : states) {
      if (word != name) continue;
      term.kind = kind;
      return term;
    }
    return usage_error(std::string(word) + ": only is:pinned, is:tied, is:empty, is:moved and is:selected are known");
  }
  if (word.rfind("at:", 0) == 0) {
    const auto step = parse_int(word.substr(3));
    if (!step) return usage_error(std::string(word) + ": at: wants a step, such as at:156");
    term.kind = Kind::kAt;
    term.number = *step;
    return term;
  }
  constexpr std::pair<std::string_view, Field> fields[] = {{"size", Field::kSize}, {"life", Field::kLife}};
  for (const auto& [name, field] : fields) {
    const std::string_view rest = word.size() > name.size() ? word.substr(name.size()) : std::string_view();
    const bool compares = !rest.empty() && (rest[0] == '<' || rest[0] == '>' || rest[0] == '=');
    if (word.rfind(name, 0) == 0 && compares) return parse_number(word, field, rest);
  }
  term.text = to_lower(word);
  return term;
}

/// `rest` is what follows the field: ">=64KiB".
Result<BufferQuery::Term> BufferQuery::parse_number(std::string_view word, Field field, std::string_view rest) {
  constexpr std::pair<std::string_view, Sign> signs[] = {{">=", Sign::kGreaterEqual},
                                                         {"<=", Sign::kLessEqual},
                                                         {">", Sign::kGreater},
                                                         {"<", Sign::kLess},
                                                         {"=", Sign::kEqual}};
  for (const auto& [sign, meaning] : signs) {
    if (rest.rfind(sign, 0) != 0) continue;
    const std::string_view digits = rest.substr(sign.size());
    const auto number = field == Field::kSize ? parse_bytes(digits) : parse_int(digits);
    if (!number) {
      return usage_error(std::string(word) + (field == Field::kSize ? ": not a number of bytes, such as size>1MiB"
                                                                    : ": not a number of steps, such as life>10"));
    }
    Term term;
    term.kind = Kind::kNumber;
    term.sign = meaning;
    term.field = field;
    term.number = *number;
    return term;
  }
  return usage_error(std::string(word) + ": no comparison");
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

bool BufferQuery::asks(Kind kind) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) { return term.kind == kind; });
}

bool BufferQuery::holds(const Term& term, const Problem& problem, BufferIndex i, const Marks& marks) {
  const Buffer& buffer = problem[i];
  switch (term.kind) {
    case Kind::kText: {
      if (contains(problem.id(i), term.text) || contains(problem.kind(i), term.text)) return true;
      const Details* details = problem.details(i);
      return details != nullptr && (contains(details->op, term.text) || contains(details->source, term.text));
    }
    case Kind::kRegex: {
      const std::string_view id = problem.id(i);
      return std::regex_search(id.begin(), id.end(), term.expression->regex);
    }
    case Kind::kKind:
      return contains(problem.kind(i), term.text);
    case Kind::kOp: {
      const Details* details = problem.details(i);
      return contains(details != nullptr ? std::string_view(details->op) : std::string_view(), term.text);
    }
    case Kind::kSpace:
      return contains(problem.spaces()[buffer.space].id, term.text);
    case Kind::kAt:
      return buffer.start <= term.number && term.number < buffer.end;
    case Kind::kPinned:
      return buffer.is_fixed();
    case Kind::kTied:
      return problem.bodies().of(i) != Bodies::kNone;
    case Kind::kEmpty:
      return !buffer.takes_memory();
    case Kind::kMoved:
      return i < marks.moved.size() && marks.moved[i];
    case Kind::kSelected:
      return i < marks.selected.size() && marks.selected[i];
    case Kind::kNumber: {
      const std::int64_t value = term.field == Field::kSize ? buffer.size : buffer.lifetime();
      switch (term.sign) {
        case Sign::kLess:
          return value < term.number;
        case Sign::kLessEqual:
          return value <= term.number;
        case Sign::kGreater:
          return value > term.number;
        case Sign::kGreaterEqual:
          return value >= term.number;
        case Sign::kEqual:
          return value == term.number;
      }
    }
  }
  return false;
}

bool BufferQuery::matches(const Problem& problem, BufferIndex buffer, const Marks& marks) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, problem, buffer, marks); });
}

}  // namespace stowage
