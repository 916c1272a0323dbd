// Cases of formulas: buckets of gradients, padding, the choice among SOMAS' solutions.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/somas_choice.h"
#include "core/transforms/bucket_rules.h"
#include "tests/conform/sharing_cases.h"

namespace stowage::conform {
namespace {

json limits_of(const std::vector<Bucket>& buckets) {
  json limits = json::array();
  for (const Bucket& bucket : buckets) limits.push_back(bucket.limit);
  return limits;
}

json messages_of(const std::vector<Bucket>& buckets) {
  json lists = json::array();
  for (const Bucket& bucket : buckets) lists.push_back(bucket.messages);
  return lists;
}

/// By key of what is expected.
json ddp(const json& inputs) {
  std::vector<Message> messages;
  for (const json& tensor : inputs.at("tensors")) {
    Message message;
    message.key = tensor.at(0);
    message.bytes = tensor.at(1);
    message.sparse = tensor.size() > 2 && tensor.at(2).get<bool>();
    messages.push_back(message);
  }
  const auto buckets = ddp_buckets(messages, inputs.at("limits").get<std::vector<std::int64_t>>());
  return {{"buckets", messages_of(buckets)}, {"limits", limits_of(buckets)}};
}

json megatron(const json& inputs) {
  const auto layout = megatron_layout(inputs.at("elements").get<std::vector<std::int64_t>>(), inputs.at("dp"),
                                      inputs.value("high_bandwidth", false));
  return {{"param_starts", layout.starts}, {"end_unpadded", layout.end_unpadded}, {"bucket_end", layout.bucket_end}};
}

json horovod(const json& inputs) {
  return {{"padded_elements", horovod_pad(inputs.at("elements"), inputs.at("local_size"))}};
}

json somas_choice(const json& inputs) {
  constexpr std::int64_t kGain = 100 * 1024 * 1024;
  const SomasPeak shared{false, inputs.at("shared")};
  const SomasPeak single{true, inputs.at("single")};
  return {{"winner", displaces(single, shared, kGain) ? "single" : "shared"}};
}

}  // namespace

std::optional<Verdict> judge_formulas(const json& from) {
  if (!from.contains("formula_inputs")) return std::nullopt;
  const std::string name = from["name"];
  const json& inputs = from["formula_inputs"];
  json found;
  if (name.starts_with("ddp_")) found = ddp(inputs);
  if (name.starts_with("megatron_")) found = megatron(inputs);
  if (name.starts_with("horovod_pad")) found = horovod(inputs);
  if (name.starts_with("somas_pick_best")) found = somas_choice(inputs);
  if (found.is_null()) return std::nullopt;
  for (const auto& [key, value] : from["expected"].items()) {
    if (!found.contains(key)) return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    if (const Verdict verdict = expect(key, value, found[key]); !verdict.is_held()) return verdict;
  }
  return Verdict::held();
}

}  // namespace stowage::conform
