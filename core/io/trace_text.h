#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/pools/trace.h"

namespace stowage {

/// Does it begin like a trace?
bool is_trace(std::string_view bytes);

/// Reads a trace: one event a line, `time op id bytes [stream]`; `op` is alloc, free, use, reset or empty, and what
/// comes after a `#` is a comment. The first line is `# stowage-trace 1`. A free needs no bytes; a use with one number
/// names its stream; reset and empty have no id. An alloc may end with `static`: what is meant to stay. Ids with
/// blanks stand in double quotes, with \" \\ \n \r \t as in JSON. Errors, each with its line, at most 20: a line that
/// is no event, or an event that cannot happen. When lenient, such lines are left out and become warnings.
Result<Trace> read_trace(std::string_view bytes, const std::string& name, bool lenient,
                         std::vector<std::string>& warnings);

/// A trace as a document: the problem that it poses to a planner which knows it from beginning to end. `name` is for
/// messages; the warnings go into the document.
Result<Document> document_of(const Trace& trace, const std::string& name, std::vector<std::string> warnings);

/// The same text again; reading it gives an equal trace.
std::string write_trace(const Trace& trace);

}  // namespace stowage
