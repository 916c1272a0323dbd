#pragma once

#include <string>

#include "core/io/format.h"

namespace stowage {

/// The bytes of a graph file with what the pipeline of the document has made of the graph; says to standard error what
/// is not in them, found by reading them again. `path` is what the file will be called.
Result<std::string> settled_file(const Document& document, const Format& format, const std::string& path,
                                 RunContext& context);

}  // namespace stowage
