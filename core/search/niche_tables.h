#pragma once

#include <cstdint>
#include <vector>

#include "core/base/lists.h"
#include "core/search/instance.h"

namespace stowage {

/// Who meets whom and where, laid out for a search that asks it a million times a second.
struct NicheTables {
  explicit NicheTables(const Instance& instance);

  Lists<std::uint32_t> live;              // by section: the items that cover it, ascending
  Lists<std::uint32_t> overlaps;          // by item: all others that it meets, ascending
  std::vector<SectionRange> hulls;        // by item: its sections and theirs
  std::vector<std::uint32_t> first_item;  // by section, one more at the end: the first item that begins there or later
  std::vector<std::uint32_t> twins;       // by item: the first one that it could be exchanged with, perhaps itself
};

}  // namespace stowage
