#include "core/io/stowage_references.h"

#include <string>

#include <fmt/format.h>

namespace stowage {

References::References(json::Source& source, const ProblemInput& input)
    : source_(source), index_(input.ids), ambiguous_(input.buffers.size(), false) {
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
  source_.complain(value, path, fmt::format("expected the id of a buffer, found {}", name_of(value.kind())));
  return kNoBuffer;
}

}  // namespace stowage
