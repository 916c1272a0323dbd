#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/io/value_tree.h"

// The names of the fields in an HloProto that was written as JSON, and the places in it.

namespace stowage::xla {

/// A key as proto3 JSON writes it, or with the names of the fields kept.
class ProtoKey {
 public:
  explicit ProtoKey(const std::string& camel) : camel_(camel), snake_(snake(camel)) {}
  ValueTree::Value in(const ValueTree& tree, ValueTree::Value object) const {
    const ValueTree::Value found = tree.find(object, camel_);
    return found == ValueTree::null() ? tree.find(object, snake_) : found;
  }

 private:
  static std::string snake(const std::string& camel) {
    std::string text;
    for (const char c : camel) {
      if (c >= 'A' && c <= 'Z') text += '_';
      text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
  }
  ValueTree::Key camel_;
  ValueTree::Key snake_;
};

/// The fields of HloProto, and of what XProf makes of it.
struct ProtoKeys {
  ProtoKey assignment{"bufferAssignment"}, module{"hloModule"}, computations{"computations"},
      instructions{"instructions"}, metadata{"metadata"}, op_name{"opName"}, source_file{"sourceFile"},
      source_line{"sourceLine"}, buffers{"logicalBuffers"}, allocations{"bufferAllocations"},
      traces{"heapSimulatorTraces"}, id{"id"}, size{"size"}, color{"color"}, defined{"definedAt"},
      instruction{"instructionName"}, instruction_id{"instructionId"}, shape_index{"shapeIndex"}, index{"index"},
      local{"isThreadLocal"}, parameter{"isEntryComputationParameter"}, constant{"isConstant"},
      live_out{"maybeLiveOut"}, assigned{"assigned"}, buffer_id{"logicalBufferId"}, offset{"offset"}, events{"events"},
      kind{"kind"}, event_buffer{"bufferId"}, canonical{"shareWithCanonicalId"}, name{"name"}, blocks{"bufferBlocks"},
      start{"startStep"}, end{"endStep"}, category{"category"}, unpadded{"unpaddedSize"}, tf_op{"tfOpName"},
      source_info{"sourceInfo"}, shape{"shapeString"}, file_name{"fileName"}, line_number{"lineNumber"},
      proto{"hloProto"}, heap_sizes{"heapSizes"}, spans{"logicalBufferSpans"}, max_heap{"maxHeap"};
};

/// A place in the file as one number, for messages.
enum class Within : std::uint64_t { kBlocks, kLogicalBuffers, kAllocations, kEvents };

inline std::uint64_t place_in(Within list, std::uint64_t outer, std::uint64_t inner) {
  return static_cast<std::uint64_t>(list) << 60U | (outer & 0xFFFFFU) << 40U | inner;
}

inline std::string describe_place(std::uint64_t at) {
  const std::uint64_t outer = at >> 40U & 0xFFFFFU;
  const std::uint64_t inner = at & ((std::uint64_t{1} << 40U) - 1);
  switch (static_cast<Within>(at >> 60U)) {
    case Within::kBlocks:
      return fmt::format("bufferBlocks[{}]", inner);
    case Within::kLogicalBuffers:
      return fmt::format("logicalBuffers[{}]", inner);
    case Within::kAllocations:
      return fmt::format("bufferAllocations[{}].assigned[{}]", outer, inner);
    case Within::kEvents:
      return fmt::format("heapSimulatorTraces[{}].events[{}]", outer, inner);
  }
  return {};
}

}  // namespace stowage::xla
