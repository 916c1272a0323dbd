#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/commands/reading.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/run/params.h"
#include "core/transforms/pipeline.h"

namespace stowage {

/// "KEY=VALUE,KEY=VALUE". A usage error begins with the owner: no "=" in it, or a key that is there twice.
Result<ParamValues> key_values(std::string_view text, const std::string& owner);

/// Adds --with, the transforms that a graph goes through; repeatable.
void add_with_option(CLI::App& command, std::vector<std::string>& with);
/// The stages of --with, each "NAME" or "NAME:KEY=VALUE,...". Errors: usage (an unknown transform, not KEY=VALUE).
Result<std::vector<PipelineStage>> pipeline_of(const std::vector<std::string>& with);

/// Does the word name a generated network, not a file?
bool names_network(std::string_view text);

/// The graph of "network:NAME[:KEY=VALUE,...]" as a document. Errors: usage (an unknown network or parameter).
Result<Document> generated_document(const std::string& text, const ReadOptions& options);

/// A document with an operator graph: a file, "-", or "network:NAME[:KEY=VALUE,...]". Says warnings. Errors: usage (an
/// unknown network or parameter), input (no such file, no graph in it).
Result<Document> read_graph_document(const std::string& text, const ReadingFlags& flags);

/// A file or a network; with transforms its graph goes through them, instead of those that it brings. Says warnings.
/// Errors: as of read_graph_document where there are transforms, else as of read_document_file; those of the
/// transforms.
Result<Document> read_transformed(const std::string& text, const std::vector<std::string>& with,
                                  const ReadingFlags& flags);

}  // namespace stowage
