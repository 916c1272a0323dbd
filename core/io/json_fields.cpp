#include "core/io/json_fields.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage::json {
namespace {

bool is_plain_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// Few members: compare all pairs without allocating; many: a map. Calls repeat(earlier, later).
template <typename Repeat>
void for_each_repeat(const std::vector<Member>& members, Repeat&& repeat) {
  if (members.size() <= 16) {
    for (std::size_t later = 1; later < members.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (members[earlier].key == members[later].key) repeat(earlier, later);
      }
    }
    return;
  }
  std::unordered_map<std::string_view, std::size_t> last;
  for (std::size_t later = 0; later < members.size(); ++later) {
    const auto [found, added] = last.emplace(members[later].key, later);
    if (added) continue;
    repeat(found->second, later);
    found->second = later;
  }
}

}  // namespace

std::string Path::text() const {
  if (parent == nullptr) return "$";
  if (index) return fmt::format("{}[{}]", parent->text(), *index);
  if (is_plain_key(key)) return fmt::format("{}.{}", parent->text(), key);
  std::string quoted;
  append_string(quoted, shown(key));
  return fmt::format("{}[{}]", parent->text(), quoted);
}

std::string Source::place(std::size_t at) {
  if (line_begins_.empty()) {
    line_begins_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n' || (text_[i] == '\r' && text_.substr(i + 1, 1) != "\n")) line_begins_.push_back(i + 1);
    }
  }
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), at);
  return fmt::format("{}:{}:{}: ", name_, next - line_begins_.begin(), at - *(next - 1) + 1);
}

void Source::complain(Value value, const Path& path, std::string_view message) {
  const std::size_t at = offset_of(value);
  complaints.add(at, fmt::format("{}{}: {}", place(at), path.text(), message));
}

void Source::warn(Value value, const Path& path, std::string_view message) {
  if (warnings_.size() > 10 * Complaints::kListed) return;
  warnings_.push_back(fmt::format("{}{}: {}", place(offset_of(value)), path.text(), message));
}

void Source::keep(std::string_view level, std::string_view key) {
  ++kept_[{std::string(level), std::string(key)}];
}

std::vector<std::string> Source::take_warnings() {
  {
    Notes notes(warnings_, "keys that are kept, but have no meaning here");
    for (const auto& [where, count] : kept_) {
      const std::string& level = where.first;
      const std::string& key = where.second;
      const std::uint64_t times = count;
      notes.add([&] {
        return fmt::format("{}: key \"{}\" of {} ({} times) is kept, but unknown here", name_, shown(key), level,
                           times);
      });
    }
  }
  return std::move(warnings_);
}

Fields::Fields(Source& source, Value object, const Path& path) : source_(source), object_(object), path_(path) {
  Members members(object);
  while (auto member = members.next()) {
    // Two keys that would be written alike must count as the same key here.
    if (!is_utf8(member->key)) member->key = printable_utf8(member->key);
    has_bytes_ = has_bytes_ || std::string_view(member->key).ends_with("_bytes");
    members_.push_back(std::move(*member));
  }
  taken_.assign(members_.size(), false);
  for_each_repeat(members_, [this](std::size_t earlier, std::size_t later) {
    if (taken_[earlier]) return;
    taken_[earlier] = true;
    source_.warn(members_[later].value, Path{&path_, members_[later].key, {}}, "duplicate key; the last one counts");
  });
}

std::optional<Value> Fields::take(std::string_view key) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (taken_[i] || members_[i].key != key) continue;
    taken_[i] = true;
    return members_[i].value;
  }
  return std::nullopt;
}

std::optional<Value> Fields::peek(std::string_view key) const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!taken_[i] && members_[i].key == key) return members_[i].value;
  }
  return std::nullopt;
}

void Fields::complain(std::string_view key, std::string_view message) {
  const Path path{&path_, key, {}};
  Value where = object_;
  for (const Member& member : members_) {
    if (member.key == key) where = member.value;
  }
  source_.complain(where, key.empty() ? path_ : path, message);
  sound_ = false;
}

std::optional<std::int64_t> Fields::integer(std::string_view key, bool nullable) {
  const auto value = take(key);
  if (!value || (nullable && value->kind() == Kind::kNull)) return std::nullopt;
  const auto number = to_int64(*value);
  if (!number) complain(key, describe_bad_integer(*value));
  return number;
}

std::int64_t Fields::required_integer(std::string_view key) {
  if (!has(key)) complain(key, "is missing");
  return integer(key).value_or(0);
}

std::optional<std::uint64_t> Fields::natural(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  const auto number = to_uint64(*value);
  if (!number) complain(key, describe_bad_integer(*value));
  return number;
}

std::optional<std::string> Fields::text(std::string_view key) {
  auto value = of_kind(key, Kind::kString);
  if (!has_bytes_) return value ? std::optional<std::string>(decode(*value)) : std::nullopt;
  const std::string bytes_key = std::string(key) + "_bytes";
  const auto hex = of_kind(bytes_key, Kind::kString);
  if (!hex) return value ? std::optional<std::string>(decode(*value)) : std::nullopt;
  auto bytes = from_hex(decode(*hex));
  if (!bytes) {
    complain(bytes_key, "expected bytes other than zero in hexadecimal");
    return std::nullopt;
  }
  return bytes;
}

bool Fields::flag(std::string_view key) {
  const auto value = of_kind(key, Kind::kBool);
  return value && value->text == "true";
}

std::optional<Value> Fields::of_kind(std::string_view key, Kind kind) {
  const auto value = take(key);
  if (!value || value->kind() == Kind::kNull) return std::nullopt;
  if (value->kind() == kind) return value;
  complain(key, fmt::format("expected {}, found {}", name_of(kind), name_of(value->kind())));
  return std::nullopt;
}

std::string Fields::extra(std::string_view level) {
  std::string text;
  std::optional<ObjectWriter> writer;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (taken_[i]) continue;
    source_.keep(level, members_[i].key);
    if (!writer) writer.emplace(text);
    writer->key(members_[i].key) += members_[i].value.text;
  }
  if (writer) writer->close();
  return text;
}

}  // namespace stowage::json
