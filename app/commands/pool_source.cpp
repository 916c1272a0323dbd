#include "app/commands/pool_source.h"

#include <utility>

#include "app/commands/graph_source.h"
#include "core/io/file.h"
#include "core/io/trace_text.h"

namespace stowage {
namespace {

Result<PoolSource> from_trace(std::string_view bytes, const std::string& path, bool lenient) {
  PoolSource source;
  std::vector<std::string> warnings;
  Result<Trace> trace = read_trace(bytes, shown_name(path), lenient, warnings);
  if (!trace) return tl::unexpected(trace.error());
  Result<Document> document = document_of(*trace, shown_name(path), std::move(warnings));
  if (!document) return tl::unexpected(document.error());
  source.trace = std::move(*trace);
  source.axis = natural_axis(source.trace);
  source.document = std::move(*document);
  source.document.path = path;
  return source;
}

Result<PoolSource> from_problem(Result<Document> document, const std::string& path) {
  if (!document) return tl::unexpected(document.error());
  Result<Trace> trace = trace_of(*document->problem);
  if (!trace) return fail(trace.error().kind, shown_name(path) + ": " + trace.error().message);
  PoolSource source;
  source.trace = std::move(*trace);
  source.document = std::move(*document);
  source.document.path = path;
  return source;
}

}  // namespace

Result<PoolSource> read_pool_source(const std::string& path, const ReadingFlags& flags) {
  if (names_network(path)) return from_problem(read_graph_document(path, flags), path);
  const Result<ReadOptions> options = reading_options(flags);
  if (!options) return tl::unexpected(options.error());
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const bool traced = options->format.empty() ? is_trace(*bytes) : options->format == "stowage-trace";
  // Standard input can be read only once; other files may have neighbours that belong to them.
  Result<PoolSource> source = traced ? from_trace(*bytes, path, options->lenient)
                                     : from_problem(path == "-" ? read_document(*bytes, shown_name(path), *options)
                                                                : open_document(path, *options),
                                                    path);
  if (source) say_warnings(source->document);
  return source;
}

}  // namespace stowage
