#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"
#include "ui/differences.h"

namespace stowage {

/// What the find box means. Words separated by blanks must all hold:
///   conv         the name, kind, op or source contains it (letter case does not matter)
///   "a b"        the same with blanks; also kind:"a b"
///   /conv[0-9]+/ the name, kind or op matches the expression, which may hold blanks
///   kind:weight  the kind contains it; op: the producing operation, space: the space
///   kind=weight  the kind is exactly this; also op= and space=, also with quotes; op= alone: there is none
///   at:156       live at that step
///   at:cursor    live at the step under the cursor; everything before the cursor has been in a chart
///   size>1MiB    (also <, >=, <=, =)
///   life>10      the number of steps of the lifetime, likewise; row>10 the row in the file, counted from 0
///   waste>1KiB   free bytes right below it during its whole life, likewise
///   row%8=3      every eighth row
///   is:pinned    also is:tied, is:empty
///   is:moved     lies elsewhere than in the plan that the shown one is compared with; also is:moved-up,
///                is:moved-down, is:same-place, is:only-here
///   is:reusing   another buffer has its address, or its shared object, as well
///   is:selected  is in the selection
///   !word        the word does not hold
class BufferQuery {
 public:
  /// What the words ask for besides the problem. By buffer; empty: no buffer is.
  struct Marks {
    std::vector<Moved> moved;
    std::vector<bool> selected;
    std::vector<bool> reusing;
    std::vector<std::int64_t> waste;     // -1: not placed
    std::optional<std::int64_t> cursor;  // the step
  };

  /// Errors name the word that does not make sense.
  static Result<BufferQuery> parse(std::string_view text);

  bool empty() const { return terms_.empty(); }
  /// Expressions are the only words that can; not for the window's own thread.
  bool may_take_long() const { return asks(Kind::kRegex); }
  bool asks_moved() const {
    return asks(Kind::kMoved) || asks(Kind::kMovedUp) || asks(Kind::kMovedDown) || asks(Kind::kSamePlace) ||
           asks(Kind::kOnlyHere);
  }
  /// The answer changes with the plan.
  bool asks_places() const { return asks_moved() || asks_reusing() || asks_waste(); }
  bool asks_selected() const { return asks(Kind::kSelected); }
  bool asks_cursor() const { return asks(Kind::kAtCursor); }
  bool asks_reusing() const { return asks(Kind::kReusing); }
  bool asks_waste() const { return asks_field(Field::kWaste); }
  bool matches(const Problem& problem, BufferIndex buffer, const Marks& marks) const;

 private:
  enum class Kind {
    kText,
    kRegex,
    kKind,
    kOp,
    kSpace,
    kAt,
    kAtCursor,
    kPinned,
    kTied,
    kEmpty,
    kMoved,
    kMovedUp,
    kMovedDown,
    kSamePlace,
    kOnlyHere,
    kReusing,
    kSelected,
    kNumber,
    kEvery,
  };
  enum class Sign { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual };
  enum class Field { kSize, kLife, kRow, kWaste };
  struct Expression;  // <regex> costs each source that includes it seconds
  struct Term {
    Kind kind = Kind::kText;
    Sign sign = Sign::kEqual;    // of kNumber
    Field field = Field::kSize;  // of kNumber
    std::string text;            // lower case, unless it is exact
    bool exact = false;          // of kKind, kOp, kSpace
    bool negated = false;
    std::int64_t number = 0;
    std::int64_t every = 1;  // of kEvery: the distance of rows
    std::shared_ptr<const Expression> expression;
  };
  static Result<Term> parse_term(std::string_view word);
  static Result<Term> parse_expression(std::string_view word);
  static Result<Term> parse_number(std::string_view word, Field field, std::string_view rest);
  static Result<Term> parse_every(std::string_view word);
  static bool holds(const Term& term, const Problem& problem, BufferIndex buffer, const Marks& marks);
  static bool compares(const Term& term, std::int64_t value);
  static bool names(const Term& term, std::string_view name);
  bool asks(Kind kind) const;
  bool asks_field(Field field) const;
  std::vector<Term> terms_;
};

}  // namespace stowage
