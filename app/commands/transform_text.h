#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/metrics.h"
#include "core/transforms/pipeline.h"
#include "core/transforms/reuse.h"

namespace stowage {

/// A pipeline after one of its stages, measured.
struct MeasuredStage {
  PipelineStage stage;     // no transform: the graph as it comes
  TransformReport report;  // of the stage
  Staged after;
  std::vector<std::string> notes;  // of the way to a problem: what was left out
  ProblemMetrics metrics;
  std::size_t buffers = 0;
  std::optional<std::int64_t> makespan;  // of the allocator's plan; none where it refuses
  std::string message;                   // why there is none, or why it may not be the last word
  bool stopped = false;                  // the time limit cut the allocator off
};

/// Whether two tensors may share memory at the end of the pipeline.
struct PairAnswer {
  std::string a;
  std::string b;
  WhyNotShared why;
};

/// What a pipeline did, stage by stage: a table, then what each stage said, at most `most` lines of each.
std::string stages_text(const std::vector<MeasuredStage>& stages, const std::string& allocator, std::size_t most);
/// {"allocator","stages":[{"transform","params","on","load","makespan","naive","ops","buffers","in_place","storages",
/// "storage_bytes","copies_removed",...,"remarks":[{"kind","op","tensor","text"}],"implied":[[after,before]]}],
/// "why_not":{"a","b","may_share","text","event":[after,before]}}; the event where one would let them share.
std::string stages_json(const std::vector<MeasuredStage>& stages, const std::string& allocator,
                        const std::optional<PairAnswer>& pair);
/// "t0 and t3 may share memory: t0 is over before n3 makes t3".
std::string pair_text(const PairAnswer& pair);

/// Every transform with its parameters.
std::string transforms_text();
std::string transforms_json();

}  // namespace stowage
