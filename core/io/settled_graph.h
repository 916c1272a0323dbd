#pragma once

#include <string>
#include <vector>

#include "core/io/format.h"

namespace stowage {

/// A file with a graph as the pipeline of a document has left it.
struct SettledGraph {
  std::string bytes;
  std::vector<std::string> lost;  // what of the document is not in them, found by reading them again
  std::string unreadable;         // why they cannot be read again; empty when they can
};

/// Writes it in a format that holds graphs alone; `path` is what the file will be called. Errors as those of settled,
/// and of the format.
Result<SettledGraph> settled_graph(const Document& document, const Format& format, const std::string& path,
                                   RunContext& context);

}  // namespace stowage
