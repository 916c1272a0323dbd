#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/format.h"

namespace stowage {

/// What all commands that read a file have in common.
struct ReadingFlags {
  std::string from;
  std::vector<std::string> choices;    // KEY=VALUE
  std::vector<std::string> following;  // files behind the first one
  ReadOptions options;
};

/// Adds --from, --times, --offsets, --choose and --lenient.
void add_reading_options(CLI::App& command, ReadingFlags& flags);

/// Adds the files behind the first one: dumps that follow it, where a format is read as a sequence.
void add_following_files(CLI::App& command, ReadingFlags& flags);

/// What the flags say; a usage error for an unknown format or an answer that is not KEY=VALUE.
Result<ReadOptions> reading_options(const ReadingFlags& flags);
/// The first of a document's warnings, to standard error.
void say_warnings(const Document& document);

/// Reads one file ("-": standard input), or makes the graph of "network:NAME[:KEY=VALUE,...]", and says its warnings to
/// standard error, unless `quiet`.
Result<Document> read_document_file(const std::string& path, const ReadingFlags& flags, bool quiet = false);

/// The plan with an id, the last one when `id` is empty, null when there is no plan at all; a usage error names the
/// plans there are.
Result<const Plan*> choose_plan(const Document& document, const std::string& id);

/// "model.csv", or "standard input".
std::string shown_name(const std::string& path);

}  // namespace stowage
