#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"

namespace stowage {

/// What the find box means. Words separated by blanks must all hold:
///   conv         the name, kind, op or source contains it (letter case does not matter)
///   "a b"        the same with blanks; also kind:"a b"
///   /conv[0-9]+/ the name, kind or op matches the expression, which may hold blanks
///   kind:weight  the kind contains it; op: the producing operation, space: the space
///   at:156       live at that step
///   size>1MiB    (also <, >=, <=, =)
///   life>10      the number of steps of the lifetime, likewise
///   is:pinned    also is:tied, is:empty
///   is:moved     lies elsewhere than in the plan that the shown one is compared with
///   is:selected  is in the selection
class BufferQuery {
 public:
  /// By buffer; empty: no buffer is.
  struct Marks {
    std::vector<bool> moved;
    std::vector<bool> selected;
  };

  /// Errors name the word that does not make sense.
  static Result<BufferQuery> parse(std::string_view text);

  bool empty() const { return terms_.empty(); }
  /// Expressions are the only words that can; not for the window's own thread.
  bool may_take_long() const { return asks(Kind::kRegex); }
  bool asks_moved() const { return asks(Kind::kMoved); }
  bool asks_selected() const { return asks(Kind::kSelected); }
  bool matches(const Problem& problem, BufferIndex buffer, const Marks& marks) const;

 private:
  enum class Kind { kText, kRegex, kKind, kOp, kSpace, kAt, kPinned, kTied, kEmpty, kMoved, kSelected, kNumber };
  enum class Sign { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual };
  enum class Field { kSize, kLife };
  struct Expression;  // <regex> costs each source that includes it seconds
  struct Term {
    Kind kind = Kind::kText;
    Sign sign = Sign::kEqual;    // of kNumber
    Field field = Field::kSize;  // of kNumber
    std::string text;            // lower case
    std::int64_t number = 0;
    std::shared_ptr<const Expression> expression;
  };
  static Result<Term> parse_term(std::string_view word);
  static Result<Term> parse_expression(std::string_view word);
  static Result<Term> parse_number(std::string_view word, Field field, std::string_view rest);
  static bool holds(const Term& term, const Problem& problem, BufferIndex buffer, const Marks& marks);
  bool asks(Kind kind) const;
  std::vector<Term> terms_;
};

}  // namespace stowage
