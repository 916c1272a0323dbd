// Plans of storages on graphs that are written out: NNVM's, the lecture's tags, colours, TVM's tokens.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/storages.h"
#include "core/model/load.h"
#include "core/transforms/colours.h"
#include "tests/conform/sharing_cases.h"
#include "tests/support/conformance_graph.h"

namespace stowage::conform {
namespace {

const std::map<std::string, ParamValues>& modes() {
  static const std::map<std::string, ParamValues> kModes = {
      {"none", {{"in-place", "off"}, {"sharing", "off"}}},
      {"inplace", {{"in-place", "on"}, {"sharing", "off"}}},
      {"sharing", {{"in-place", "off"}, {"sharing", "on"}}},
      {"both", {{"in-place", "on"}, {"sharing", "on"}}},
  };
  return kModes;
}

/// What the case's graph asks of the planner.
ParamValues settings_of(const json& graph) {
  ParamValues params;
  if (graph.contains("match_range")) params["match-range"] = graph["match_range"].dump();
  if (graph.contains("num_colours")) params["colours"] = graph["num_colours"].dump();
  if (graph.contains("inplace")) params["in-place"] = graph["inplace"].get<bool>() ? "policy" : "off";
  if (graph.contains("sharing")) params["sharing"] = graph["sharing"].get<bool>() ? "on" : "off";
  return params;
}

class StorageJudge {
 public:
  StorageJudge(const json& from, Staged staged) : from_(from), staged_(std::move(staged)) {}

  Verdict run() {
    const json& expected = from_["expected"];
    for (const auto& [key, value] : expected.items()) {
      if (const Verdict verdict = one(key, value); !verdict.is_held()) return verdict;
    }
    return Verdict::held();
  }

 private:
  Verdict one(const std::string& key, const json& value) {
    if (modes().contains(key)) return plan(staged_, key, modes().at(key), value);
    if (key == "plans") {
      for (const auto& [mode, plans] : value.items()) {
        if (!modes().contains(mode)) return Verdict::not_expressible(fmt::format("unknown plan '{}'", mode));
        if (const Verdict verdict = plan(staged_, mode, modes().at(mode), plans); !verdict.is_held()) return verdict;
      }
      return Verdict::held();
    }
    if (key == "total" || key == "storages" || key == "storage_of")
      return plan(staged_, key, settings_of(from_["graph"]), {{key, value}});
    if (key == "num_storages")
      return with_plan(settings_of(from_["graph"]), key, value,
                       [](const json& found) { return found["storages"].size(); });
    if (key == "colours") return expect(key, value, colours(value));
    if (key == "tags" || key == "num_tags" || key == "events") return tags(key, value);
    if (key == "num_storage_ids" || key == "reported_sizes" || key == "temp_storage_cycle" ||
        key == "physical_sizes_after_growth")
      return relay(key, value);
    if (key == "lower_bound_no_inplace") return expect(key, value, load_of(staged_));
    if (key == "lifetimes") return expect(key, value, lifetimes(value));
    if (const auto at = key.find("_also_output_"); at != std::string::npos) {
      const std::string mode = key.substr(at + 13);
      if (!modes().contains(mode)) return Verdict::not_expressible(fmt::format("unknown plan '{}'", mode));
      auto staged = testing::ConformanceGraph(from_["graph"]).also_output(key.substr(0, at)).read();
      if (!staged) return Verdict::not_expressible(staged.error().message);
      return plan(*staged, key, modes().at(mode), {{"total", value}});
    }
    return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
  }

  template <typename Of>
  Verdict with_plan(const ParamValues& params, const std::string& key, const json& value, Of of) {
    const auto run = transformed(staged_, "sharing", params);
    if (!run) return Verdict::failed(run.error().message);
    return expect(key, value, of(storages_of(run->staged)));
  }

  static Verdict plan(const Staged& staged, const std::string& name, const ParamValues& params, const json& expected) {
    const auto run = transformed(staged, "sharing", params);
    if (!run) return Verdict::failed(run.error().message);
    const json found = storages_of(run->staged);
    for (const auto& [key, value] : expected.items()) {
      if (!found.contains(key)) return Verdict::not_expressible(fmt::format("unknown key '{}' of a plan", key));
      if (const Verdict verdict = expect(name + "." + key, value, found[key]); !verdict.is_held()) return verdict;
    }
    return Verdict::held();
  }

  json colours(const json& wanted) const {
    const auto most = from_["graph"].value("num_colours", 1U);
    const Colours colours = longest_path_colours(staged_, most);
    json found = json::object();
    for (const auto& [id, colour] : wanted.items()) {
      const OpIndex n = staged_.graph.find_op(id);
      found[id] = n == kNoOp ? colours.used - 1 : colours.of[n];
    }
    return found;
  }

  /// Tags are counted from 1.
  Verdict tags(const std::string& key, const json& value) {
    StepLog steps;
    const auto run = transformed(staged_, "sharing", {{"policy", "tags"}}, &steps);
    if (!run) return Verdict::failed(run.error().message);
    json found = storages_of(run->staged);
    if (key == "num_tags") return expect(key, value, found["storages"].size());
    if (key == "tags") {
      for (auto& storage : found["storage_of"]) storage = storage.get<int>() + 1;
      return expect(key, value, found["storage_of"]);
    }
    return events(value, steps);
  }

  struct Told {
    std::string text;
    std::vector<std::uint32_t> released;
    bool refused_in_place = false;
  };

  /// One sentence for each op, as the lecture tells it: "E takes tag 1, release tag 2". What it leaves out need not be
  /// said.
  Verdict events(const json& expected, const StepLog& steps) const {
    const auto id = [&](BufferIndex t) {
      return staged_.graph.tensor(t).id;
    };
    std::vector<Told> told;
    bool refused = false;
    for (const Step& step : steps.steps()) {
      if (std::holds_alternative<step::Consider>(step.fact)) refused = true;
      if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) {
        Told one;
        one.refused_in_place = refused;
        refused = false;
        if (step.why.starts_with("new")) {
          one.text = fmt::format("{} new {}", id(take->buffer), take->tag);
        } else if (step.why.starts_with("in place on ")) {
          const std::string on = step.why.substr(12, step.why.find(',') - 12);
          one.text = fmt::format("{} in place on {} (tag {})", id(take->buffer), on, take->tag);
        } else {
          one.text = fmt::format("{} takes tag {}", id(take->buffer), take->tag);
        }
        told.push_back(std::move(one));
      } else if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) {
        if (!told.empty()) told.back().released.push_back(back->tag);
      }
    }
    if (told.size() != expected.size()) return expect("events", expected.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (!agrees(expected[i], told[i])) return expect("events", expected[i], told[i].text);
    }
    return Verdict::held();
  }

  static bool agrees(std::string expected, const Told& told) {
    if (!expected.starts_with(told.text)) return false;
    expected.erase(0, told.text.size());
    if (const auto at = expected.find(" (no in-place"); at != std::string::npos) {
      if (!told.refused_in_place) return false;
      expected.erase(at, expected.find(')', at) - at + 1);
    }
    for (const std::uint32_t tag : told.released) {
      const std::string text = fmt::format(", release tag {}", tag);
      if (const auto at = expected.find(text); at != std::string::npos) expected.erase(at, text.size());
    }
    return trim(expected).empty();
  }

  Verdict relay(const std::string& key, const json& value) {
    const auto run = transformed(staged_, "sharing", {{"policy", "tvm-relay"}});
    if (!run) return Verdict::failed(run.error().message);
    const Staged& after = run->staged;
    const Graph& graph = after.graph;
    if (key == "num_storage_ids") return expect(key, value, after.storages.size());
    json found = json::array();
    const auto is_input = [&](const SharedStorage& storage) {
      return graph.producer(storage.members.front()) == kNoOp;
    };
    if (key == "reported_sizes") {  // of the first request
      found = json::object();
      for (std::size_t i = 0; i < after.storages.size(); ++i) {
        found[std::to_string(i)] = graph.tensor(after.storages[i].members.front()).bytes.value_or(0);
      }
    } else if (key == "physical_sizes_after_growth") {
      for (const SharedStorage& storage : after.storages) found.push_back(storage.bytes);
    } else {
      // Which of the temporaries the results take in turn.
      const auto inputs = std::count_if(after.storages.begin(), after.storages.end(), is_input);
      const json of = storages_of(after)["storage_of"];
      std::size_t at = 0;
      for (const OpIndex n : after.schedule.order) {
        const int temporary = of[graph.tensor(graph.op(n).out.front()).id].get<int>() - static_cast<int>(inputs);
        if (temporary != value[at % value.size()]) return expect(key, value[at % value.size()], temporary);
        ++at;
      }
      return Verdict::held();
    }
    return expect(key, value, found);
  }

  static json load_of(const Staged& staged) {
    const auto lowered = lower(staged, {});
    return lowered ? json(load(lowered->problem, 0)) : json(lowered.error().message);
  }

  json lifetimes(const json& wanted) const {
    const std::vector<StepSpan> spans = tensor_spans(staged_.graph, staged_.schedule);
    json found = json::object();
    for (const auto& [id, span] : wanted.items()) {
      const TensorIndex t = staged_.graph.find_tensor(id);
      if (t != kNoTensor) found[id] = {spans[t].start, spans[t].end - 1};
    }
    return found;
  }

  const json& from_;
  Staged staged_;
};

}  // namespace

std::optional<Verdict> judge_storages(const json& from) {
  const json& expected = from["expected"];
  if (!from.contains("graph") || !from["graph"].is_object() || !expected.is_object()) return std::nullopt;
  const json& graph = from["graph"];
  const bool written_out = graph.contains("nodes") && graph["nodes"].is_array() && !graph.contains("tensors") &&
                           std::all_of(graph["nodes"].begin(), graph["nodes"].end(), [](const json& node) {
                             return node.is_object() && node.contains("output_bytes");
                           });
  if (!written_out) return std::nullopt;
  json inputs_sized = graph;
  if (from["name"].get<std::string>().starts_with("tvm_relay")) {
    // Its variables are told in the notes only; they count with what reads them first.
    for (json& input : inputs_sized["inputs"]) {
      for (const json& node : graph["nodes"]) {
        if (!input.contains("bytes") && node["inputs"].front() == input["id"]) input["bytes"] = node["output_bytes"];
      }
    }
  }
  auto staged = testing::ConformanceGraph(inputs_sized).read();
  if (!staged) return Verdict::not_expressible(staged.error().message);
  return StorageJudge(from, std::move(*staged)).run();
}

}  // namespace stowage::conform
