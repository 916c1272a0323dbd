#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/dump.h"

namespace stowage::xla {

/// A value inside an allocation. Views of the text.
struct Value {
  std::string_view name;   // "a", "d{1}"
  std::string_view shape;  // "f32[16]{0}"
  std::int64_t size = 0;
  std::int64_t offset = 0;  // in its allocation
  std::uint64_t line = 0;
  std::string_view op_name;  // from the metadata of its instruction
  std::string_view source;   // "file:line" likewise, as two texts
  std::string_view source_line;
};

/// "allocation 1: size 112, preallocated-temp:".
struct Allocation {
  std::int64_t index = 0;
  std::int64_t size = 0;
  std::string_view tail;  // all behind the size, without the last colon
  std::string_view kind;  // "input", "constant", "output", "workspace", "activation"; empty
  std::uint64_t line = 0;
  std::vector<Value> values;
  /// Memory that is there before the program runs and that nobody plans.
  bool is_given() const { return kind == "input" || kind == "constant"; }
};

/// The kind that the words behind an allocation's size mean. What stands between bars is a shape.
std::string_view kind_of(std::string_view tail);

/// First and last step of a value, both included.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct LiveRanges {
  bool found = false;
  std::int64_t max = 0;                            // the last step of the schedule
  std::unordered_map<std::string_view, Range> of;  // by name, "a" and "d{1}"
};

struct Assignment {
  std::vector<Allocation> allocations;
  std::optional<std::int64_t> total;
  LiveRanges ranges;
};

/// Reads the text of a buffer assignment, of live ranges, or of both in one. What cannot be read goes to the dump.
/// (Shapes of lines: openxla/xla, hlo_live_range.cc and buffer_assignment.cc.)
Assignment read_assignment(std::string_view text, Dump& dump, const ReadWatch* watch = nullptr);

}  // namespace stowage::xla
