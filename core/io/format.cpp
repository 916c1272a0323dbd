#include "core/io/format.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/file.h"
#include "core/io/foreign_text.h"
#include "core/io/unpack.h"

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

/// The format whose sniffer takes the bytes; null when none does. From the last to the first: the general ones, which
/// take nearly everything, stand first.
const Format* sniffed(std::string_view bytes, bool binary) {
  const std::span<const Format> all = formats();
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (!binary && bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
  if (!binary) bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  if (!binary && json::looks_like_json(bytes)) {
    const json::Outline outline = json::outline_of(bytes);
    for (auto format = all.rbegin(); format != all.rend(); ++format) {
      if (format->sniff_json != nullptr && format->sniff_json(outline)) return &*format;
    }
  }
  for (auto format = all.rbegin(); format != all.rend(); ++format) {
    if (format->binary == binary && format->sniff != nullptr && format->sniff(bytes)) return &*format;
  }
  return nullptr;
}

/// Every choice is one that some format asks for, with a value that it knows.
Result<void> check_choices(const Format& format, const ReadOptions& options) {
  for (const auto& [key, value] : options.choices) {
    const auto asked = std::find_if(format.choices.begin(), format.choices.end(),
                                    [&name = key](const ReadChoice& choice) { return choice.key == name; });
    if (asked == format.choices.end()) {
      std::string keys;
      for (const ReadChoice& choice : format.choices) keys += (keys.empty() ? "; there are: " : ", ") + choice.key;
      return usage_error(fmt::format("{} has no choice '{}'{}", format.id, key, keys));
    }
    if (asked->values.empty()) continue;
    if (std::find(asked->values.begin(), asked->values.end(), value) == asked->values.end()) {
      return usage_error(
          fmt::format("{} of {} is one of {}, not '{}'", key, format.id, fmt::join(asked->values, ", "), value));
    }
  }
  return {};
}

Result<Document> read_as(const Format& format, std::string_view bytes, const std::string& name,
                         const ReadOptions& options) {
  if (const auto checked = check_choices(format, options); !checked) return tl::unexpected<Error>(checked.error());
  return format.read(bytes, name, options);
}

/// Files of the folder of `path`, for readers of dumps that come in pairs.
std::function<std::optional<std::string>(const std::string&)> neighbours_of(const std::string& path) {
  if (path == "-") return {};
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  return [folder](const std::string& name) -> std::optional<std::string> {
    if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
    auto text = read_file(folder + name);
    return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
  };
}

void free_text(std::string& text) {
  std::string().swap(text);
}

std::string foreign_message(const std::string& name, std::string_view kind) {
  if (kind == "UTF-16 text" || kind == "UTF-32 text") {
    return fmt::format("{}: this is {}, which is not supported; save it as UTF-8", name, kind);
  }
  if (kind.starts_with("a Python pickle of")) return fmt::format("{}: this is {}", name, kind);
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
  const Format* best = nullptr;  // the longest ending: ".trace.json" before ".json"
  for (const Format& format : formats()) {
    if (format.write == nullptr || !std::string_view(lower).ends_with(format.extension)) continue;
    if (best == nullptr || format.extension.size() > best->extension.size()) best = &format;
  }
  return best;
}

const std::string& Format::choice(const ReadOptions& options, const std::string& key) const {
  const auto given = options.choices.find(key);
  if (given != options.choices.end()) return given->second;
  return std::find_if(choices.begin(), choices.end(), [&](const ReadChoice& choice) { return choice.key == key; })
      ->value;
}

namespace {

Result<Document> read_unpacked(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format* given = nullptr;
  if (!options.format.empty()) {
    given = find_format(options.format);
    if (given == nullptr || given->read == nullptr) {
      return usage_error(fmt::format("there is no format {} to read; known: {}", options.format, known_formats()));
    }
  }
  if (const Format* format = given != nullptr ? given : sniffed(bytes, true); format != nullptr && format->binary) {
    return read_as(*format, bytes, name, options);
  }
  if (const std::string kind = foreign_kind(bytes); !kind.empty()) return input_error(foreign_message(name, kind));
  if (given != nullptr) return read_as(*given, bytes, name, options);
  const Format* format = sniffed(bytes, false);
  const bool ours =
      format != nullptr && (format->id != "stowage-json" || json::outline_of(bytes).has("buffers") ||
                            json::outline_of(bytes).has("problem") || json::outline_of(bytes).has("format"));
  if (!ours) {
    if (const std::string hint = foreign_text(bytes); !hint.empty()) return input_error(name + ": this " + hint);
    const json::Outline outline = json::outline_of(bytes);
    if (outline.array && !outline.keys.empty()) return input_error(name + ": this " + unknown_json(bytes));
  }
  if (format != nullptr) {
    auto document = read_as(*format, bytes, name, options);
    // Tables take nearly everything, but of something else their messages say nothing.
    const bool no_table = !document && document.error().kind == Error::Kind::kInput && format->id == "minimalloc-csv";
    if (!no_table) return document;
    if (json::looks_like_json(bytes)) return input_error(name + ": this " + unknown_json(bytes));
    const std::string hint = foreign_text(bytes);
    return hint.empty() ? std::move(document) : input_error(name + ": this " + hint);
  }
  return input_error(fmt::format("{}: this is text, but in no known format ({})", name, known_formats()));
}

}  // namespace

Result<Document> read_document(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.empty()) return input_error(fmt::format("{}: the file is empty", name));
  auto inside = unpack(bytes, name, options.watch);
  if (!inside) return tl::unexpected<Error>(inside.error());
  if (!*inside) return read_unpacked(bytes, name, options);
  ReadOptions with_inside = options;
  with_inside.release = [&] {
    free_text(**inside);
    if (options.release) options.release();
  };
  return read_unpacked(**inside, name, with_inside);
}

Result<Document> open_document(const std::string& path, const ReadOptions& options) {
  auto bytes = read_file(path);
  if (!bytes) return tl::unexpected<Error>(std::move(bytes.error()));
  ReadOptions with_folder = options;
  if (!with_folder.beside) with_folder.beside = neighbours_of(path);
  with_folder.release = [&bytes] {
    free_text(*bytes);
  };
  const std::string name = path == "-" ? std::string(kStandardInput) : path;
  auto document = read_document(*bytes, name, with_folder);
  if (options.watch != nullptr && options.watch->stop.stop_requested()) {
    return fail(Error::Kind::kCancelled, name + ": opening was cancelled");
  }
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
