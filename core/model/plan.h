#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/buffer.h"
#include "core/model/objects.h"

namespace stowage {

/// All offsets of a problem, in buffer order, and where they came from. kNoOffset: not placed.
struct Plan {
  std::string id;         // unique in its document
  std::string allocator;  // id of the allocator; "file" when it was read and says nothing
  std::map<std::string, std::string> params;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> claimed_makespan;  // what the file says; the checker compares
  std::vector<std::int64_t> offsets;             // bytes, relative to the base of the buffer's space
  std::vector<std::uint16_t> spaces;             // by buffer, where candidates gave a choice; empty: each in its own
  std::optional<Objects> objects;                // the shared objects the offsets come from
  std::map<BufferIndex, std::vector<std::int64_t>> slices;  // start times of the slices, by rising address
  std::string extra;  // unknown keys, as the text of a JSON object; empty when none
  bool operator==(const Plan&) const = default;
};

}  // namespace stowage
