#include "app/commands/pool_source.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/graph_source.h"
#include "core/graph/lower.h"
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

/// Which ops on which streams make and read the buffers of a graph; nothing when all run on one stream.
std::vector<StreamUse> uses_on_streams(const Document& document) {
  if (document.staged == nullptr) return {};
  const Staged& staged = *document.staged;
  const bool several =
      std::any_of(staged.graph.ops().begin(), staged.graph.ops().end(), [](const Op& op) { return op.stream != 0; });
  const auto lowered = several ? lower(staged, document.recipe.lowering) : Result<Lowered>(Lowered{});
  if (!several || !lowered) return {};
  std::vector<StreamUse> uses;
  for (std::size_t step = 0; step < staged.schedule.order.size(); ++step) {
    const Op& op = staged.graph.op(staged.schedule.order[step]);
    const auto touch = [&](TensorIndex t) {
      const BufferIndex buffer = lowered->buffer_of[t];
      if (buffer < document.problem->size()) {
        uses.push_back({static_cast<std::int64_t>(step), buffer, static_cast<std::int32_t>(op.stream)});
      }
    };
    std::for_each(op.out.begin(), op.out.end(), touch);
    std::for_each(op.in.begin(), op.in.end(), touch);
  }
  return uses;
}

/// Does the trace ask for each buffer of the problem exactly once, as it is?
bool says_all(const Trace& trace, const Problem& problem) {
  std::vector<bool> asked(problem.size(), false);
  for (const Allocation& allocation : trace.allocations()) {
    if (asked[allocation.buffer] || allocation.bytes != problem[allocation.buffer].size) return false;
    asked[allocation.buffer] = true;
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory() && !asked[i]) return false;
  }
  return true;
}

Result<PoolSource> from_problem(Result<Document> document, const std::string& path) {
  if (!document) return tl::unexpected(document.error());
  PoolSource source;
  std::vector<std::string> left_out;
  const std::vector<StreamUse> uses = uses_on_streams(*document);
  Result<Trace> trace = trace_of(*document->problem, left_out, uses);
  if (!trace) return fail(trace.error().kind, shown_name(path) + ": " + trace.error().message);
  source.trace = std::move(*trace);
  // Conflicts between streams stay with the planners, so that their plans wait as the pools do.
  if (says_all(source.trace, *document->problem) && (left_out.empty() || !uses.empty())) {
    source.document = std::move(*document);
  } else {
    // Pools and planners get one question, so that they can be compared.
    Result<Document> posed = document_of(source.trace, shown_name(path), {});
    if (!posed) return tl::unexpected(posed.error());
    source.document = std::move(*posed);
    source.document.facts.format = document->facts.format;
    source.document.facts.warnings = std::move(document->facts.warnings);
    source.axis = natural_axis(source.trace);
    source.trace.stand_alone();
  }
  source.document.path = path;
  for (const std::string& sentence : left_out) {
    source.document.facts.warnings.push_back(fmt::format("{}: {}", shown_name(path), sentence));
  }
  return source;
}

}  // namespace

Result<PoolSource> read_pool_source(const std::string& path, const ReadingFlags& flags) {
  const Result<ReadOptions> options = reading_options(flags);
  if (!options) return tl::unexpected(options.error());
  const auto read = [&]() -> Result<PoolSource> {
    if (names_network(path)) return from_problem(generated_document(path, *options), path);
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const bool traced = options->format.empty() ? is_trace(*bytes) : options->format == "stowage-trace";
    if (traced) return from_trace(*bytes, path, options->lenient);
    // Standard input can be read only once; other files may have neighbours that belong to them.
    return from_problem(path == "-" ? read_document(*bytes, shown_name(path), *options) : open_document(path, *options),
                        path);
  };
  Result<PoolSource> source = read();
  if (source) say_warnings(source->document);
  return source;
}

}  // namespace stowage
