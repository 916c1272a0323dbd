#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/csv_scanner.h"

namespace stowage::csv {

/// What a column means.
enum class Role {
  kId,
  kLower,
  kUpper,
  kSize,
  kAlignment,
  kHint,
  kGaps,
  kKind,
  kSpace,
  kOp,
  kSource,
  kRequested,
  kOffset,
  kFixed,
  kUnknown
};
inline constexpr std::size_t kRoles = 14;  // without kUnknown

/// A header with more columns is refused: the time for telling them apart and for writing them grows with the square.
inline constexpr std::size_t kMostColumns = 1000;

/// The end of the key under which JSON keeps, in hexadecimal, the bytes of a text that is not UTF-8: both are one
/// column.
inline constexpr std::string_view kTwin = "_bytes";

/// The name under which a column is written, and in messages.
std::string_view name_of(Role role);

/// The role of a header cell by its exact name; kUnknown when it has none.
Role role_of(std::string_view header);

/// What the header says.
struct Columns {
  std::vector<Role> roles;         // of each column
  std::vector<std::string> names;  // unknown columns: the key under which their cells are kept; else as written
  bool closed_end = false;         // the end of lifetimes stands in a column named `end`, which is inclusive
  bool numbered = false;           // size,start,end and nothing else, as tile languages print it: no ids
  bool has(Role role) const { return where[static_cast<std::size_t>(role)].has_value(); }
  std::optional<std::size_t> column(Role role) const { return where[static_cast<std::size_t>(role)]; }

  std::array<std::optional<std::size_t>, kRoles> where = {};
};

/// Assigns roles: exact names first, then names that differ in upper and lower case only. `problems` receives missing
/// columns and two columns of one meaning.
Columns columns_of(const std::vector<Cell>& header, std::vector<std::string>& problems);

/// Four columns id, lower, upper, size: a file without a header.
Columns plain_columns();

/// The column in which an unknown key of a buffer is written: a key that reads as something else in a header gets
/// "extra " in front.
std::string column_for_key(std::string_view key);

/// "x", "x (2)", ...: the first that is none of these and no twin of one.
std::string told_apart(const std::string& wanted, const std::vector<std::string>& taken);

}  // namespace stowage::csv
