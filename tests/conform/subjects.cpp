#include "tests/conform/subjects.h"

#include <chrono>
#include <string_view>

#include <fmt/format.h>

#include "tests/conform/core_functions.h"
#include "tests/conform/settings.h"
#include "tests/support/conformance_problem.h"

namespace stowage::conform {
namespace {

/// How the files call a way to use an allocator: the end of its name stands for a parameter, or for nothing because
/// the problem itself says it (shapes, slices, a limit among the parameters).
struct Suffix {
  std::string_view end;
  const char* key;
  const char* value;
};
constexpr Suffix kSuffixes[] = {
    {"-given-order", "order", "given"},
    {"-multidim", nullptr, nullptr},
    {"-sliced", nullptr, nullptr},
    {"-multi-heap", nullptr, nullptr},
};

/// A whole name that stands for an allocator of ours with a parameter, or a parameter that all cases of an allocator
/// have unless they say otherwise.
struct Setting {
  std::string_view subject;
  const char* id;
  const char* key;
  const char* value;
};
constexpr Setting kSettings[] = {
    {"xla-packing-search", "xla-best-fit", "strategy", "packing-search"},
    {"glow-allocate-all", "glow-allocate-all", "strict", "true"},  // the peer fails when any strategy does
    {"glow-first-fit", "glow-allocate-all", "online", "first-fit"},
    {"tvm-greedy-by-size", "tvm-greedy-by-size", "strict", "true"},  // conflict lists as the peer takes them
    {"tvm-greedy-by-conflicts", "tvm-greedy-by-conflicts", "strict", "true"},
    {"tvm-hill-climb", "tvm-hill-climb", "strict", "true"},
};

struct Named {
  const Allocator* allocator = nullptr;
  ParamValues params;
};

Named find_named(const std::string& subject) {
  Named named;
  named.allocator = find_allocator(subject);
  for (const Setting& setting : kSettings) {
    if (setting.subject != subject) continue;
    named.allocator = find_allocator(setting.id);
    named.params[setting.key] = setting.value;
  }
  for (const Suffix& suffix : kSuffixes) {
    if (named.allocator != nullptr || !subject.ends_with(suffix.end)) continue;
    named.allocator = find_allocator(subject.substr(0, subject.size() - suffix.end.size()));
    if (suffix.key != nullptr) named.params[suffix.key] = suffix.value;
  }
  return named;
}

}  // namespace

const json& Case::param(const std::string& key) const {
  static const json kNull;
  if (!from.contains("params") || !from["params"].is_object()) return kNull;
  const json& params = from["params"];
  return params.contains(key) ? params[key] : kNull;
}

Result<Outcome> run_subject(const Case& of) {
  if (is_core_function(of.subject)) return run_core_function(of);
  Named named = find_named(of.subject);
  if (named.allocator == nullptr) return usage_error(fmt::format("no allocator {}", of.subject));
  Outcome outcome;
  outcome.of = &of;
  outcome.allocator = named.allocator;
  outcome.params = std::move(named.params);
  if (const auto set = apply_params(of, *named.allocator, outcome.params); !set) return tl::unexpected(set.error());

  RunContext context;
  context.steps = &outcome.steps;
  if (const json& seconds = of.param("timeout"); seconds.is_number()) {
    const std::chrono::duration<double> limit(seconds.get<double>());
    context.deadline = std::chrono::steady_clock::now() + std::chrono::ceil<std::chrono::milliseconds>(limit);
  }
  auto run = run_allocator(*named.allocator, of.problem, outcome.params, context);
  if (run) {
    outcome.plan = std::move(run->plan);
    outcome.result = std::move(run->result);
  } else {
    outcome.refusal = run.error().message;
  }
  return outcome;
}

}  // namespace stowage::conform
