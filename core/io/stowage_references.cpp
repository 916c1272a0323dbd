#include "core/io/stowage_references.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace stowage {

References::References(json::Source& source, const ProblemInput& input, const std::vector<std::uint32_t>& rows)
    : source_(source), rows_(rows), index_(input.ids), ambiguous_(input.buffers.size(), false) {
  for (const BufferIndex row : index_.repeats()) ambiguous_[index_.first(input.ids[row])] = true;
}

BufferIndex References::find(std::string_view id, json::Value where, const json::Path& path) {
  const BufferIndex row = index_.first(id);
  if (row == kNoBuffer) {
    source_.complain(where, path, fmt::format("there is no buffer with the id \"{}\"", shown(id)));
    return kNoBuffer;
  }
  if (ambiguous_[row]) {
    source_.complain(where, path, fmt::format("several buffers have the id \"{}\"", shown(id)));
    return kNoBuffer;
  }
  return row;
}

BufferIndex References::read(json::Value value, const json::Path& path) {
  if (value.kind() == json::Kind::kString) return find(json::decode(value), value, path);
  if (value.kind() == json::Kind::kNumber) return find(value.text, value, path);
  if (value.kind() == json::Kind::kObject) return row(value, path);
  source_.complain(value, path, fmt::format("expected the id of a buffer, found {}", name_of(value.kind())));
  return kNoBuffer;
}

BufferIndex References::row(json::Value value, const json::Path& path) {
  json::Fields fields(source_, value, path);
  const auto wanted = fields.natural("row");
  if (!wanted) {
    if (fields.sound()) fields.complain("row", "is missing");
    return kNoBuffer;
  }
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), *wanted);
  if (found == rows_.end() || *found != *wanted) {
    source_.complain(value, path, fmt::format("there is no buffer {} in the list", *wanted));
    return kNoBuffer;
  }
  return static_cast<BufferIndex>(found - rows_.begin());
}

}  // namespace stowage
