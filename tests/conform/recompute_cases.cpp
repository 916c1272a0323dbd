// Cases of formulas and simulators behind recomputation, swapping and compression.

#include "tests/conform/recompute_cases.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/transforms/checkpointing.h"
#include "core/transforms/dtr.h"
#include "core/transforms/encodings.h"
#include "core/transforms/swap_cost.h"
#include "tests/support/units.h"

namespace stowage::conform {
namespace {

using testing::kMiB;

/// Numbers of a key like "n=10,s=5", in order.
std::vector<std::int64_t> numbers_in(const std::string& key) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = key.find('='); at != std::string::npos; at = key.find('=', at + 1)) {
    numbers.push_back(std::stoll(key.substr(at + 1)));
  }
  return numbers;
}

json swap_case(const json& inputs) {
  const double bytes = inputs.at("bytes");
  const double transfer = bytes / inputs.at("bw_bytes_per_ms").get<double>();
  const SwapTimes times = swap_times(inputs.at("last_access"), inputs.at("back_access"), transfer);
  return {{"free_time", times.free_time},
          {"stall", times.stall},
          {"swap_time", transfer},
          {"out", {times.out_start, times.out_end}},
          {"in", {times.in_start, times.in_end}},
          {"out_start", times.out_start},
          {"out_end", times.out_end},
          {"in_start", times.in_start},
          {"in_end", times.in_end},
          {"saving", bytes * std::max(0.0, times.free_time)},
          {"saving_byte_ms", bytes * std::max(0.0, times.free_time)},
          {"accept", times.free_time >= 0},
          {"accepted", times.free_time >= 0}};
}

json zero_case(const json& inputs) {
  const double parameters = inputs.at("params");
  const OffloadSplit split = zero_offload(parameters);
  json found = {
      {"gpu_bytes", split.device_bytes}, {"cpu_bytes", split.host_bytes}, {"traffic_per_step", split.traffic}};
  if (inputs.contains("ranks")) {
    const ZeroSharding sharding = zero_sharding(parameters, inputs["ranks"]);
    found["none"] = sharding.none;
    found["os"] = found["stage1"] = sharding.optimizer;
    found["os_g"] = found["stage2"] = sharding.gradients;
    found["os_g_p"] = found["stage3"] = sharding.weights;
  }
  return found;
}

/// Of a map of `bytes` whose values have 4 bytes each: one bit, so many bits, sparse, or with fewer bits in words.
json gist_case(const json& inputs) {
  constexpr std::int64_t kValue = 4;
  json found = json::object();
  const std::int64_t bytes = inputs.value("bytes", inputs.value("elements", std::int64_t{0}) * kValue);
  const std::int64_t values = bytes / kValue;
  std::optional<std::int64_t> encoded;
  if (inputs.contains("bits")) {
    const std::int64_t bits = inputs["bits"];
    encoded = packed_bits_bytes(values, bits);
    if (bits == 16 || bits == 10 || bits == 8) encoded = reduced_bytes(values, *encoding(fmt::format("fp{}", bits)));
  }
  if (inputs.contains("format")) {
    const auto format = encoding(inputs["format"].get<std::string>());
    if (format) encoded = reduced_bytes(values, *format);
  }
  if (inputs.contains("sparsity")) {
    const double sparsity = inputs["sparsity"];
    found["idx1_ratio"] = sparse_ratio(kValue, sparsity, 1);
    found["idx4_ratio"] = sparse_ratio(kValue, sparsity, 4);
    const std::int64_t index = inputs.value("index_bytes", std::int64_t{1});
    if (bytes > 0) {
      encoded = sparse_bytes(values, kValue, sparsity, index);
      found["idx1_bytes"] = sparse_bytes(values, kValue, sparsity, 1);
      found["idx4_bytes"] = sparse_bytes(values, kValue, sparsity, 4);
    } else {
      found["ratio"] = sparse_ratio(kValue, sparsity, index);
    }
  }
  found["break_even_idx1"] = found["idx1_break_even"] = break_even_sparsity(kValue, 1);
  found["break_even_idx4"] = found["idx4_break_even"] = break_even_sparsity(kValue, 4);
  if (encoded) {
    found["encoded_bytes"] = *encoded;
    found["ratio"] = *encoded == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(*encoded);
  }
  return found;
}

json unit_chain_case(const json& from) {
  const std::int64_t n = from.at("graph").at("n");
  json by_budget = json::object();
  const json& wanted = from["expected"].value("min_ops_by_budget", json::object());
  for (const auto& [budget, ops] : wanted.items()) {
    const auto runs = unit_chain_runs(n, std::stoll(budget));
    by_budget[budget] = runs ? json(*runs) : json(nullptr);
  }
  std::int64_t infeasible = 0;
  while (!unit_chain_runs(n, infeasible + 1)) ++infeasible;
  std::int64_t all = infeasible + 1;
  while (*unit_chain_runs(n, all) > 2 * n + 1) ++all;
  return {{"min_ops_by_budget", by_budget},
          {"infeasible_budget", infeasible},
          {"keep_all_peak", all},
          {"keep_all_ops", *unit_chain_runs(n, all)}};
}

json memonger_case(const json& inputs) {
  const auto sizes = inputs.at("sizes_MiB").get<std::vector<std::int64_t>>();
  std::vector<WalkItem> items;
  for (const std::int64_t size : sizes) items.push_back({size * kMiB, true});
  if (inputs.contains("candidates")) {
    for (WalkItem& item : items) item.candidate = false;
    for (const std::size_t i : inputs["candidates"].get<std::vector<std::size_t>>()) items.at(i).candidate = true;
  }
  const Walk walk = budget_walk(items, inputs.at("threshold_MiB").get<std::int64_t>() * kMiB);
  return {{"kept", walk.kept},
          {"save_size_MiB", walk.kept_bytes / kMiB},
          {"max_size_MiB", walk.largest / kMiB},
          {"next_guess", next_budget(walk, kMiB)}};
}

/// Answers whose keys say what is asked.
json asked(const json& expected, const std::function<json(const std::string&)>& answer) {
  json found = json::object();
  for (const auto& [key, value] : expected.items()) found[key] = answer(key);
  return found;
}

json dtr_answer(const json& expected, const std::string& key) {
  const std::vector<std::int64_t> numbers = numbers_in(key);
  const DtrRun run =
      run_dtr(dtr_unit_chain(static_cast<std::uint32_t>(numbers.at(0))), numbers.at(1), DtrHeuristic::kDtr);
  json found = expected.at(key);
  found["dtr"] = run.stuck ? json(nullptr) : json(run.ops.size());
  return found;
}

/// "gpt3" of the inputs stands for "gpt3_175b" of what is expected.
json transformer_answer(const json& inputs, const std::string& key) {
  for (const auto& [name, sizes] : inputs.items()) {
    if (!key.starts_with(name)) continue;
    const TransformerActivations bytes =
        transformer_activation_bytes(sizes.at(0), sizes.at(1), sizes.at(2), sizes.at(3));
    if (key.find("selective") != std::string::npos) return bytes.selective;
    if (key.find("checkpoint") != std::string::npos) return bytes.checkpoint;
    return bytes.full;
  }
  return nullptr;
}

bool equal(const json& expected, const json& found) {
  if (expected.is_number() && found.is_number()) {
    const double a = expected;
    const double b = found;
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a));
  }
  return expected == found;
}

json answers(const json& from) {
  const std::string name = from["name"];
  const json& expected = from["expected"];
  const json inputs = from.value("formula_inputs", json::object());
  if (name.starts_with("swap_")) return swap_case(inputs);
  if (name.starts_with("zero_")) return zero_case(inputs);
  if (name.starts_with("gist_")) return gist_case(inputs);
  if (name.starts_with("unit_chain_")) return unit_chain_case(from);
  if (name.starts_with("memonger_walk")) return memonger_case(inputs);
  if (name.starts_with("checkmate_checkpoint_all")) {
    return asked(expected, [](const std::string& n) { return *unit_chain_runs(std::stoll(n), std::stoll(n) + 2); });
  }
  if (name.starts_with("revolve_extra_steps")) {
    return asked(expected, [](const std::string& key) {
      const std::vector<std::int64_t> numbers = numbers_in(key);
      return revolve_extra_steps(numbers.at(0), numbers.at(1));
    });
  }
  if (name.starts_with("chen_recursion")) {
    return asked(expected, [&](const std::string& k) { return recursive_memory(inputs.at("n"), std::stod(k)); });
  }
  if (name.starts_with("dtr_"))
    return asked(expected, [&](const std::string& key) { return dtr_answer(expected, key); });
  if (name.starts_with("transformer_activation_bytes")) {
    return asked(expected, [&](const std::string& key) { return transformer_answer(inputs, key); });
  }
  return nullptr;
}

}  // namespace

std::optional<Verdict> judge_recompute(const json& from) {
  const json found = answers(from);
  if (found.is_null()) return std::nullopt;
  for (const auto& [key, value] : from["expected"].items()) {
    if (!found.contains(key)) return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    if (!equal(value, found[key])) {
      return Verdict::failed(fmt::format("{}: expected {}, got {}", key, value.dump(), found[key].dump()));
    }
  }
  return Verdict::held();
}

}  // namespace stowage::conform
