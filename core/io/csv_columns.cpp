#include "core/io/csv_columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/intake.h"

namespace stowage::csv {
namespace {

struct Alias {
  std::string_view name;
  Role role;
};

// The first name of a role is the one that is written.
constexpr std::array kAliases = {
    Alias{"id", Role::kId},         Alias{"buffer", Role::kId},
    Alias{"buffer_id", Role::kId},  Alias{"lower", Role::kLower},
    Alias{"begin", Role::kLower},   Alias{"start", Role::kLower},
    Alias{"upper", Role::kUpper},   Alias{"end", Role::kUpper},
    Alias{"size", Role::kSize},     Alias{"alignment", Role::kAlignment},
    Alias{"hint", Role::kHint},     Alias{"gaps", Role::kGaps},
    Alias{"kind", Role::kKind},     Alias{"category", Role::kKind},
    Alias{"space", Role::kSpace},   Alias{"op", Role::kOp},
    Alias{"source", Role::kSource}, Alias{"requested", Role::kRequested},
    Alias{"offset", Role::kOffset}, Alias{"fixed", Role::kFixed},
};

// Keys of a buffer in native JSON that are no columns here: an unknown column of that name would change its meaning on
// the way through JSON.
constexpr std::array<std::string_view, 9> kJsonKeys = {"open_start",  "open_end",     "clock",
                                                       "id_bytes",    "kind_bytes",   "op_bytes",
                                                       "space_bytes", "source_bytes", "alignment"};

bool is_json_key(std::string_view key) {
  return std::find(kJsonKeys.begin(), kJsonKeys.end(), key) != kJsonKeys.end();
}

/// Whether two keys cannot be in one object: a text under "k" that is no UTF-8 is written as "k_bytes" as well, which
/// "k_bytes_bytes" would then speak of.
bool clash(std::string_view a, std::string_view b) {
  while (a.size() > b.size() && a.ends_with(kTwin)) a.remove_suffix(kTwin.size());
  while (b.size() > a.size() && b.ends_with(kTwin)) b.remove_suffix(kTwin.size());
  return a == b;
}

/// A key for an unknown column: its own name where possible.
std::string key_for(std::string_view header, std::size_t column, const std::vector<std::string>& taken) {
  std::string key = header.empty() ? fmt::format("column {}", column + 1) : std::string(header);
  if (is_json_key(key) || role_of(to_lower(key)) != Role::kUnknown) key = "extra " + key;
  return told_apart(key, taken);
}

std::string aliases_of(Role role) {
  std::string names;
  for (const Alias& alias : kAliases) {
    if (alias.role == role) names += fmt::format("{}\"{}\"", names.empty() ? "" : " or ", alias.name);
  }
  return names;
}

}  // namespace

std::string_view name_of(Role role) {
  const auto found =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& alias) { return alias.role == role; });
  return found == kAliases.end() ? "unknown" : found->name;
}

Role role_of(std::string_view header) {
  const auto found =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& alias) { return alias.name == header; });
  return found == kAliases.end() ? Role::kUnknown : found->role;
}

Columns columns_of(const std::vector<Cell>& header, std::vector<std::string>& problems) {
  Columns columns;
  if (header.size() > kMostColumns) {
    problems.push_back(fmt::format("{} columns, at most {} are read", header.size(), kMostColumns));
    return columns;
  }
  std::string scratch;
  for (const Cell& cell : header) {
    columns.names.emplace_back(trim(cell.value(scratch)));
    columns.roles.push_back(role_of(columns.names.back()));
  }
  const auto assign = [&](std::size_t c) {
    auto& place = columns.where[static_cast<std::size_t>(columns.roles[c])];
    if (place) {
      problems.push_back(
          fmt::format("the columns \"{}\" and \"{}\" mean the same", columns.names[*place], shown(columns.names[c])));
    } else {
      place = c;
    }
  };
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (columns.roles[c] != Role::kUnknown) assign(c);
  }
  std::vector<std::string> taken;
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (columns.roles[c] != Role::kUnknown) continue;
    const Role role = role_of(to_lower(columns.names[c]));
    if (role != Role::kUnknown && !columns.has(role)) {
      columns.roles[c] = role;
      assign(c);
    } else {
      // Keys are JSON; repaired before they are told apart, so that two broken names do not become one key.
      columns.names[c] = key_for(printable_utf8(columns.names[c]), c, taken);
      taken.push_back(columns.names[c]);
    }
  }
  const auto named = [&](std::string_view name) {
    return std::any_of(columns.names.begin(), columns.names.end(),
                       [&](const std::string& own) { return to_lower(own) == name; });
  };
  columns.numbered = header.size() == 3 && named("size") && named("start") && named("end");
  for (const Role role : {Role::kId, Role::kLower, Role::kUpper, Role::kSize}) {
    if (columns.numbered && role == Role::kId) continue;
    if (!columns.has(role)) problems.push_back(fmt::format("missing column {}", aliases_of(role)));
  }
  if (const auto upper = columns.column(Role::kUpper)) columns.closed_end = to_lower(columns.names[*upper]) == "end";
  return columns;
}

Columns plain_columns() {
  Columns columns;
  columns.roles = {Role::kId, Role::kLower, Role::kUpper, Role::kSize};
  for (std::size_t c = 0; c < columns.roles.size(); ++c) {
    columns.names.emplace_back(name_of(columns.roles[c]));
    columns.where[c] = c;
  }
  return columns;
}

std::string told_apart(const std::string& wanted, const std::vector<std::string>& taken) {
  std::string name = wanted;
  const auto is_taken = [&] {
    return std::any_of(taken.begin(), taken.end(), [&](const std::string& other) { return clash(name, other); });
  };
  for (int copy = 2; is_taken(); ++copy) name = fmt::format("{} ({})", wanted, copy);
  return name;
}

std::string column_for_key(std::string_view key) {
  const std::string name(trim(key));
  if (name.empty()) return "extra";
  if (name.size() != key.size() || is_json_key(name) || role_of(to_lower(name)) != Role::kUnknown) {
    return "extra " + name;
  }
  return name;
}

}  // namespace stowage::csv
