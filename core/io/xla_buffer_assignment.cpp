#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/sharing.h"
#include "core/io/xla_assignment.h"

// XLA writes `...-buffer-assignment.txt` and `...-live-range.txt` with --xla_dump_to and --xla_dump_hlo_as_text; some
// versions append the second to the first. Steps are closed: a value that is read in step 2 lives through it. An
// instruction may write its result over an operand it reads for the last time; then two values have the same bytes
// for that one step, which is in place and no collision.

namespace stowage {

Format xla_buffer_assignment_format();

namespace {

using xla::Allocation;
using xla::Assignment;
using xla::Value;

constexpr std::string_view kAssignmentName = "buffer-assignment";
constexpr std::string_view kRangeName = "live-range";

/// The text of the other file of the pair, from the name of this one; nothing when it is not there.
std::optional<std::string> other_half(const std::string& name, std::string_view mine, std::string_view other,
                                      const ReadOptions& options) {
  if (!options.beside) return std::nullopt;
  std::string plain = name.substr(name.find_last_of('/') + 1);
  const std::size_t at = plain.rfind(mine);
  if (at == std::string::npos) return std::nullopt;
  return options.beside(plain.replace(at, mine.size(), other));
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : options_(options), dump_(name), bytes_(bytes) {
    const Format format = xla_buffer_assignment_format();
    with_given_ = format.choice(options, "constants") == "on";
    stacked_ = format.choice(options, "layout") == "stacked";
  }

  Result<Document> run() {
    assignment_ = xla::read_assignment(bytes_, dump_, options_.watch);
    if (assignment_.allocations.empty() && assignment_.ranges.found) {
      if (const auto error = read_assignment_beside()) return input_error(*error);
    } else if (!assignment_.ranges.found) {
      read_ranges_beside();
    }
    if (assignment_.allocations.empty()) {
      return input_error(dump_.name() + ": there is no \"allocation N: size N\" in this buffer assignment");
    }
    if (assignment_.ranges.found && assignment_.ranges.of.empty()) {
      assignment_.ranges.found = false;
      tell_of_one_instant("the section of the live ranges breaks off before its first range");
    }
    compare_total();
    for (const Allocation& allocation : assignment_.allocations) add(allocation);
    settle();
    dump_.input.time_unit = "step";
    return dump_.finish("xla-buffer-assignment", rule_name(options_.times, TimeRule::kClosed));
  }

 private:
  std::optional<std::string> read_assignment_beside() {
    other_ = other_half(dump_.name(), kRangeName, kAssignmentName, options_);
    if (!other_) {
      return dump_.name() +
             ": these are live ranges of XLA without sizes; open the ...-buffer-assignment.txt that was written with "
             "them, or put it beside this file";
    }
    xla::LiveRanges ranges = std::move(assignment_.ranges);
    assignment_ = xla::read_assignment(*other_, dump_);
    assignment_.ranges = std::move(ranges);
    dump_.note("sizes and offsets are those of the buffer assignment beside it");
    return std::nullopt;
  }

  void read_ranges_beside() {
    other_ = other_half(dump_.name(), kAssignmentName, kRangeName, options_);
    if (!other_) {
      return tell_of_one_instant("there are no live ranges, neither inside nor in a ...-live-range.txt beside it");
    }
    assignment_.ranges = xla::read_assignment(*other_, dump_).ranges;
    dump_.note("lifetimes are those of the live ranges beside it");
  }

  void tell_of_one_instant(std::string_view why) {
    dump_.note(
        fmt::format("{}: everything is shown at one instant, and bytes that several values share count once", why));
  }

  void compare_total() {
    Int128 sum = 0;
    for (const Allocation& allocation : assignment_.allocations) sum += allocation.size;
    if (assignment_.total && sum != *assignment_.total) {
      dump_.note(fmt::format("\"Total bytes\" says {}, the allocations add up to {}", *assignment_.total,
                             sum <= kMaxInt64 ? std::to_string(static_cast<std::int64_t>(sum)) : "more than 2^63-1"));
    }
  }

  void add(const Allocation& allocation) {
    if (allocation.is_given() && !with_given_) {
      auto& [count, bytes] = given_[std::string(allocation.kind)];
      ++count;
      bytes += allocation.size;
      return;
    }
    const auto space = space_of(allocation);
    if (!space) return dump_.leave_out(allocation.line, "there are more than 65,535 allocations");
    const std::int64_t base = stacked_ ? top_ : 0;
    if (stacked_) top_ = checked_add(top_, allocation.size).value_or(kMaxInt64);
    const xla::Range whole = life_of(allocation);
    const auto first = static_cast<BufferIndex>(dump_.size());
    for (const Value& value : allocation.values) add(value, allocation, *space, base, whole);
    // An allocation without a value is there all the same.
    if (allocation.values.empty()) add_empty(allocation, *space, base);
    if (!assignment_.ranges.found) {
      for (BufferIndex i = first; i < dump_.size(); ++i) timeless_.push_back(i);
    }
  }

  std::optional<std::uint16_t> space_of(const Allocation& allocation) {
    if (stacked_) return dump_.space("memory");
    return dump_.space(fmt::format("allocation {}", allocation.index));
  }

  /// From the first step in which any of its values is known to live to the last.
  xla::Range life_of(const Allocation& allocation) const {
    std::optional<xla::Range> life;
    for (const Value& value : allocation.values) {
      const auto range = assignment_.ranges.of.find(key_of(value));
      if (range == assignment_.ranges.of.end()) continue;
      if (!life) life = range->second;
      life->first = std::min(life->first, range->second.first);
      life->last = std::max(life->last, range->second.last);
    }
    return life.value_or(xla::Range{0, std::max<std::int64_t>(assignment_.ranges.max, 0)});
  }

  static std::string_view key_of(const Value& value) {
    return value.name.ends_with("{}") ? value.name.substr(0, value.name.size() - 2) : value.name;
  }

  void add(const Value& value, const Allocation& allocation, std::uint16_t space, std::int64_t base,
           const xla::Range& whole) {
    const auto range = assignment_.ranges.of.find(key_of(value));
    const bool known = range != assignment_.ranges.of.end();
    const xla::Range life = known ? range->second : whole;
    const auto end = closed_end(life.last, options_.times);
    const auto offset = checked_add(base, value.offset);
    if (!end || !offset) return dump_.leave_out(value.line, "a number above 2^63-1");
    Buffer buffer;
    buffer.start = assignment_.ranges.found ? life.first : 0;
    buffer.end = assignment_.ranges.found ? *end : 1;
    buffer.size = value.size;
    buffer.space = space;
    buffer.kind = dump_.kind(allocation.kind);
    Details details;
    details.op = value.op_name;
    if (!value.source.empty()) details.source = fmt::format("{}:{}", value.source, value.source_line);
    describe(value, allocation, details);
    if (assignment_.ranges.found) {
      ++values_;
      if (!known) {
        ++unknown_;
        need_nothing(details, buffer);
        unknown_values_.push_back(&value);
      }
    }
    if (const auto high = checked_add(value.offset, value.size); !high || *high > allocation.size) {
      dump_.note_at(value.line, fmt::format("\"{}\" ends at {}, outside the {} bytes of its allocation",
                                            shown(value.name), high.value_or(kMaxInt64), allocation.size));
    }
    dump_.add(value.name, buffer, *offset, value.line, std::move(details));
  }

  /// What only XLA knows of a value, kept as it is.
  void describe(const Value& value, const Allocation& allocation, Details& details) const {
    json::ObjectWriter writer(details.extra);
    if (!value.shape.empty()) writer.text("hlo_shape", value.shape);
    if (!allocation.tail.empty()) writer.text("allocation", allocation.tail);
    writer.close();
    if (details.extra == "{}") details.extra.clear();
  }

  void add_empty(const Allocation& allocation, std::uint16_t space, std::int64_t base) {
    const auto end = closed_end(std::max<std::int64_t>(assignment_.ranges.max, 0), options_.times);
    Buffer buffer;
    buffer.end = assignment_.ranges.found ? end.value_or(kMaxInt64) : 1;
    buffer.size = allocation.size;
    buffer.space = space;
    buffer.kind = dump_.kind(allocation.kind);
    dump_.add(fmt::format("allocation {}", allocation.index), buffer, base, allocation.line);
  }

  void settle() {
    for (const auto& [kind, sum] : given_) {
      const auto& [count, bytes] = sum;
      const std::string amount =
          bytes <= kMaxInt64 ? format_exact_bytes(static_cast<std::int64_t>(bytes)) : "more than 2^63-1 bytes";
      dump_.note(fmt::format("{} {} with {} are not shown; --choose constants=on shows them", count,
                             kind == "input" ? "parameters" : "constants", amount));
    }
    if (unknown_ > 0) {
      dump_.note(fmt::format(
          "{} of {} values have a live range; the others, inside loop bodies and called computations, are shown for "
          "the whole life of their allocation and count for nothing",
          values_ - unknown_, values_));
      for (const Value* value : unknown_values_) {
        dump_.note_at(value->line, "\"" + shown(value->name) + "\" has no live range");
      }
    }
    share_bytes_once(dump_.input, dump_.offsets, timeless_);
    if (!assignment_.ranges.found) return;
    const std::size_t tied = tie_shared(
        dump_.input, dump_.offsets, [this](const SharedBytes& pair) { return touch_at_one_step(dump_.input, pair); });
    if (tied > 0) {
      dump_.note(fmt::format(
          "{} pairs of values have the same bytes for one step, in which the one is read and the other written: in "
          "place",
          tied));
    }
  }

  const ReadOptions& options_;
  Dump dump_;
  std::string_view bytes_;
  std::optional<std::string> other_;  // the text of the other file
  Assignment assignment_;             // views of both
  bool with_given_ = false;
  bool stacked_ = false;
  std::int64_t top_ = 0;
  std::map<std::string, std::pair<std::int64_t, Int128>> given_;  // kind -> count and bytes that are not shown
  std::vector<BufferIndex> timeless_;
  std::int64_t values_ = 0;
  std::int64_t unknown_ = 0;
  std::vector<const Value*> unknown_values_;
};

bool sniff(std::string_view bytes) {
  const std::string_view head = trim(bytes.substr(0, 4096));
  return head.starts_with("BufferAssignment:") || head.starts_with("HloLiveRange") ||
         (head.starts_with("allocation ") && (head.find(": size ") < 40 || head.find(", size ") < 60));
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format xla_buffer_assignment_format() {
  Format format;
  format.id = "xla-buffer-assignment";
  format.title = "XLA buffer assignment";
  format.extension = ".txt";
  format.summary = "...-buffer-assignment.txt with its live ranges, inside or in a ...-live-range.txt beside it";
  format.sniff = sniff;
  format.read = read;
  format.choices = {{"constants", "show parameters and constants as well", "off", {"off", "on"}},
                    {"layout", "each allocation a space of its own, or all in one", "lanes", {"lanes", "stacked"}}};
  return format;
}

}  // namespace stowage
