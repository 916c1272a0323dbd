#include "app/commands/settled_file.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/command.h"
#include "core/io/settled_graph.h"

namespace stowage {

Result<std::string> settled_file(const Document& document, const Format& format, const std::string& path,
                                 RunContext& context) {
  auto written = settled_graph(document, format, path, context);
  if (!written) return tl::unexpected(written.error());
  if (!written->unreadable.empty()) say(fmt::format("the written file does not open again: {}", written->unreadable));
  if (!written->lost.empty()) say(fmt::format("{}: not in the written file: {}", path, fmt::join(written->lost, ", ")));
  return std::move(written->bytes);
}

}  // namespace stowage
