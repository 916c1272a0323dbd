#include "core/io/foreign_text.h"

#include <algorithm>
#include <cstddef>

#include "core/base/text.h"
#include "core/io/intake.h"
#include "core/io/json_outline.h"
#include "core/io/text_lines.h"

namespace stowage {
namespace {

bool is_numbers(std::string_view line) {
  return !line.empty() && line.find_first_not_of("0123456789 \t.+-") == std::string_view::npos &&
         line.find_first_of("0123456789") != std::string_view::npos;
}

std::string foreign_json(const json::Outline& outline) {
  if (outline.has("weight_map") || outline.has("weightsManifest") || outline.has("weights") ||
      outline.has("__metadata__")) {
    return "looks like a list of a model's weights; weights have no lifetimes, so there is nothing to plan: open the "
           "model itself, or a dump of its memory";
  }
  if ((outline.has("data") && outline.has("layout")) || outline.has("$schema") || outline.has("vconcat") ||
      outline.has("series")) {
    return "looks like a plot; open the data that it was drawn from";
  }
  const bool items =
      outline.has("items") || outline.has("Items") || outline.has("Objects") || outline.has("rectangles");
  if (items) {
    return "looks like a packing problem; rectangles that may move sideways have no lifetimes. As buffers with lower, "
           "upper and size it would be a problem for Stowage";
  }
  return {};
}

}  // namespace

std::string foreign_text(std::string_view bytes) {
  if (json::looks_like_json(bytes)) return foreign_json(json::outline_of(bytes));
  TextLines lines(bytes.substr(0, 65536));
  std::size_t numbers = 0;
  std::size_t others = 0;
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty()) continue;
    if (line.starts_with("<svg") || line.starts_with("<?xml") || line.starts_with("<!DOCTYPE") ||
        line.starts_with("<html")) {
      return "looks like a page or a picture in XML; open the data that it was made from";
    }
    if (line.starts_with("func.func ") || line.starts_with("module {") || line.starts_with("module @") ||
        line.starts_with("module attributes ")) {
      return "looks like MLIR in which nothing is allocated yet; bufferized, with memref.alloc and memref.dealloc, it "
             "can be read";
    }
    ++(is_numbers(line) ? numbers : others);
  }
  if (numbers > 1 && others * 10 <= numbers) {
    return "looks like rows of numbers, as sets for strip packing have them; with a first line that names the columns "
           "(id,lower,upper,size) and commas between them it can be read";
  }
  return {};
}

std::string unknown_json(std::string_view bytes) {
  if (std::string known = foreign_text(bytes); !known.empty()) return known;
  const json::Outline outline = json::outline_of(bytes);
  const std::string what = outline.array ? "begins like a JSON array" : "begins like a JSON object";
  if (outline.keys.empty()) return what + " without keys, which is no problem in any known format";
  constexpr std::size_t most = 8;
  std::string keys;
  for (std::size_t k = 0; k < std::min(most, outline.keys.size()); ++k) {
    keys += (k == 0 ? "" : ", ") + shown(outline.keys[k]);
  }
  if (outline.keys.size() > most) keys += ", ...";
  const std::string whose = outline.array ? " of objects with the keys " : " with the keys ";
  return what + whose + keys + ", which no known format has; problems have buffers with lower, upper and size";
}

}  // namespace stowage
