// Cases whose graphs the files tell in words only: written out here, by name.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/graph/lower.h"
#include "core/graph/storages.h"
#include "core/transforms/storage_policy.h"
#include "tests/conform/sharing_cases.h"

namespace stowage::conform {
namespace {

using Shape = std::optional<std::vector<std::int64_t>>;

/// A graph as one would tell it: each op makes one tensor, which has its name.
class Words {
 public:
  Words& start(const std::string& id, Shape shape, TensorKind kind = TensorKind::kInput) {
    add(id, std::move(shape), kind);
    return *this;
  }
  Words& op(const std::string& id, const std::vector<std::string>& in, Shape shape) {
    Op op;
    op.id = id;
    op.type = id;
    for (const std::string& name : in) op.in.push_back(index(name));
    op.out = {add(id, std::move(shape), TensorKind::kActivation)};
    input_.add(std::move(op));
    return *this;
  }
  /// Of the last op: its result may be written over these inputs.
  Words& in_place(const std::vector<std::uint32_t>& slots) {
    for (const std::uint32_t slot : slots) input_.ops.back().inplace.push_back({slot, 0, false});
    return *this;
  }
  /// Of the last op: its result is the input by another name.
  Words& alias() {
    input_.ops.back().alias.push_back({0, 0, false});
    return *this;
  }
  Words& type(DataType type) {
    input_.tensors.back().type = type;
    return *this;
  }
  Words& space(const std::string& id, const std::string& space) {
    if (index(id) != kNoTensor) input_.tensors[index(id)].space = space;
    return *this;
  }
  Words& donated(const std::string& id) {
    input_.tensors[index(id)].donated = true;
    return *this;
  }
  Words& outputs(const std::vector<std::string>& ids) {
    for (const std::string& id : ids) input_.outputs.push_back(index(id));
    return *this;
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Tensor& tensor : input_.tensors) all.push_back(tensor.id);
    return all;
  }
  Staged staged() const { return stage(make_graph(input_).value()).value(); }

 private:
  TensorIndex add(const std::string& id, Shape shape, TensorKind kind) {
    Tensor tensor;
    tensor.id = id;
    tensor.shape = std::move(shape);
    tensor.kind = kind;
    return input_.add(std::move(tensor));
  }
  TensorIndex index(const std::string& id) const {
    for (TensorIndex t = 0; t < input_.tensors.size(); ++t) {
      if (input_.tensors[t].id == id) return t;
    }
    return kNoTensor;
  }

  GraphInput input_;
};

constexpr std::int64_t kM = 7;  // named dimensions: any numbers that differ
constexpr std::int64_t kN = 11;
constexpr std::int64_t kK = 13;

Words xla_basic() {
  return Words()
      .start("p0", std::vector<std::int64_t>{})
      .start("p1", {{100}})
      .start("p2", {{100}})
      .op("broadcast", {"p0"}, {{100}})
      .op("mul", {"broadcast", "p1"}, {{100}})
      .in_place({0, 1})
      .op("add", {"mul", "p2"}, {{100}})
      .in_place({0, 1})
      .op("sub", {"add", "p2"}, {{100}})
      .in_place({0, 1})
      .outputs({"sub"});
}

struct Told {
  std::string transform;
  ParamValues params;
  Words words;
};

std::optional<Told> told(const std::string& name) {
  if (name == "tvm_relay_reshape_nop") {
    const Shape shape = {{10, 4}};
    return Told{"sharing",
                {{"policy", "tvm-relay"}},
                Words()
                    .start("x", shape)
                    .op("abs", {"x"}, shape)
                    .op("reshape", {"abs"}, {{20, 2}})
                    .alias()
                    .op("abs2", {"abs"}, shape)
                    .op("sqrt", {"abs2"}, shape)
                    .op("reshape2", {"abs2"}, {{20, 2}})
                    .alias()
                    .outputs({"reshape", "sqrt", "reshape2"})};
  }
  if (name == "tvm_relax_dtype_separates" || name == "tvm_relax_different_dtype") {
    return Told{"sharing",
                {{"policy", "tvm-relax"}},
                Words()
                    .start("x", {{2, 3}})
                    .start("y", {{2, 3}})
                    .type(DataType::kInt32)
                    .op("a", {"x", "x"}, {{2, 3}})
                    .op("b", {"y", "y"}, {{2, 3}})
                    .type(DataType::kInt32)
                    .outputs({"x"})};
  }
  if (name == "tvm_relax_basic") {
    return Told{"sharing",
                {{"policy", "tvm-relax"}},
                Words()
                    .start("x", {{2, 4}})
                    .op("exp", {"x"}, {{2, 4}})
                    .op("reshape", {"exp"}, {{8}})
                    .alias()
                    .op("relu", {"reshape"}, {{8}})
                    .op("add", {"relu"}, {{8}})
                    .op("pad", {"add"}, {{10}})
                    .op("log", {"pad"}, {{10}})
                    .outputs({"log"})};
  }
  const ParamValues ort = {{"policy", "ort"}};
  if (name == "ort_input_output") {
    return Told{"sharing", ort,
                Words()
                    .start("X1", {})
                    .start("X2", {})
                    .start("Outer1", {})
                    .op("Y1", {"X1"}, {})
                    .op("Y2", {"X2"}, {})
                    .op("Y3", {"Outer1"}, {})
                    .outputs({"Y1", "Y2", "Y3"})};
  }
  if (name == "ort_inplace_size_mismatch") {
    return Told{"sharing", ort,
                Words()
                    .start("X1", {{kM, kN}})
                    .op("X2", {"X1"}, {{kM, kN}})
                    .op("X3", {"X2"}, {{kM, kK}})
                    .in_place({0})
                    .op("X4", {"X3"}, {{kM, kN}})
                    .op("X5", {"X4"}, {{kM, kN}})
                    .in_place({0})
                    .outputs({"X5"})};
  }
  if (name == "ort_inplace") {
    return Told{"sharing", ort,
                Words()
                    .start("X1", {{kM, kN}})
                    .op("X2", {"X1"}, {{kM, kN}})
                    .op("X3", {"X2"}, {{kM, kN}})
                    .in_place({0})
                    .op("X4", {"X3"}, {{kM, kN}})
                    .outputs({"X4"})};
  }
  if (name == "ort_chain") {
    return Told{"sharing", ort,
                Words()
                    .start("W", {{1}}, TensorKind::kWeight)
                    .op("X", {"W"}, {{50, 100}})
                    .op("B", {"X"}, {{50, 100}})
                    .op("Y", {"B"}, {{50, 100}})
                    .op("Z", {"Y"}, {{50, 100}})
                    .outputs({"Z"})};
  }
  if (name == "xla_must_not_live_out") return Told{"in-place", {{"never-in-output", "add"}}, xla_basic()};
  if (name == "xla_parameter_aliased" || name == "xla_donated_parameter") {
    return Told{"in-place",
                {},
                Words()
                    .start("p", {{100}})
                    .donated("p")
                    .op("neg1", {"p"}, {{100}})
                    .in_place({0})
                    .op("neg2", {"neg1"}, {{100}})
                    .in_place({0})
                    .outputs({"neg2"})};
  }
  if (name.starts_with("xla_")) return Told{"in-place", {}, xla_basic()};
  return std::nullopt;
}

/// "mul": 1, "others": 0: memory of another colour is another memory.
void paint(Words& words, const json& colours) {
  for (const std::string& id : words.ids()) {
    const json colour = colours.contains(id) ? colours[id] : colours.value("others", json(0));
    words.space(id, colour == 0 ? std::string() : colour.dump());
  }
}

class DescribedJudge {
 public:
  DescribedJudge(const Staged& before, Transformed after) : before_(before), after_(std::move(after)) {}

  Verdict one(const std::string& key, const json& value) const {
    if (key == "colours") return Verdict::held();  // a condition
    if (key == "kinds") return expect(key, value, kinds());
    if (key == "freed") return expect(key, value, freed(false));
    if (key == "freed_after_step") return expect(key, value, freed(true));
    if (key == "storages") return expect(key, value, storages_of(after_.staged)["storages"]);
    if (key == "num_storages") return expect(key, value, after_.staged.storages.size());
    if (key == "shared") return expect(key, value, some_shared());
    if (key == "storage_id") return expect(key, value, storage_ids());
    if (key == "mul_shares_param") return expect(key, value, same("mul", "p0") || same("mul", "p1"));
    if (key == "params_distinct")
      return expect(key, value, !same("p0", "p1") && !same("p0", "p2") && !same("p1", "p2"));
    if (key == "single_buffer") return expect(key, value, same("p", "neg1") && same("neg1", "neg2"));
    if (const auto at = key.find("_shares_"); at != std::string::npos) {
      const std::string a = key.substr(0, at);
      const std::string b = key.substr(at + 8);
      const Graph& graph = after_.staged.graph;
      if (graph.find_tensor(a) != kNoTensor && graph.find_tensor(b) != kNoTensor) return expect(key, value, same(a, b));
    }
    return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
  }

 private:
  bool same(const std::string& a, const std::string& b) const {
    const Storages storages = find_storages(after_.staged);
    const Graph& graph = after_.staged.graph;
    return storages.root[graph.find_tensor(a)] == storages.root[graph.find_tensor(b)];
  }

  bool some_shared() const {
    return std::any_of(after_.staged.storages.begin(), after_.staged.storages.end(),
                       [](const SharedStorage& storage) { return storage.members.size() > 1; });
  }

  json storage_ids() const {
    const Entries entries(after_.staged);
    json ids = json::array();
    const json of = storages_of(after_.staged)["storage_of"];
    for (TensorIndex t = 0; t < after_.staged.graph.tensors().size(); ++t) {
      ids.push_back(of[after_.staged.graph.tensor(entries.of(t)).id]);
    }
    return ids;
  }

  /// As the remarks tell them: "X4: Reuse(X2)".
  json kinds() const {
    json found = json::object();
    for (const Remark& remark : after_.report.remarks) {
      if (remark.tensor == kNoTensor) continue;
      const std::string& id = before_.graph.tensor(remark.tensor).id;
      for (const char* kind : {"PreExisting", "AllocateStatically", "AllocateOutput", "Allocate", "Reuse("}) {
        const std::string text = id + ": ";
        if (remark.text.starts_with(text + kind)) found[id] = remark.text.substr(text.size());
      }
    }
    return found;
  }

  json freed(bool by_step) const {
    json found = by_step ? json::object() : json::array();
    const std::string what = " is freed after step ";
    for (const Remark& remark : after_.report.remarks) {
      const auto at = remark.text.find(what);
      if (at == std::string::npos) continue;
      if (by_step) {
        found[remark.text.substr(at + what.size())].push_back(remark.text.substr(0, at));
      } else {
        found.push_back(remark.text.substr(0, at));
      }
    }
    return found;
  }

  const Staged& before_;
  Transformed after_;
};

}  // namespace

std::optional<Verdict> judge_described(const json& from) {
  auto case_told = told(from["name"].get<std::string>());
  if (!case_told) return std::nullopt;
  const json& expected = from["expected"];
  if (expected.contains("colours")) paint(case_told->words, expected["colours"]);
  const Staged before = case_told->words.staged();
  auto after = transformed(before, case_told->transform, case_told->params);
  if (!after) return Verdict::failed(after.error().message);
  const DescribedJudge judge(before, std::move(*after));
  for (const auto& [key, value] : expected.items()) {
    if (const Verdict verdict = judge.one(key, value); !verdict.is_held()) return verdict;
  }
  return Verdict::held();
}

}  // namespace stowage::conform
