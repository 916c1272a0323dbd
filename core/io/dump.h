#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/intake.h"
#include "core/io/palette.h"
#include "core/io/text_lines.h"

namespace stowage {

/// Whether the programs that write a format end each line, so that a last line without its end was cut off.
enum class LineEnds { kAlways, kMostly };

/// What a reader of dumps collects. Dumps are read as far as they make sense: a row that makes none is left out and
/// listed with its place and the reason.
class Dump {
 public:
  /// Turns the number of a place into the beginning of a message: a line, a byte, an element.
  using Place = std::function<std::string(std::uint64_t at)>;

  /// Places are lines, from 1: "dump.txt:17: ".
  explicit Dump(const std::string& name);
  Dump(const std::string& name, Place place);

  const std::string& name() const { return name_; }
  std::size_t size() const { return input.buffers.size(); }
  std::string place(std::uint64_t at) const { return place_(at); }

  /// The number of a space, added when it is new. A buffer of a space beyond the 65,535th must be left out: the
  /// answer is then nothing.
  std::optional<std::uint16_t> space(std::string_view id);
  /// The number of a kind; the 65,536th and later ones are "no kind".
  std::uint16_t kind(std::string_view kind);

  /// Makes room for so many buffers: vectors that grow are there twice for a while.
  void reserve(std::size_t buffers);

  /// `offset` is kNoOffset where the file has none. `at` is where the buffer stands in the file.
  void add(std::string_view id, const Buffer& buffer, std::int64_t offset, std::uint64_t at);
  void add(std::string_view id, const Buffer& buffer, std::int64_t offset, std::uint64_t at, Details details);

  /// Stores details for a reader that gives many buffers the same ones: what their Buffer::details is to be. They are
  /// for show only, and the reader ties no such buffer afterwards.
  std::uint32_t store(Details details);

  void leave_out(std::uint64_t at, std::string_view why);
  /// Something to know about the file as a whole or about one place of it.
  void note(std::string_view text);
  void note_at(std::uint64_t at, std::string_view text);

  /// After the last line of a text: notes when the text seems to be cut inside that line, either because each line
  /// must have an end or because it could not be read.
  void end_of_text(const TextLines& lines, LineEnds ends = LineEnds::kMostly);

  /// The document. A plan "file" is in it where any buffer has an offset. `times` says the file's time rule.
  Result<Document> finish(std::string_view format, std::string_view times);

  ProblemInput input;                 // its spaces and kinds are filled by finish()
  std::vector<std::int64_t> offsets;  // one for each buffer

  /// The base address of a space; set before finish().
  void set_base(std::uint16_t space, std::uint64_t base);

 private:
  std::string name_;
  Place place_;
  Complaints complaints_{true};
  Palette kinds_;
  Palette spaces_;
  std::vector<std::uint64_t> bases_;  // by space; those that are missing are 0
  std::vector<std::uint64_t> at_;     // by buffer
  std::vector<std::string> notes_;
  std::uint64_t untold_ = 0;         // notes that are not listed
  std::uint64_t last_left_out_ = 0;  // the place farthest behind
};

/// The half-open end of a lifetime whose last step is `last`; nothing above 2^63-2.
std::optional<std::int64_t> end_after(std::int64_t last);

/// What `--times` makes of a closed end: by default and under closed the lifetime reaches over its last step, under
/// half-open and open it ends there. `last` is what the file says.
std::optional<std::int64_t> closed_end(std::int64_t last, TimeRule rule);
/// The same for a file whose own rule is half-open.
std::optional<std::int64_t> half_open_end(std::int64_t end, TimeRule rule);
/// The word for the rule that was used: "closed", "half-open", "open".
std::string_view rule_name(TimeRule rule, TimeRule of_file);

}  // namespace stowage
