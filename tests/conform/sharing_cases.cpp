#include "tests/conform/sharing_cases.h"

#include <fmt/format.h>

namespace stowage::conform {

std::optional<Verdict> judge_sharing(const json& from) {
  if (!from.is_object() || !from.contains("name") || from.contains("allocator")) return std::nullopt;
  for (const auto judge : {judge_storages, judge_described, judge_somas, judge_formulas}) {
    if (auto verdict = judge(from)) return verdict;
  }
  return std::nullopt;
}

Verdict expect(const std::string& key, const json& expected, const json& found) {
  if (expected == found) return Verdict::held();
  return Verdict::failed(fmt::format("{}: expected {}, got {}", key, expected.dump(), found.dump()));
}

Result<Transformed> transformed(const Staged& staged, const std::string& transform, const ParamValues& params,
                                StepLog* steps) {
  RunContext context;
  context.steps = steps;
  return run_transform(*find_transform(transform), staged, params, context);
}

json storages_of(const Staged& staged) {
  json found = {{"total", 0}, {"storages", json::array()}, {"storage_of", json::object()}};
  std::int64_t total = 0;
  for (std::size_t i = 0; i < staged.storages.size(); ++i) {
    total += staged.storages[i].bytes;
    found["storages"].push_back(staged.storages[i].bytes);
    for (const TensorIndex t : staged.storages[i].members) found["storage_of"][staged.graph.tensor(t).id] = i;
  }
  found["total"] = total;
  return found;
}

}  // namespace stowage::conform
