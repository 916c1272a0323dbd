#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/params.h"
#include "core/transforms/bucket_rules.h"

namespace stowage {

/// The parameters of fusion, read.
struct FusionSettings {
  std::string what;  // "gradients", "weights", "states"
  std::string rule;  // "per-tensor", "all", "ddp", "horovod", "megatron", "deepspeed"
  std::string order;
  bool copies = false;  // members keep their own memory and are packed into a buffer
  std::vector<std::int64_t> limits;
  std::int64_t threshold = 0;
  std::int64_t local_size = 1;
  bool hierarchical = false;  // horovod
  std::int64_t dp = 1;
  bool high_bandwidth = false;
  std::int64_t bucket_elements = 0;
  CollectiveCost cost;   // in seconds
  double time_unit = 1;  // seconds of one unit of the graph's clock
};

std::vector<ParamSpec> fusion_params();
/// Error: usage, names the parameter.
Result<FusionSettings> fusion_settings(const ParamValues& params);

/// Which messages go together by the rule of the settings.
std::vector<Bucket> fuse(const std::vector<Message>& messages, const FusionSettings& settings);

}  // namespace stowage
