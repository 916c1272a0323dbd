#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/io/format.h"
#include "core/io/trace_text.h"
#include "core/io/unique_ids.h"

namespace stowage {
namespace {

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  std::vector<std::string> warnings;
  const Result<Trace> trace = read_trace(bytes, name, options.lenient, warnings);
  if (!trace) return tl::unexpected(trace.error());
  return document_of(*trace, name, std::move(warnings));
}

/// An id that is live may not be given out again in a trace; where ids repeat, each gets a name of its own. What a
/// trace leaves out is told by whoever compares the document with what was written.
Result<Trace> trace_with_unique_ids(const Problem& problem) {
  std::vector<std::string> left_out;
  std::unordered_set<std::string_view> seen;
  bool repeats = false;
  for (BufferIndex i = 0; i < problem.size(); ++i) repeats = !seen.insert(problem.id(i)).second || repeats;
  if (!repeats) return trace_of(problem, left_out);
  ProblemInput input = problem.input();
  UniqueIds unique;
  Names ids;
  for (BufferIndex i = 0; i < problem.size(); ++i) ids.push_back(unique.take(problem.id(i), "buffer"));
  input.ids = std::move(ids);
  const auto renamed = make_problem(std::move(input));
  if (!renamed) return input_error(renamed.error().front().message);
  return trace_of(*renamed, left_out);
}

Result<std::string> write(const Document& document, const WriteOptions&) {
  const Result<Trace> trace = trace_with_unique_ids(*document.problem);
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
