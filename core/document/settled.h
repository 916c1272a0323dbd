#pragma once

#include "core/base/result.h"
#include "core/document/document.h"

namespace stowage {

/// The document with the graph as its pipeline has left it in place of the one that went in: ops in the order in which
/// they run, copies and events that transforms have put in, contiguous groups. Results that were written over an input
/// are the in-place pairs that are left, and the only stage is the one that takes them again; where there are none,
/// pairs stay as they were offered and nothing takes them. A graph cannot say which tensors share a storage, nor what
/// memories hold that transforms have brought in: that is not in it. Errors as those of remade.
Result<Document> settled(const Document& document, RunContext& context);

}  // namespace stowage
