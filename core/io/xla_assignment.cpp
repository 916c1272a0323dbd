#include "core/io/xla_assignment.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/text_lines.h"

namespace stowage::xla {
namespace {

/// The name under which a value is joined: live ranges write a plain value as "a{}", assignments as "a".
std::string_view join_key(std::string_view name) {
  return name.ends_with("{}") ? name.substr(0, name.size() - 2) : name;
}

/// "<9 p0{1} (phi) @0>" without the angle brackets: its name.
std::string_view name_in(std::string_view inside) {
  const auto id = split_first(inside, " ");
  std::string_view name = id ? id->after : inside;
  if (const auto colour = split_last(name, '@'); colour && colour->before.ends_with(' ')) name = trim(colour->before);
  constexpr std::string_view phi = " (phi)";
  if (name.ends_with(phi)) name.remove_suffix(phi.size());
  return trim(name);
}

/// The text behind `key` up to the quote that ends it: op_name="...".
std::string_view quoted(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

class Reader {
 public:
  Reader(std::string_view text, Dump& dump, const ReadWatch* watch) : lines_(text, watch), dump_(dump) {}

  Assignment run() {
    std::string_view line;
    while (lines_.next(line)) read_line(line);
    describe_values();
    return std::move(result_);
  }

 private:
  enum class Section { kAllocations, kUsedValues, kSequence, kRanges, kPeak };

  void read_line(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.empty()) return;
    if (text.starts_with("HloLiveRange")) return read_live_head(text);
    if (text == "InstructionSequence:") return enter(Section::kSequence);
    if (text == "BufferLiveRange:") return enter(Section::kRanges);
    if (text.starts_with("Live ranges at ")) return enter(Section::kPeak);
    if (text == "BufferAssignment:") return enter(Section::kAllocations);
    if (text == "Used values:") return enter(Section::kUsedValues);
    if (text.starts_with("Total bytes")) return read_total(text);
    switch (section_) {
      case Section::kAllocations:
        if (text.starts_with("allocation ")) return read_allocation(text);
        if (text.starts_with("value:")) return read_value(text);
        if (open_ && line.starts_with(' ')) return read_old_value(text);
        break;
      case Section::kUsedValues:
        return read_used(line, text);
      case Section::kRanges:
        return read_range(line, text);
      case Section::kSequence:
      case Section::kPeak:
        break;
    }
  }

  void enter(Section section) { section_ = section; }

  void read_live_head(std::string_view text) {
    result_.ranges.found = true;
    section_ = Section::kSequence;
    const auto max = split_first(text, "(max ");
    if (max) result_.ranges.max = LineScan(max->after).integer().value_or(0);
  }

  void read_total(std::string_view text) {
    const auto number = split_first(text, ":");
    if (number) result_.total = LineScan(trim(number->after)).integer();
  }

  void read_allocation(std::string_view text) {
    LineScan scan(text);
    Allocation allocation;
    allocation.line = lines_.number();
    const bool begins = scan.take("allocation ");
    const auto index = begins ? scan.integer() : std::nullopt;
    // Older versions write the address of the allocation first.
    if (index && scan.take(": ") && scan.rest().starts_with("0x") && scan.hexadecimal()) scan.take(", ");
    const auto size = index && scan.take("size ") ? scan.integer() : std::nullopt;
    if (!size || *size < 0 || !(scan.rest().starts_with(",") || scan.rest().starts_with(":"))) {
      open_ = false;
      return dump_.leave_out(lines_.number(), "not an allocation with a number and a size: \"" + shown(text) + "\"");
    }
    allocation.index = *index;
    allocation.size = *size;
    scan.take(",");
    allocation.tail = trim(scan.rest());
    if (allocation.tail.ends_with(':')) allocation.tail.remove_suffix(1);
    allocation.kind = kind_of(allocation.tail);
    result_.allocations.push_back(std::move(allocation));
    open_ = true;
  }

  void read_value(std::string_view text) {
    const auto fail = [&](std::string_view why) {
      dump_.leave_out(lines_.number(), fmt::format("{}: \"{}\"", why, shown(text)));
    };
    if (!open_) return fail("a value without an allocation");
    const auto begin = split_first(text, "<");
    const auto parts = begin ? split_first(begin->after, "> (size=") : std::nullopt;
    if (!parts) return fail("not a value with a name, a size and an offset");
    Value value;
    value.line = lines_.number();
    value.name = name_in(parts->before);
    LineScan scan(parts->after);
    const auto size = scan.integer();
    const auto offset = size && scan.take(",") && scan.blanks().take("offset=") ? scan.integer() : std::nullopt;
    if (!offset || *size < 0 || *offset < 0) return fail("not a value with a name, a size and an offset");
    value.size = *size;
    value.offset = *offset;
    if (scan.take("): ")) value.shape = trim(scan.rest());
    result_.allocations.back().values.push_back(value);
  }

  /// Before 2019: "fusion[0,1](#3 @0) [OFFSET,SIZE]: SHAPE", the part of a tuple in the first brackets.
  void read_old_value(std::string_view text) {
    const auto named = split_first(text, "](#");
    const auto name = named ? split_last(named->before, '[') : std::nullopt;
    const auto placed = named ? split_first(named->after, ") [") : std::nullopt;
    LineScan scan(placed ? placed->after : std::string_view());
    const auto offset = scan.integer();
    const auto size = offset && scan.take(",") ? scan.integer() : std::nullopt;
    if (!name || !size || *offset < 0 || *size < 0) {
      return dump_.leave_out(lines_.number(), "not a value of the allocation: \"" + shown(text) + "\"");
    }
    Value value;
    value.line = lines_.number();
    value.offset = *offset;
    value.size = *size;
    value.name = name->after.empty() ? name->before : text.substr(0, named->before.size() + 1);
    if (scan.take("]: ")) value.shape = trim(scan.rest());
    result_.allocations.back().values.push_back(value);
  }

  /// "<0 a @0>" begins the description of a value; " from instruction: ..." ends it.
  void read_used(std::string_view line, std::string_view text) {
    if (line.starts_with("<")) {
      const auto end = split_last(text, '>');
      used_ = end ? name_in(end->before.substr(1)) : std::string_view();
      return;
    }
    constexpr std::string_view from = "from instruction:";
    if (!used_.empty() && text.starts_with(from)) instructions_.emplace(used_, text.substr(from.size()));
  }

  void read_range(std::string_view line, std::string_view text) {
    if (!line.starts_with(' ') && !line.starts_with('\t')) return enter(Section::kPeak);
    if (text.starts_with("Peak could not be determined")) return enter(Section::kPeak);
    const auto parts = split_last(text, ':');
    LineScan scan(parts ? parts->after : std::string_view());
    const auto first = scan.integer();
    const auto last = first && scan.take("-") ? scan.integer() : std::nullopt;
    if (!last || !scan.at_end()) {
      return dump_.leave_out(lines_.number(), "not a live range NAME:FIRST-LAST: \"" + shown(text) + "\"");
    }
    if (*last < *first) {
      return dump_.leave_out(lines_.number(),
                             fmt::format("the live range ends at {}, before it starts at {}", *last, *first));
    }
    result_.ranges.of.insert_or_assign(join_key(parts->before), Range{*first, *last});
  }

  void describe_values() {
    if (instructions_.empty()) return;
    for (Allocation& allocation : result_.allocations) {
      for (Value& value : allocation.values) {
        const auto found = instructions_.find(value.name);
        if (found == instructions_.end()) continue;
        value.op_name = quoted(found->second, "op_name=\"");
        value.source = quoted(found->second, "source_file=\"");
        const auto line = split_first(found->second, "source_line=");
        if (line) value.source_line = line->after.substr(0, line->after.find_first_not_of("0123456789"));
      }
    }
  }

  TextLines lines_;
  Dump& dump_;
  Assignment result_;
  Section section_ = Section::kAllocations;
  bool open_ = false;  // an allocation that values belong to
  std::string_view used_;
  std::unordered_map<std::string_view, std::string_view> instructions_;  // by the name of their value
};

}  // namespace

std::string_view kind_of(std::string_view tail) {
  bool constant = false;
  bool parameter = false;
  bool output = false;
  bool local = false;
  bool temporary = false;
  std::size_t begin = 0;
  bool in_bars = false;
  for (std::size_t at = 0; at <= tail.size(); ++at) {
    if (at < tail.size() && tail[at] == '|') in_bars = !in_bars;
    if (at < tail.size() && (in_bars || tail[at] != ',')) continue;
    const std::string_view word = trim(tail.substr(begin, at - begin));
    begin = at + 1;
    parameter = parameter || word.starts_with("parameter ");
    constant = constant || word == "constant";
    output = output || word.starts_with("output") || word == "maybe-live-out";
    local = local || word == "thread-local";
    temporary = temporary || word == "preallocated-temp";
  }
  if (parameter) return "input";
  if (constant) return "constant";
  if (output) return "output";
  if (local) return "workspace";
  return temporary ? "activation" : "";
}

Assignment read_assignment(std::string_view text, Dump& dump, const ReadWatch* watch) {
  return Reader(text, dump, watch).run();
}

}  // namespace stowage::xla
