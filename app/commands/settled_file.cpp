#include "app/commands/settled_file.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/command.h"
#include "core/document/losses.h"
#include "core/document/settled.h"

namespace stowage {
namespace {

/// What is read again, with the same classes of tensors as buffers.
Result<Document> read_again(const Document& document, const Format& format, const std::string& bytes,
                            const std::string& path, RunContext& context) {
  const auto read = format.read(bytes, path, ReadOptions{});
  if (!read) return read;
  GraphRecipe recipe = read->recipe;
  recipe.lowering = document.recipe.lowering;
  return remade(*read, *read->graph, std::move(recipe), context);
}

}  // namespace

Result<std::string> settled_file(const Document& document, const Format& format, const std::string& path,
                                 RunContext& context) {
  const auto alone = settled(document, context);
  if (!alone) return tl::unexpected(alone.error());
  WriteOptions options;
  options.with_pipeline = true;
  Result<std::string> bytes = format.write(*alone, options);
  if (!bytes) return bytes;
  const auto again = read_again(document, format, *bytes, path, context);
  if (!again) {
    say(fmt::format("the written file does not open again: {}", again.error().message));
    return bytes;
  }
  const std::vector<std::string> lost = losses(document, *again);
  if (!lost.empty()) say(fmt::format("{}: not in the written file: {}", path, fmt::join(lost, ", ")));
  return bytes;
}

}  // namespace stowage
