#pragma once

#include <string>
#include <string_view>

#include "app/commands/reading.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/run/params.h"

namespace stowage {

/// "KEY=VALUE,KEY=VALUE". A usage error begins with the owner: no "=" in it, or a key that is there twice.
Result<ParamValues> key_values(std::string_view text, const std::string& owner);

/// Does the word name a generated network, not a file?
bool names_network(std::string_view text);

/// The graph of "network:NAME[:KEY=VALUE,...]" as a document. Errors: usage (an unknown network or parameter).
Result<Document> generated_document(const std::string& text, const ReadOptions& options);

/// A document with an operator graph: a file, "-", or "network:NAME[:KEY=VALUE,...]". Says warnings. Errors: usage (an
/// unknown network or parameter), input (no such file, no graph in it).
Result<Document> read_graph_document(const std::string& text, const ReadingFlags& flags);

}  // namespace stowage
