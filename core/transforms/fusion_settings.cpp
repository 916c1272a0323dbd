#include "core/transforms/fusion_settings.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/transforms/param_values.h"

namespace stowage {
namespace {

constexpr std::int64_t kMostProcesses = 1'000'000;  // so that products with it stay far from the end of int64

ParamSpec spec(std::string key, std::string summary, std::string value, std::vector<std::string> choices, bool closed) {
  ParamSpec param;
  param.key = std::move(key);
  param.summary = std::move(summary);
  param.value = std::move(value);
  param.choices = std::move(choices);
  param.closed = closed;
  return param;
}

tl::unexpected<Error> wrong(const ParamValues& params, const std::string& key, std::string_view expected) {
  return usage_error(fmt::format("{}={}: expected {}", key, params.at(key), expected));
}

Result<std::int64_t> bytes_of(const ParamValues& params, const std::string& key) {
  const auto bytes = parse_bytes(params.at(key));
  if (!bytes) return wrong(params, key, "bytes");
  return *bytes;
}

}  // namespace

std::vector<ParamSpec> fusion_params() {
  return {
      spec("what", "which tensors are sent", "gradients", {"gradients", "weights", "states"}, true),
      spec("rule", "which of them go together", "ddp", {"per-tensor", "all", "ddp", "horovod", "megatron", "deepspeed"},
           true),
      spec("buffer", "members are written where they are sent from, or copied there and back", "view", {"view", "copy"},
           true),
      spec(
          "order",
          "as listed, the last first, as they are made; `rule`: gradients as they are made, weights as the rule has it",
          "rule", {"rule", "forward", "reverse", "ready"}, true),
      spec("limits", "ddp: bytes at which buckets close, joined by +", "1MiB+25MiB", {"1MiB+25MiB", "25MiB"}, false),
      spec("threshold", "horovod: the most bytes of a buffer", "128MiB", {"64MiB", "128MiB", "0"}, false),
      spec("local-size", "horovod: processes of a machine", "1", {"1", "4", "8"}, false),
      spec("hierarchical", "horovod: first within a machine, then between them; the threshold is rounded up for that",
           "off", {"off", "on"}, true),
      spec("dp", "megatron: data-parallel processes", "8", {"1", "8", "64"}, false),
      spec("high-bandwidth", "megatron: buckets end at multiples of 65,536 elements", "off", {"off", "on"}, true),
      spec("bucket-elements", "megatron, deepspeed: elements of a bucket", "40000000", {"40000000", "500000000"},
           false),
      spec("time-unit", "how long one unit of the graph's own clock is", "1us", {"1us", "1ms", "1s"}, false),
      spec("latency", "time of a collective, whatever its size", "20us", {"5us", "20us", "100us"}, false),
      spec("bandwidth", "bytes a second of a collective", "10GB", {"10GB", "100GB"}, false),
      spec("copy-bandwidth", "bytes a second of packing and unpacking", "900GB", {"900GB", "2TB"}, false),
  };
}

Result<FusionSettings> fusion_settings(const ParamValues& params) {
  FusionSettings settings;
  settings.what = params.at("what");
  settings.rule = params.at("rule");
  settings.order = params.at("order");
  settings.copies = params.at("buffer") == "copy";
  settings.hierarchical = params.at("hierarchical") == "on";
  settings.high_bandwidth = params.at("high-bandwidth") == "on";
  for (const std::string& text : split(params.at("limits"), '+')) {
    const auto limit = parse_bytes(text);
    if (!limit) return wrong(params, "limits", "bytes, joined by +");
    settings.limits.push_back(*limit);
  }
  const auto threshold = bytes_of(params, "threshold");
  if (!threshold) return tl::unexpected(threshold.error());
  settings.threshold = *threshold;
  const auto local_size = count_param(params, "local-size", 1, kMostProcesses, "fusion");
  if (!local_size) return tl::unexpected(local_size.error());
  settings.local_size = *local_size;
  const auto dp = count_param(params, "dp", 1, kMostProcesses, "fusion");
  if (!dp) return tl::unexpected(dp.error());
  settings.dp = *dp;
  const auto elements = count_param(params, "bucket-elements", 1, std::int64_t{1} << 60U, "fusion");
  if (!elements) return tl::unexpected(elements.error());
  settings.bucket_elements = *elements;
  const auto latency = parse_seconds(params.at("latency"));
  if (!latency) return wrong(params, "latency", "a time such as 20us");
  const auto bandwidth = parse_bytes(params.at("bandwidth"));
  if (!bandwidth || *bandwidth < 1) return wrong(params, "bandwidth", "bytes a second");
  const auto copies = parse_bytes(params.at("copy-bandwidth"));
  if (!copies || *copies < 1) return wrong(params, "copy-bandwidth", "bytes a second");
  const auto unit = parse_seconds(params.at("time-unit"));
  if (!unit || *unit <= 0) return wrong(params, "time-unit", "a time such as 1us");
  settings.time_unit = *unit;
  settings.cost = CollectiveCost{*latency, 1 / static_cast<double>(*bandwidth), static_cast<double>(*copies)};
  return settings;
}

std::vector<Bucket> fuse(const std::vector<Message>& messages, const FusionSettings& settings) {
  if (settings.rule == "ddp") return ddp_buckets(messages, settings.limits);
  if (settings.rule == "horovod") {
    const bool rounded = settings.hierarchical;
    return horovod_buckets(messages,
                           rounded ? horovod_threshold(settings.threshold, settings.local_size) : settings.threshold);
  }
  if (settings.rule == "megatron") return megatron_buckets(messages, settings.bucket_elements);
  if (settings.rule == "deepspeed") return deepspeed_buckets(messages, settings.bucket_elements);
  if (settings.rule == "all") return horovod_buckets(messages, kMaxInt64);
  return horovod_buckets(messages, 0);
}

}  // namespace stowage
