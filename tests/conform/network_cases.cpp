#include "tests/conform/network_cases.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/allocators/task_profile.h"
#include "core/graph/lower.h"
#include "core/model/metrics.h"
#include "core/networks/network.h"

namespace stowage::conform {
namespace {

/// A generated network, and its buffers at inference.
struct NetworkSubject {
  Graph graph;
  Problem problem;
};

std::int64_t elements_of(const Tensor& tensor) {
  return element_count(*tensor.shape).value_or(0);
}

template <typename Counts>
json sum_of_weights(const NetworkSubject& subject, Counts counts) {
  std::int64_t sum = 0;
  for (const Tensor& tensor : subject.graph.tensors()) {
    if (tensor.kind == TensorKind::kWeight && counts(tensor.id)) sum += elements_of(tensor);
  }
  return sum;
}

json params(const NetworkSubject& subject) {
  return sum_of_weights(subject, [](std::string_view) { return true; });
}

json bn_channels(const NetworkSubject& subject) {
  return sum_of_weights(subject, [](std::string_view id) { return id.ends_with(".bn.gamma"); });
}

json conv_bias_channels(const NetworkSubject& subject) {
  std::int64_t sum = 0;
  for (const Op& op : subject.graph.ops()) {
    if (!op.type.starts_with("Conv")) continue;
    for (const TensorIndex t : op.in) {
      const Tensor& tensor = subject.graph.tensor(t);
      if (tensor.id.ends_with(".bias")) sum += elements_of(tensor);
    }
  }
  return sum;
}

json macs(const NetworkSubject& subject) {
  std::int64_t flops = 0;
  for (const Op& op : subject.graph.ops()) flops += op.flops;
  return flops / 2;
}

json num_ops(const NetworkSubject& subject) {
  return subject.graph.ops().size();
}

json per_layer(const NetworkSubject& subject) {
  return sum_of_weights(subject,
                        [](std::string_view id) { return id.starts_with("h0.") || id.starts_with("layer0."); });
}

json naive_bytes(const NetworkSubject& subject) {
  return measure(subject.problem).naive;
}

json load(const NetworkSubject& subject) {
  return measure(subject.problem).load;
}

json object_bound(const NetworkSubject& subject) {
  std::int64_t sum = 0;
  for (const std::int64_t size : positional_maximums(subject.problem)) sum += size;
  return sum;
}

json makespan_by(const NetworkSubject& subject, const char* allocator, const ParamValues& params = {}) {
  RunContext context;
  const auto run = run_allocator(*find_allocator(allocator), subject.problem, params, context);
  if (!run) return run.error().message;
  if (run->plan.objects) return run->plan.objects->total();
  return measure(subject.problem, measure(subject.problem), run->plan).makespan;
}

json greedy_offsets(const NetworkSubject& subject) {
  return makespan_by(subject, "tflite-greedy-by-size");
}

/// Greedy by size as the paper has it first, before the priorities that TFLite follows.
json greedy_objects(const NetworkSubject& subject) {
  return makespan_by(subject, "tflite-greedy-by-size-objects", {{"rule", "paper"}});
}

struct Fact {
  std::string_view key;
  json (*find)(const NetworkSubject&);
};

constexpr std::array<Fact, 11> kFacts = {{{"params", params},
                                          {"bn_channels", bn_channels},
                                          {"conv_bias_channels", conv_bias_channels},
                                          {"macs", macs},
                                          {"num_ops", num_ops},
                                          {"per_layer", per_layer},
                                          {"naive_bytes", naive_bytes},
                                          {"load_lower_bound_bytes", load},
                                          {"shared_object_lower_bound_bytes", object_bound},
                                          {"greedy_by_size_offset_bytes", greedy_offsets},
                                          {"greedy_by_size_shared_objects_bytes", greedy_objects}}};

/// [size, first op, last op] of each result in the order of the ops.
json records(const NetworkSubject& subject) {
  json found = json::array();
  for (const Buffer& buffer : subject.problem.buffers()) {
    found.push_back(json::array({buffer.size, buffer.start, buffer.end - 1}));
  }
  return found;
}

Verdict compare(const json& from, const NetworkSubject& subject) {
  for (const auto& [key, expected] : from.at("expected").items()) {
    const std::string wanted = key;
    const auto fact =
        std::find_if(kFacts.begin(), kFacts.end(), [&](const Fact& known) { return known.key == wanted; });
    if (fact == kFacts.end()) return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    const json found = fact->find(subject);
    if (found != expected) {
      return Verdict::failed(fmt::format("{}: expected {}, got {}", key, expected.dump(), found.dump()));
    }
  }
  if (!from.contains("records") || from["records"] == records(subject)) return Verdict::held();
  return Verdict::failed(fmt::format("records: got {}", records(subject).dump()));
}

struct Chosen {
  std::string id;
  ParamValues params;
};

/// "alexnet_torchvision", "inception_v3_noaux": our ids, with what the ending says about parameters.
Chosen by_generator(std::string name) {
  const auto without = [&](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    name.resize(name.size() - ending.size());
    return true;
  };
  Chosen chosen;
  without("_torchvision");
  if (!without("_noaux") && without("_aux")) chosen.params["aux"] = "yes";
  for (char& letter : name) {
    if (letter == '_') letter = '-';
  }
  chosen.id = name;
  return chosen;
}

/// How a family's cases call our parameters, and what they leave out.
struct Family {
  std::string_view prefix;
  std::string id;
  std::map<std::string, std::string> keys;
  ParamValues params;
};

std::optional<Chosen> by_formula(const std::string& name, const json& inputs) {
  const std::array<Family, 3> families = {
      {{"network_gpt2",
        "gpt2-small",
        {{"vocab", "vocabulary"}, {"ctx", "positions"}, {"d", "width"}, {"layers", "layers"}},
        {{"seq", "1"}, {"heads", "1"}}},
       {"network_lstm",
        "lstm",
        {{"input", "input"}, {"hidden", "hidden"}, {"layers", "layers"}},
        {{"seq", "1"}, {"words", "0"}, {"classes", "0"}}},
       {"network_transformer",
        "transformer-encoder",
        {{"d", "width"}, {"ff", "inner"}, {"layers", "layers"}},
        {{"seq", "1"}, {"heads", "1"}}}}};
  for (const Family& family : families) {
    if (!name.starts_with(family.prefix)) continue;
    Chosen chosen{family.id, family.params};
    for (const auto& [key, value] : inputs.items()) {
      const auto known = family.keys.find(key);
      if (known == family.keys.end() || !value.is_number_integer()) return std::nullopt;
      chosen.params[known->second] = std::to_string(value.get<std::int64_t>());
    }
    return chosen;
  }
  return std::nullopt;
}

}  // namespace

Result<Graph> generated(const std::string& id, const ParamValues& params) {
  const Network* network = find_network(id);
  if (network == nullptr) return usage_error(fmt::format("no network {}", id));
  return generate_network(*network, params);
}

std::optional<Verdict> judge_architecture(const json& from) {
  const std::string name = from.value("name", "");
  if (!name.starts_with("network_")) return std::nullopt;
  std::optional<Chosen> chosen;
  if (from.contains("graph")) {
    chosen = by_generator(from["graph"].at("generator"));
  } else if (from.contains("formula_inputs")) {
    chosen = by_formula(name, from["formula_inputs"]);
  }
  if (!chosen) return Verdict::not_expressible("no network with such parameters");
  auto graph = generated(chosen->id, chosen->params);
  if (!graph) return Verdict::not_expressible(graph.error().message);
  const auto staged = stage(*graph);
  if (!staged) return Verdict::failed(staged.error().message);
  auto lowered = lower(*staged, LowerOptions{});
  if (!lowered) return Verdict::failed(lowered.error().message);
  return compare(from, NetworkSubject{std::move(*graph), std::move(lowered->problem)});
}

std::optional<Verdict> judge_network(const json& from) {
  if (!from.is_object() || from.contains("allocator")) return std::nullopt;
  for (const auto judge : {judge_architecture, judge_comparison}) {
    if (auto verdict = judge(from)) return verdict;
  }
  return std::nullopt;
}

}  // namespace stowage::conform
