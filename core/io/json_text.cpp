#include "core/io/json_text.h"

#include <fmt/format.h>

#include "core/io/json.h"

namespace stowage {

Result<std::string_view> sound_json(std::string_view bytes, const std::string& name, const ReadWatch* watch) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
  if (const auto error = json::validate(bytes, {watch, bytes.size(), kJsonValidation})) {
    const json::Place place = json::place_of(bytes, error->at);
    return input_error(fmt::format("{}:{}:{}: {}", name, place.line, place.column, error->message));
  }
  return bytes;
}

Result<ValueTree::Value> parse_json(std::string_view bytes, const std::string& name, ValueTree& tree,
                                    const ReadWatch* watch) {
  const auto text = sound_json(bytes, name, watch);
  if (!text) return tl::unexpected<Error>(text.error());
  return read_json_tree(*text, tree, {watch, text->size(), kBehindValidation});
}

}  // namespace stowage
