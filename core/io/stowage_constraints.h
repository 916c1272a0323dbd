#pragma once

#include "core/io/stowage_references.h"

namespace stowage {

/// Takes "conflicts", "colocations", "aliases" and "groups" out of a problem of native JSON. What refers to no buffer
/// is complained about and left out.
Constraints read_constraints(json::Source& source, json::Fields& problem, const json::Path& path,
                             References& references);

}  // namespace stowage
