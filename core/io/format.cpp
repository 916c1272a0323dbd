#include "core/io/format.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/file.h"

namespace stowage {

#define STOWAGE_FORMAT(name) Format name##_format();
#include "core/io/formats.def"
#undef STOWAGE_FORMAT

namespace {

std::string known_formats() {
  std::string ids;
  for (const Format& format : formats()) ids += (ids.empty() ? "" : ", ") + format.id;
  return ids;
}

/// Kinds that a planner's user has at hand; the others will never be input.
bool is_model_or_dump(std::string_view kind) {
  constexpr std::array<std::string_view, 4> kinds = {"a TensorFlow Lite model", "an ExecuTorch program",
                                                     "a Python pickle", "an ONNX model"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string foreign_message(const std::string& name, std::string_view kind) {
  if (is_model_or_dump(kind)) return fmt::format("{}: this is {}, not readable yet", name, kind);
  if (kind == "UTF-16 text" || kind == "UTF-32 text") {
    return fmt::format("{}: this is {}, which is not supported; save it as UTF-8", name, kind);
  }
  return fmt::format("{}: this is {}, not a text file", name, kind);
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
#define STOWAGE_FORMAT(name) name##_format(),
#include "core/io/formats.def"
#undef STOWAGE_FORMAT
  };
  return table;
}

const Format* find_format(std::string_view id) {
  const auto all = formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Format& format) { return format.id == id; });
  return found == all.end() ? nullptr : &*found;
}

const Format* format_for_path(std::string_view path) {
  const std::string lower = to_lower(path);
  for (const Format& format : formats()) {
    if (format.write != nullptr && std::string_view(lower).ends_with(format.extension)) return &format;
  }
  return nullptr;
}

Result<Document> read_document(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.empty()) return input_error(fmt::format("{}: the file is empty", name));
  if (const std::string kind = foreign_kind(bytes); !kind.empty()) return input_error(foreign_message(name, kind));
  if (!options.format.empty()) {
    const Format* format = find_format(options.format);
    if (format == nullptr || format->read == nullptr) {
      return usage_error(fmt::format("there is no format {} to read; known: {}", options.format, known_formats()));
    }
    return format->read(bytes, name, options);
  }
  for (const Format& format : formats()) {
    if (format.read != nullptr && format.sniff(bytes)) return format.read(bytes, name, options);
  }
  return input_error(fmt::format("{}: this is text, but in no known format ({})", name, known_formats()));
}

Result<Document> open_document(const std::string& path, const ReadOptions& options) {
  auto bytes = read_file(path);
  if (!bytes) return tl::unexpected<Error>(std::move(bytes.error()));
  auto document = read_document(*bytes, path == "-" ? "standard input" : path, options);
  if (document) document->path = path;
  return document;
}

Result<void> save_document(const Document& document, const std::string& path, const Format& format,
                           const WriteOptions& options, const FileProbe& probe) {
  if (format.write == nullptr) return usage_error(fmt::format("the format {} cannot be written", format.id));
  const auto bytes = format.write(document, options);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return write_file(path, *bytes, probe);
}

}  // namespace stowage
