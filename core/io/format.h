#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/file.h"
#include "core/io/json_outline.h"
#include "core/io/read_watch.h"
#include "core/steps/step.h"

namespace stowage {

enum class TimeRule { kDefault, kHalfOpen, kClosed, kOpen };
enum class OffsetRule { kDefault, kPlan, kPins };

struct ReadOptions {
  std::string format;                         // id; empty: sniff by content
  TimeRule times = TimeRule::kDefault;        // how lower/upper are meant
  OffsetRule offsets = OffsetRule::kDefault;  // what an offset column means
  bool lenient = false;                       // leave bad rows out and list each as a warning
  /// Answers to questions of the format (Format::choices) by key; what is missing has the default.
  std::map<std::string, std::string> choices;
  /// The text of another file in the folder of the one that is read, by its plain name: dumps of compilers come in
  /// pairs. Nothing when there is none, or no folder (standard input). Set by open_document.
  std::function<std::optional<std::string>(const std::string& name)> beside;
  /// Called by a reader that needs the bytes no more, before it makes its document, so that not both of them have to
  /// be in memory; may be empty. Set by open_document.
  std::function<void()> release;
  /// Who watches the reading and may stop it, for as long as it takes; null: nobody.
  const ReadWatch* watch = nullptr;
};

/// A question that a format leaves open: which device, which strategy, with or without constants.
struct ReadChoice {
  std::string key;
  std::string summary;
  std::string value;                // when nobody says otherwise
  std::vector<std::string> values;  // those that there are; empty: any text
};

struct WriteOptions {
  std::string plan;  // id of the plan to write; empty: the last one
  bool problem_only = false;
  /// What the run said that made the plan, for a format that plays it; null: the plan alone. Must outlive the writing.
  const StepLog* steps = nullptr;
  bool with_pipeline = false;  // a graph in a file of its own: also the stages that it goes through
};

/// One file format; a line in formats.def. Whatever can be read has a sniffer.
struct Format {
  std::string id;  // "minimalloc-csv"
  std::string title;
  std::string extension;  // with the dot: ".csv"; the writer is chosen by it
  std::string summary;
  /// Looks at the first bytes: could this be the format? Null when only JSON can be.
  bool (*sniff)(std::string_view bytes) = nullptr;
  /// The same for what begins like JSON, by its outermost keys. Null when it is never JSON.
  bool (*sniff_json)(const json::Outline& outline) = nullptr;
  /// Not text: looked at before the bytes are called binary data.
  bool binary = false;
  /// `name` begins the messages. Null when it cannot be read.
  Result<Document> (*read)(std::string_view bytes, const std::string& name, const ReadOptions&) = nullptr;
  /// Null when it cannot be written.
  Result<std::string> (*write)(const Document&, const WriteOptions&) = nullptr;
  std::vector<ReadChoice> choices = {};

  /// What was chosen for a key of `choices`.
  const std::string& choice(const ReadOptions& options, const std::string& key) const;
};

std::span<const Format> formats();
const Format* find_format(std::string_view id);
/// The format written to a path by its ending; null when no writer has it.
const Format* format_for_path(std::string_view path);

/// Reads a document from bytes: names what is not readable ("this is a ZIP file"), else sniffs and reads.
Result<Document> read_document(std::string_view bytes, const std::string& name, const ReadOptions& options);
/// read_file and read_document; Document::path is set. Error: cancelled, when the watch of the options was told to
/// stop.
Result<Document> open_document(const std::string& path, const ReadOptions& options);
/// Writes by format; never partial.
Result<void> save_document(const Document& document, const std::string& path, const Format& format,
                           const WriteOptions& options, const FileProbe& probe = {});

/// What a file that is not ours seems to be, from its first bytes: "a ZIP file", "a PNG picture", "UTF-16 text", "a
/// TensorFlow Lite model", "a Python pickle", "binary data"; empty when it looks like text.
std::string foreign_kind(std::string_view bytes);

}  // namespace stowage
