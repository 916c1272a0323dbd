// The comparison of allocation strategies on networks of several sizes.
#include <vector>

#include <fmt/format.h>

#include "core/graph/lower.h"
#include "core/run/run.h"
#include "core/transforms/transform.h"
#include "tests/conform/network_cases.h"

namespace stowage::conform {
namespace {

constexpr double kMebibyte = 1 << 20;

Result<double> storages_after(const Staged& staged, const ParamValues& params) {
  RunContext context;
  const auto done = run_transform(*find_transform("sharing"), staged, params, context);
  if (!done) return tl::unexpected(done.error());
  std::int64_t total = 0;
  for (const SharedStorage& storage : done->staged.storages) total += storage.bytes;
  return static_cast<double>(total) / kMebibyte;
}

/// MiB with neither, with in-place results only, with sharing only, with both, and with both after recomputation.
Result<std::vector<double>> strategies(const Graph& graph) {
  auto staged = stage(graph);
  if (!staged) return tl::unexpected(staged.error());
  std::vector<double> found;
  for (const char* sharing : {"off", "on"}) {
    for (const char* in_place : {"off", "on"}) {
      const auto total = storages_after(*staged, {{"sharing", sharing}, {"in-place", in_place}});
      if (!total) return tl::unexpected(total.error());
      found.push_back(*total);
    }
  }
  RunContext context;
  const auto sublinear =
      run_transform(*find_transform("recompute"), *staged, {{"policy", "budget"}, {"measure", "storages"}}, context);
  if (!sublinear) return tl::unexpected(sublinear.error());
  const auto total = storages_after(sublinear->staged, {});
  if (!total) return tl::unexpected(total.error());
  found.push_back(*total);
  return found;
}

}  // namespace

/// The shape binds, and the megabytes within a quarter: the sums are of other people's graphs.
std::optional<Verdict> judge_comparison(const json& from) {
  const std::string name = from.value("name", "");
  if (!name.ends_with("_allocation_comparison_MiB")) return std::nullopt;
  const bool lstm = name.starts_with("lstm");
  if (!lstm && !name.starts_with("resnet")) return Verdict::not_expressible("no such comparison");
  for (const auto& [size, expected] : from.at("expected").items()) {
    ParamValues params = {{"training", "yes"}, {"weight-gradients", "given"}};
    if (lstm) params["seq"] = size;
    if (!lstm) params["batch"] = "32";
    const auto graph = generated(lstm ? "lstm" : "resnet" + std::string(size), params);
    if (!graph) return Verdict::not_expressible(graph.error().message);
    const auto found = strategies(*graph);
    if (!found) return Verdict::failed(found.error().message);
    const auto wanted = expected.get<std::vector<double>>();
    for (std::size_t i = 0; i < wanted.size() && i < found->size(); ++i) {
      const double ratio = (*found)[i] / wanted[i];
      if (ratio < 0.75 || ratio > 1.25) {
        return Verdict::failed(
            fmt::format("{}: column {}: expected {} MiB, got {:.0f}", size, i, wanted[i], (*found)[i]));
      }
    }
    const bool ordered = (*found)[3] <= (*found)[2] && (*found)[2] <= (*found)[0] && (*found)[3] <= (*found)[1];
    if (!ordered) return Verdict::failed(fmt::format("{}: more help needs more memory", size));
  }
  return Verdict::held();
}

}  // namespace stowage::conform
