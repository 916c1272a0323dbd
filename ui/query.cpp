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

/// A word as it was typed; a phrase is text, whatever is in it.
struct Word {
  std::string text;
  bool phrase = false;
};

/// Where an expression that begins here ends: behind a stroke before a blank or the end; npos when it does not.
std::size_t end_of_expression(std::string_view text) {
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '\\') {
      ++k;
    } else if (text[k] == '/' && (k + 1 == text.size() || text[k + 1] == ' ')) {
      return k + 1;
    }
  }
  return std::string_view::npos;
}

/// Blanks separate words, but not within "..." at the beginning or after a colon or an equals sign, nor within /.../. A
/// quote that is not closed, perhaps not yet, goes to the end.
std::vector<Word> words_of_query(std::string_view text) {
  std::vector<Word> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return words;
    Word word;
    const std::size_t expression = text.front() == '/' ? end_of_expression(text) : std::string_view::npos;
    if (expression != std::string_view::npos) {
      word.text = text.substr(0, expression);
      text.remove_prefix(expression);
    } else {
      word.phrase = text.front() == '"';
      while (!text.empty() && text.front() != ' ') {
        const char last = word.text.empty() ? ':' : word.text.back();
        const bool opens = text.front() == '"' && (last == ':' || last == '=' || word.text == "!");
        const std::size_t close = opens ? std::min(text.find('"', 1), text.size()) : 0;
        word.text += opens ? text.substr(1, close - 1) : text.substr(0, 1);
        text.remove_prefix(std::min(opens ? close + 1 : 1, text.size()));
      }
    }
    if (!word.text.empty()) words.push_back(std::move(word));
  }
}

constexpr std::size_t kLongestExpression = 100;
constexpr std::size_t kMostRepeats = 100;
constexpr std::size_t kLongestSearched = 256;  // of a text that is compared with an expression

/// How often counted repetitions, one in the other, could repeat something: "(a{10}){20}" 200 times.
std::size_t repeats_of(std::string_view pattern) {
  std::size_t product = 1;
  std::size_t number = 0;
  bool counts = false;
  for (const char c : pattern) {
    if (c == '{') number = 0;
    counts = c == '{' || (counts && c != '}');
    const bool digit = c >= '0' && c <= '9';
    if (counts && digit && number <= kMostRepeats) number = number * 10 + static_cast<std::size_t>(c - '0');
    if (c == '}' && number > 1 && product <= kMostRepeats) product *= number;
  }
  return product;
}

}  // namespace

struct BufferQuery::Expression {
  std::regex regex;

  bool found_in(std::string_view text) const {
    text = text.substr(0, kLongestSearched);
    return std::regex_search(text.begin(), text.end(), regex);
  }
};

/// Its work is bounded: by its length and repetitions, by the length of the texts, and where the library can by a way
/// of matching whose time grows with the length only, not exponentially as with going back.
Result<BufferQuery::Term> BufferQuery::parse_expression(std::string_view word) {
  Term term;
  term.kind = Kind::kRegex;
  const std::string pattern(word.substr(1, word.size() - 2));
  if (pattern.size() > kLongestExpression || repeats_of(pattern) > kMostRepeats) {
    return usage_error(std::string(word) + ": too long an expression");
  }
  auto flags = std::regex::ECMAScript | std::regex::icase | std::regex::nosubs;
#ifdef __GLIBCXX__
  flags |= std::regex_constants::__polynomial;
#endif
  try {
    term.expression = std::make_shared<const Expression>(Expression{std::regex(pattern, flags)});
  } catch (const std::regex_error&) {
    return usage_error(std::string(word) + ": not a regular expression");
  }
  return term;
}

Result<BufferQuery::Term> BufferQuery::parse_term(std::string_view word) {
  if (word.size() >= 2 && word.front() == '!') {
    auto term = parse_term(word.substr(1));
    if (term) term->negated = !term->negated;
    return term;
  }
  if (word.size() >= 2 && word.front() == '/' && word.back() == '/') return parse_expression(word);
  Term term;
  constexpr std::pair<std::string_view, Kind> parts[] = {
      {"kind", Kind::kKind}, {"op", Kind::kOp}, {"space", Kind::kSpace}};
  for (const auto& [name, kind] : parts) {
    if (word.rfind(name, 0) != 0 || word.size() == name.size()) continue;
    const char sign = word[name.size()];
    if (sign != ':' && sign != '=') continue;
    term.kind = kind;
    term.exact = sign == '=';
    const std::string_view rest = word.substr(name.size() + 1);
    term.text = term.exact ? std::string(rest) : to_lower(rest);
    return term;
  }
  if (word.rfind("is:", 0) == 0) {
    constexpr std::pair<std::string_view, Kind> states[] = {
        {"is:pinned", Kind::kPinned},        {"is:tied", Kind::kTied},          {"is:empty", Kind::kEmpty},
        {"is:moved", Kind::kMoved},          {"is:moved-up", Kind::kMovedUp},   {"is:moved-down", Kind::kMovedDown},
        {"is:same-place", Kind::kSamePlace}, {"is:only-here", Kind::kOnlyHere}, {"is:reusing", Kind::kReusing},
        {"is:selected", Kind::kSelected},
    };
    for (const auto& [name, kind] : states) {
      if (word != name) continue;
      term.kind = kind;
      return term;
    }
    return usage_error(std::string(word) +
                       ": only is:pinned, is:tied, is:empty, is:reusing, is:selected, is:moved, is:moved-up, "
                       "is:moved-down, is:same-place and is:only-here are known");
  }
  if (word == "at:cursor") {
    term.kind = Kind::kAtCursor;
    return term;
  }
  if (word.rfind("at:", 0) == 0) {
    const auto step = parse_int(word.substr(3));
    if (!step) return usage_error(std::string(word) + ": at: wants a step or the cursor, such as at:156 or at:cursor");
    term.kind = Kind::kAt;
    term.number = *step;
    return term;
  }
  if (word.rfind("row%", 0) == 0) return parse_every(word);
  constexpr std::pair<std::string_view, Field> fields[] = {
      {"size", Field::kSize}, {"life", Field::kLife}, {"row", Field::kRow}, {"waste", Field::kWaste}};
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
    const bool bytes = field == Field::kSize || field == Field::kWaste;
    const auto number = bytes ? parse_bytes(digits) : parse_int(digits);
    if (!number) {
      return usage_error(std::string(word) + (bytes                   ? ": not a number of bytes, such as size>1MiB"
                                              : field == Field::kLife ? ": not a number of steps, such as life>10"
                                                                      : ": not the number of a row, such as row>10"));
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

/// "row%8=3"
Result<BufferQuery::Term> BufferQuery::parse_every(std::string_view word) {
  const std::string_view rest = word.substr(4);
  const std::size_t sign = rest.find('=');
  const auto every = parse_int(rest.substr(0, sign));
  const auto first = sign != std::string_view::npos ? parse_int(rest.substr(sign + 1)) : std::nullopt;
  if (!every || !first || *every < 1) return usage_error(std::string(word) + ": every which row? As in row%8=3");
  Term term;
  term.kind = Kind::kEvery;
  term.every = *every;
  term.number = *first;
  return term;
}

Result<BufferQuery> BufferQuery::parse(std::string_view text) {
  BufferQuery query;
  for (const Word& word : words_of_query(text)) {
    if (word.phrase) {
      query.terms_.emplace_back().text = to_lower(word.text);
      continue;
    }
    auto term = parse_term(word.text);
    if (!term) return tl::unexpected<Error>(term.error());
    query.terms_.push_back(std::move(*term));
  }
  return query;
}

bool BufferQuery::asks(Kind kind) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) { return term.kind == kind; });
}

bool BufferQuery::asks_field(Field field) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return term.kind == Kind::kNumber && term.field == field; });
}

bool BufferQuery::names(const Term& term, std::string_view name) {
  return term.exact ? name == term.text : contains(name, term.text);
}

bool BufferQuery::compares(const Term& term, std::int64_t value) {
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
  return false;
}

bool BufferQuery::holds(const Term& term, const Problem& problem, BufferIndex i, const Marks& marks) {
  const Buffer& buffer = problem[i];
  const auto live_at = [&](std::int64_t step) {
    return buffer.start <= step && step < buffer.end;
  };
  const Moved moved = i < marks.moved.size() ? marks.moved[i] : Moved::kNowhere;
  switch (term.kind) {
    case Kind::kText: {
      if (contains(problem.id(i), term.text) || contains(problem.kind(i), term.text)) return true;
      const Details* details = problem.details(i);
      return details != nullptr && (contains(details->op, term.text) || contains(details->source, term.text));
    }
    case Kind::kRegex: {
      const Details* details = problem.details(i);
      return term.expression->found_in(problem.id(i)) || term.expression->found_in(problem.kind(i)) ||
             (details != nullptr && term.expression->found_in(details->op));
    }
    case Kind::kKind:
      return names(term, problem.kind(i));
    case Kind::kOp: {
      const Details* details = problem.details(i);
      return names(term, details != nullptr ? std::string_view(details->op) : std::string_view());
    }
    case Kind::kSpace:
      return names(term, problem.spaces()[buffer.space].id);
    case Kind::kAt:
      return live_at(term.number);
    case Kind::kAtCursor:
      return !marks.cursor || live_at(*marks.cursor);
    case Kind::kPinned:
      return buffer.is_fixed();
    case Kind::kTied:
      return problem.bodies().of(i) != Bodies::kNone;
    case Kind::kEmpty:
      return !buffer.takes_memory();
    case Kind::kMoved:
      return moved == Moved::kUp || moved == Moved::kDown;
    case Kind::kMovedUp:
      return moved == Moved::kUp;
    case Kind::kMovedDown:
      return moved == Moved::kDown;
    case Kind::kSamePlace:
      return moved == Moved::kSame;
    case Kind::kOnlyHere:
      return moved == Moved::kOnlyHere;
    case Kind::kReusing:
      return i < marks.reusing.size() && marks.reusing[i];
    case Kind::kSelected:
      return i < marks.selected.size() && marks.selected[i];
    case Kind::kEvery:
      return static_cast<std::int64_t>(i) % term.every == term.number;
    case Kind::kNumber:
      switch (term.field) {
        case Field::kSize:
          return compares(term, buffer.size);
        case Field::kLife:
          return compares(term, buffer.lifetime());
        case Field::kRow:
          return compares(term, static_cast<std::int64_t>(i));
        case Field::kWaste:
          return i < marks.waste.size() && marks.waste[i] >= 0 && compares(term, marks.waste[i]);
      }
  }
  return false;
}

bool BufferQuery::matches(const Problem& problem, BufferIndex buffer, const Marks& marks) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, problem, buffer, marks) != term.negated; });
}

}  // namespace stowage
