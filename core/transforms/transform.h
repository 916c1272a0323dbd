#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/run/params.h"
#include "core/run/run.h"

namespace stowage {

/// One pair or place that a transform looked at, and why it did what it did: "relu: a may not take x: sigmoid still
/// reads x".
struct Remark {
  enum class Kind : std::uint8_t { kDone, kRefused, kNote };
  Kind kind = Kind::kNote;
  OpIndex op = kNoOp;              // of the graph before
  TensorIndex tensor = kNoTensor;  // of the graph before
  std::string text;
};

/// What a transform did, besides what load and makespan before and after show.
struct TransformReport {
  std::int64_t copies_removed = 0;
  std::int64_t bytes_saved = 0;         // of buffers that are gone
  std::int64_t copied_bytes_saved = 0;  // that removed copies would have written
  std::int64_t bytes_moved = 0;         // by copies between spaces, packing, encoding
  std::int64_t extra_ops = 0;
  std::int64_t extra_flops = 0;
  double extra_time = 0;            // that everything takes longer: durations of extra ops, waiting for copies
  double stall = 0;                 // of that: the computation waits
  double copy_time = 0;             // durations of copies between spaces, which run beside the ops
  std::int64_t padding = 0;         // bytes
  std::int64_t messages_saved = 0;  // collectives that fusion makes unnecessary
  double communication_saved = 0;   // seconds by the cost model, packing and unpacking included
  /// Longest chain of ops by durations when everything runs as soon as it can, and with the implied orders; sharing
  /// fills them in.
  std::optional<double> critical_path_before;
  std::optional<double> critical_path_after;
  std::vector<Remark> remarks;  // what was done behind what was not
  /// Orders that sharing takes for granted and the graph does not promise: `after` must have ended before `before`.
  std::vector<Event> implied;
};

struct Transformed {
  Staged staged;
  TransformReport report;
};

/// A change of the graph or of what is decided about its memory; a line in transforms.def. Steps go to the context's
/// log with tensors of the graph before as buffers.
struct Transform {
  std::string id;  // "in-place", "sharing"; stable
  std::string title;
  std::string summary;
  std::string source;
  std::vector<ParamSpec> params;
  /// Assumes completed parameters: call run_transform.
  Result<Transformed> (*run)(const Staged&, const ParamValues&, RunContext&) = nullptr;
};

std::span<const Transform> transforms();
const Transform* find_transform(std::string_view id);
/// Completes the parameters and runs it. Errors: usage (unknown parameter), refused (it cannot be applied: why).
Result<Transformed> run_transform(const Transform& transform, const Staged& staged, const ParamValues& params,
                                  RunContext& context);

/// A transform as it stands in a pipeline.
struct PipelineStage {
  std::string transform;
  bool on = true;
  ParamValues params;
  bool operator==(const PipelineStage&) const = default;
};

}  // namespace stowage
