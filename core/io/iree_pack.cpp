#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/mlir_ops.h"
#include "core/io/mlir_text.h"
#include "core/io/text_lines.h"

// IREE's packing problems:
//   %t:5 = stream.resource.pack slices({ [0, 2] = %c64, [1, 3] = %c32, [3, 4] = %c64 }) : index
// Ranges are closed; sizes are constants of the function, or asked for. Each pack of the text is a space of its own.
// (iree-org/iree, compiler/Dialect/Stream: ResourcePackOp.)

namespace stowage {

Format iree_pack_format();

namespace {

constexpr std::string_view kPack = "stream.resource.pack";

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options, mlir::Constants sizes)
      : lines_(bytes, options.watch), options_(options), dump_(name), sizes_(std::move(sizes)), constants_(sizes_) {}

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) read_line(trim(mlir::without_comment(line)));
    dump_.end_of_text(lines_);
    if (by_name_ > 0) {
      dump_.note(fmt::format("{} sizes are what the names of constants say that are not defined above them", by_name_));
    }
    if (in_pack_) dump_.leave_out(lines_.number(), "the text breaks off inside a pack");
    auto document = dump_.finish("iree-pack", rule_name(options_.times, TimeRule::kClosed));
    if (!document) return document;
    for (const std::string& one : asked_) document->facts.open.push_back({"sizes", one});
    return document;
  }

 private:
  void read_line(std::string_view line) {
    if (line.find("func") != std::string_view::npos && line.find('@') != std::string_view::npos) constants_ = sizes_;
    if (const auto given = split_first(line, "min_buffer_offset_alignment = ")) {
      alignment_ = std::max<std::int64_t>(LineScan(given->after).integer().value_or(1), 1);
    }
    mlir::read_constant(line, constants_);
    if (const auto op = mlir::op_of(line); op && op->generic && op->name == kPack) return read_generic(line, *op);
    if (const std::size_t at = line.find(kPack); at != std::string_view::npos) {
      begin_pack(line.substr(0, at));
      return read_slices(line.substr(at + kPack.size()));
    }
    if (const auto result = split_last(line, '='); result && trim(result->after).empty())
      pending_ = trim(result->before);
    if (in_pack_) read_slices(line);
  }

  /// The names of the results stand before the op, on its line or the one before; the first is the total.
  void begin_pack(std::string_view before) {
    before = trim(before);
    if (before.ends_with('=')) before = trim(before.substr(0, before.size() - 1));
    const std::string results = before.empty() ? pending_ : std::string(before);
    names_.clear();
    if (const auto counted = split_first(results, ":")) {
      prefix_ = trim(counted->before);
    } else {
      prefix_ = results;
      for (const std::string& name : split(results, ',')) names_.emplace_back(trim(name));
    }
    in_pack_ = true;
    at_slices_ = false;
    slices_ = 0;
    space_ = dump_.space(fmt::format("pack {}", ++packs_)).value_or(0);
    pending_.clear();
  }

  /// `"stream.resource.pack"(%c64, %c32) <{lifetime_intervals = [0, 2, 1, 3], ...}> : ...`; an offset may stand before
  /// the sizes.
  void read_generic(std::string_view line, const mlir::Op& op) {
    begin_pack(line.substr(0, line.find('"')));
    in_pack_ = false;
    const auto intervals = split_first(op.rest, "lifetime_intervals = [");
    const auto list = intervals ? split_first(intervals->after, "]") : std::nullopt;
    if (!list) return dump_.leave_out(lines_.number(), "a pack without lifetime_intervals");
    const std::vector<std::string_view> operands = mlir::operands_of(op);
    const std::vector<std::string_view> times = mlir::parts_outside(list->before);  // "0" or "0 : index"
    const std::size_t slices = times.size() / 2;
    const std::size_t first = operands.size() - std::min(operands.size(), slices);
    for (std::size_t k = 0; k < slices && first + k < operands.size(); ++k) {
      const auto time = [](std::string_view text) {
        return trim(text.substr(0, text.find(':')));
      };
      read_slice(fmt::format("[{}, {}] = {}", time(times[2 * k]), time(times[2 * k + 1]), operands[first + k]));
    }
    if (slices > operands.size()) {
      dump_.leave_out(lines_.number(), fmt::format("{} lives for {} sizes", slices, operands.size()));
    }
  }

  /// What stands between the op and its slices (an affinity, an offset) may have brackets of its own.
  void read_slices(std::string_view line) {
    if (!at_slices_) {
      const auto begin = split_first(line, "slices(");
      if (!begin) return;
      at_slices_ = true;
      line = begin->after;
    }
    for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
      if (const std::size_t end = line.find("})"); end != std::string_view::npos && end < at) break;
      read_slice(line.substr(at));
    }
    if (line.find("})") != std::string_view::npos) in_pack_ = false;
  }

  void read_slice(std::string_view text) {
    LineScan scan(text);
    scan.take("[");
    const auto first = scan.blanks().integer();
    const auto last = first && scan.blanks().take(",") ? scan.blanks().integer() : std::nullopt;
    const bool closed = last && scan.blanks().take("]") && scan.blanks().take("=");
    const auto end = closed ? closed_end(*last, options_.times) : std::nullopt;
    if (!end || *last < *first) return dump_.leave_out(lines_.number(), "not a slice [FIRST, LAST] = SIZE");
    ++slices_;
    const std::string_view rest = scan.blanks().rest();
    const std::string name(trim(rest.substr(0, rest.find_first_of(",} \t"))));
    const auto known = constants_.find(name);
    auto size = known != constants_.end() ? std::optional(known->second) : parse_int(name);
    if (!size && (size = mlir::value_in_name(name))) ++by_name_;
    if (!size || *size < 0) {
      if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) asked_.push_back(name);
      return dump_.leave_out(
          lines_.number(),
          fmt::format("the size {} is known only at run time; --choose sizes={}=N gives it", shown(name), shown(name)));
    }
    Buffer buffer;
    buffer.start = *first;
    buffer.end = *end;
    buffer.size = *size;
    buffer.alignment = alignment_;
    buffer.space = space_;
    Details details;
    details.op = name;
    const auto number = static_cast<std::size_t>(slices_);
    const std::string id = number < names_.size() ? names_[number] : fmt::format("{}#{}", prefix_, slices_);
    dump_.add(id, buffer, kNoOffset, lines_.number(), std::move(details));
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  mlir::Constants sizes_;
  mlir::Constants constants_;
  std::int64_t alignment_ = 1;
  bool in_pack_ = false;
  bool at_slices_ = false;
  std::int64_t packs_ = 0;
  std::int64_t by_name_ = 0;
  std::int64_t slices_ = 0;
  std::uint16_t space_ = 0;
  std::vector<std::string> asked_;  // sizes without a value
  std::string pending_;             // results on the line before the op
  std::string prefix_;
  std::vector<std::string> names_;
};

bool sniff(std::string_view bytes) {
  return bytes.substr(0, std::size_t{1} << 20U).find(kPack) != std::string_view::npos;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  auto sizes = mlir::given_sizes(iree_pack_format().choice(options, "sizes"));
  if (!sizes) return usage_error("sizes are given as %size_a=100,%size_b=200");
  return Reader(bytes, name, options, std::move(*sizes)).run();
}

}  // namespace

Format iree_pack_format() {
  Format format;
  format.id = "iree-pack";
  format.title = "IREE resource pack";
  format.extension = ".mlir";
  format.summary = "stream.resource.pack: slices with closed ranges, one space for each pack";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"sizes", "what is known only at run time: %size_a=100", "", {}}};
  return format;
}

}  // namespace stowage
