#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/file.h"

namespace stowage {

enum class TimeRule { kDefault, kHalfOpen, kClosed, kOpen };
enum class OffsetRule { kDefault, kPlan, kPins };

struct ReadOptions {
  std::string format;                         // id; empty: sniff by content
  TimeRule times = TimeRule::kDefault;        // how lower/upper are meant
  OffsetRule offsets = OffsetRule::kDefault;  // what an offset column means
  bool lenient = false;                       // leave bad rows out and list each as a warning
};

struct WriteOptions {
  std::string plan;  // id of the plan to write; empty: the last one
  bool problem_only = false;
};

/// One file format; a line in formats.def.
struct Format {
  std::string id;  // "minimalloc-csv"
  std::string title;
  std::string extension;  // with the dot: ".csv"; the writer is chosen by it
  std::string summary;
  /// Looks at the first bytes: could this be the format?
  bool (*sniff)(std::string_view bytes) = nullptr;
  /// `name` begins the messages. Null when it cannot be read.
  Result<Document> (*read)(std::string_view bytes, const std::string& name, const ReadOptions&) = nullptr;
  /// Null when it cannot be written.
  Result<std::string> (*write)(const Document&, const WriteOptions&) = nullptr;
};

std::span<const Format> formats();
const Format* find_format(std::string_view id);
/// The format written to a path by its ending; null when no writer has it.
const Format* format_for_path(std::string_view path);

/// Reads a document from bytes: names what is not readable ("this is a ZIP file"), else sniffs and reads.
Result<Document> read_document(std::string_view bytes, const std::string& name, const ReadOptions& options);
/// read_file and read_document; Document::path is set.
Result<Document> open_document(const std::string& path, const ReadOptions& options);
/// Writes by format; never partial.
Result<void> save_document(const Document& document, const std::string& path, const Format& format,
                           const WriteOptions& options, const FileProbe& probe = {});

/// What a file that is not ours seems to be, from its first bytes: "a ZIP file", "a PNG picture", "UTF-16 text", "a
/// TensorFlow Lite model", "a Python pickle", "binary data"; empty when it looks like text.
std::string foreign_kind(std::string_view bytes);

}  // namespace stowage
