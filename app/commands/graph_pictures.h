#pragma once

#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "core/base/result.h"
#include "core/document/document.h"

namespace stowage {

/// The operator graph at the end of the document's pipeline, for each wanted file. Errors: input, when the document
/// has no graph.
Result<void> add_graph_pictures(const PictureFlags& pictures, const Document& document, Outputs& outputs);

/// Which of its storages may share memory: the reuse matrix. Errors as above.
Result<void> add_reuse_pictures(const PictureFlags& pictures, const Document& document, Outputs& outputs);

}  // namespace stowage
