#include "core/io/stowage_constraints.h"

#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

using json::Elements;
using json::Fields;
using json::Kind;
using json::Path;
using json::Value;

class Reader {
 public:
  Reader(json::Source& source, References& references) : source_(source), references_(references) {}

  /// Calls element(value, path) for each element of an array of the problem.
  template <typename Element>
  void each(Fields& problem, const Path& path, std::string_view key, Element&& element) {
    const auto array = problem.of_kind(key, Kind::kArray);
    if (!array) return;
    const Path list{&path, key, {}};
    Path place{&list, "", 0};
    Elements elements(*array);
    for (; const auto value = elements.next(); ++*place.index) element(*value, place);
  }

  /// A list of at least two buffers; empty when anything is wrong with it.
  std::vector<BufferIndex> list(Value value, const Path& path) {
    std::vector<BufferIndex> buffers;
    if (value.kind() != Kind::kArray) {
      source_.complain(value, path, fmt::format("expected an array of ids, found {}", name_of(value.kind())));
      return buffers;
    }
    bool sound = true;
    Path place{&path, "", 0};
    Elements elements(value);
    for (; const auto id = elements.next(); ++*place.index) {
      buffers.push_back(references_.read(*id, place));
      sound = sound && buffers.back() != kNoBuffer;
    }
    if (buffers.size() < 2) {
      source_.complain(value, path, "expected at least two ids");
      sound = false;
    }
    return sound ? buffers : std::vector<BufferIndex>();
  }

  void conflict(Value value, const Path& path, std::vector<ConflictEdge>& conflicts) {
    const std::vector<BufferIndex> pair = list(value, path);
    if (pair.empty()) return;
    if (pair.size() != 2) return source_.complain(value, path, "expected two ids");
    conflicts.push_back({pair[0], pair[1]});
  }

  void alias(Value value, const Path& path, std::vector<Alias>& aliases) {
    if (!is_object(value, path)) return;
    Fields fields(source_, value, path);
    const BufferIndex child = reference(fields, "child", path);
    const BufferIndex parent = reference(fields, "parent", path);
    const std::int64_t offset = fields.integer("offset").value_or(0);
    warn_of_extra(fields, value, path, "an alias");
    if (fields.sound() && child != kNoBuffer && parent != kNoBuffer) aliases.push_back({child, parent, offset});
  }

  void group(Value value, const Path& path, std::vector<Group>& groups) {
    if (!is_object(value, path)) return;
    Fields fields(source_, value, path);
    Group group;
    group.pad = fields.integer("pad").value_or(0);
    if (const auto members = fields.of_kind("members", Kind::kArray)) {
      group.members = list(*members, Path{&path, "members", {}});
    } else if (fields.sound()) {
      fields.complain("members", "is missing");
    }
    warn_of_extra(fields, value, path, "a group");
    if (fields.sound() && !group.members.empty()) groups.push_back(std::move(group));
  }

 private:
  bool is_object(Value value, const Path& path) {
    if (value.kind() == Kind::kObject) return true;
    source_.complain(value, path, fmt::format("expected an object, found {}", name_of(value.kind())));
    return false;
  }

  BufferIndex reference(Fields& fields, std::string_view key, const Path& path) {
    if (const auto value = fields.take(key)) return references_.read(*value, Path{&path, key, {}});
    fields.complain(key, "is missing");
    return kNoBuffer;
  }

  void warn_of_extra(Fields& fields, Value value, const Path& path, std::string_view what) {
    if (!fields.extra("constraints").empty()) {
      source_.warn(value, path, fmt::format("unknown keys of {} are left out", what));
    }
  }

  json::Source& source_;
  References& references_;
};

}  // namespace

Constraints read_constraints(json::Source& source, Fields& problem, const Path& path, References& references) {
  Reader reader(source, references);
  Constraints constraints;
  reader.each(problem, path, "conflicts",
              [&](Value value, const Path& place) { reader.conflict(value, place, constraints.conflicts); });
  reader.each(problem, path, "colocations", [&](Value value, const Path& place) {
    if (auto list = reader.list(value, place); !list.empty()) constraints.colocations.push_back(std::move(list));
  });
  reader.each(problem, path, "aliases",
              [&](Value value, const Path& place) { reader.alias(value, place, constraints.aliases); });
  reader.each(problem, path, "groups",
              [&](Value value, const Path& place) { reader.group(value, place, constraints.groups); });
  return constraints;
}

}  // namespace stowage
