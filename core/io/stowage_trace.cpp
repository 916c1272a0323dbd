#include <utility>

#include "core/io/format.h"
#include "core/io/trace_text.h"

namespace stowage {
namespace {

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  std::vector<std::string> warnings;
  const Result<Trace> trace = read_trace(bytes, name, options.lenient, warnings);
  if (!trace) return tl::unexpected(trace.error());
  return document_of(*trace, name, std::move(warnings));
}

Result<std::string> write(const Document& document, const WriteOptions&) {
  const Result<Trace> trace = trace_of(*document.problem);
  if (!trace) return tl::unexpected(trace.error());
  return write_trace(*trace);
}

}  // namespace

Format stowage_trace_format() {
  Format format;
  format.id = "stowage-trace";
  format.title = "Stowage trace";
  format.extension = ".trace";
  format.summary = "allocations and frees in the order of a program, one a line; what pools are fed with";
  format.sniff = is_trace;
  format.read = read;
  format.write = write;
  return format;
}

}  // namespace stowage
