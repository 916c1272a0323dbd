#include "core/io/settled_graph.h"

#include <utility>

#include "core/document/losses.h"
#include "core/document/settled.h"

namespace stowage {
namespace {

/// What is read again, with the same classes of tensors as buffers.
Result<Document> graph_read_again(const Document& document, const Format& format, const std::string& bytes,
                                  const std::string& path, RunContext& context) {
  const auto read = format.read(bytes, path, ReadOptions{});
  if (!read) return read;
  GraphRecipe recipe = read->recipe;
  recipe.lowering = document.recipe.lowering;
  return remade(*read, *read->graph, std::move(recipe), context);
}

}  // namespace

Result<SettledGraph> settled_graph(const Document& document, const Format& format, const std::string& path,
                                   RunContext& context) {
  const auto alone = settled(document, context);
  if (!alone) return tl::unexpected(alone.error());
  WriteOptions options;
  options.with_pipeline = true;
  Result<std::string> bytes = format.write(*alone, options);
  if (!bytes) return tl::unexpected(bytes.error());
  SettledGraph written{std::move(*bytes), {}, {}};
  const auto again = graph_read_again(document, format, written.bytes, path, context);
  if (again) {
    written.lost = losses(document, *again);
  } else {
    written.unreadable = again.error().message;
  }
  return written;
}

}  // namespace stowage
