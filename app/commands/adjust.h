#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/document/document.h"

namespace stowage {

/// What the command line changes in a problem before it is planned or checked.
struct Adjustments {
  std::optional<std::int64_t> capacity;   // of all spaces
  std::optional<std::int64_t> alignment;  // the least one of every buffer
  const Plan* keep = nullptr;             // every offset of this plan becomes a fixed one
};

/// Gives the document a new problem, through the gate again; nothing happens without a change. Errors begin with the
/// document's name and list what no longer makes sense.
Result<void> adjust(Document& document, const Adjustments& adjustments);

}  // namespace stowage
