#include "tests/conform/settings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/model/load.h"
#include "tests/support/conformance_problem.h"

namespace stowage::conform {
namespace {

/// Parameters that are a part of the problem: the reader of cases has taken them.
constexpr std::string_view kOfTheProblem[] = {"pools", "events"};

/// Another word of ours for a parameter of a case.
struct Synonym {
  std::string_view theirs;
  std::string_view ours;
};
constexpr Synonym kSynonyms[] = {{"limit", "heap-limit"},
                                 {"strategy", "order"},
                                 {"order", "strategy"},
                                 {"order", "mode"},
                                 {"heuristic", "order"},
                                 {"preordering_heuristics", "order"},
                                 {"preserve_all_tensors", "preserve"},
                                 {"partition_size", "partition"},
                                 {"chunk_placement", "placement"},
                                 {"packing_search", "strategy"},
                                 {"memory_pool", "pool"},
                                 {"allow_overlapping_allocations", "overlap"},
                                 {"reallocation_graph", "reallocation"}};

/// Another word of ours for a value of one of our parameters.
struct ValueSynonym {
  std::string_view key;
  std::string_view theirs;
  std::string_view ours;
};
constexpr ValueSynonym kValueSynonyms[] = {{"placement", "lowest-offset", "lowest"},
                                           {"placement", "best-fit", "best"},
                                           {"strategy", "true", "packing-search"},  // of "packing_search"
                                           {"strategy", "false", "spatial"}};

/// Parameters without a meaning for an allocator whose name begins so: it runs the same whatever they say. (A timeout
/// is the run's.)
struct Idle {
  std::string_view allocator;
  std::string_view key;
};
constexpr Idle kIdle[] = {{"tvm-greedy-", "memory_pressure"}, {"minimalloc", "timeout"}};

bool same_word(std::string_view a, std::string_view b) {
  const auto letter = [](char c) {
    return c == '_' ? '-' : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return letter(x) == letter(y); });
}

const ParamSpec* find_spec(const Allocator& allocator, std::string_view key) {
  for (const ParamSpec& spec : allocator.params) {
    if (same_word(spec.key, key)) return &spec;
  }
  return nullptr;
}

const ParamSpec* find_spec_or_synonym(const Allocator& allocator, std::string_view key) {
  if (const ParamSpec* spec = find_spec(allocator, key)) return spec;
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.theirs != key) continue;
    if (const ParamSpec* spec = find_spec(allocator, synonym.ours)) return spec;
  }
  return nullptr;
}

/// The value in the allocator's spelling; nothing when it is none of its choices.
std::optional<std::string> spelled(const ParamSpec& spec, const std::string& value) {
  for (const std::string& choice : spec.choices) {
    if (same_word(choice, value)) return choice;
  }
  for (const ValueSynonym& synonym : kValueSynonyms) {
    if (synonym.key == spec.key && same_word(synonym.theirs, value)) return std::string(synonym.ours);
  }
  if (spec.closed && !spec.choices.empty()) return std::nullopt;
  return value;
}

std::string value_of(const Case& of, std::string_view key, const json& value) {
  if (key == "memory_pressure" && value.is_string() && value.get<std::string>() == "load")
    return fmt::format("{}", load(of.problem, 0));
  if (!value.is_array()) return testing::ConformanceReader::text_of(value);
  // A list of lists has semicolons, as the lists inside have commas.
  const bool nested = !value.empty() && value.front().is_array();
  std::string list;
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (k > 0) list += nested ? ";" : ",";
    list += nested ? value_of(of, {}, value[k]) : testing::ConformanceReader::text_of(value[k]);
  }
  return list;
}

}  // namespace

Result<void> apply_params(const Case& of, const Allocator& allocator, ParamValues& params) {
  if (!of.from.contains("params") || of.from["params"].is_null()) return {};
  for (const auto& [key, value] : of.from["params"].items()) {
    const std::string name = key;
    if (value.is_null()) continue;
    if (std::find(std::begin(kOfTheProblem), std::end(kOfTheProblem), name) != std::end(kOfTheProblem)) continue;
    const ParamSpec* spec = find_spec_or_synonym(allocator, name);
    if (spec == nullptr) {
      const bool idle = std::any_of(std::begin(kIdle), std::end(kIdle), [&](const Idle& i) {
        return i.key == name && std::string_view(allocator.id).substr(0, i.allocator.size()) == i.allocator;
      });
      if (idle) continue;
      return fail(Error::Kind::kRefused, fmt::format("{} has no parameter '{}'", allocator.id, name));
    }
    const std::string wanted = value_of(of, name, value);
    const std::optional<std::string> ours = spelled(*spec, wanted);
    if (!ours) {
      return fail(Error::Kind::kRefused,
                  fmt::format("'{}' is no value of {}'s parameter '{}'", wanted, allocator.id, spec->key));
    }
    params[spec->key] = *ours;
  }
  return {};
}

}  // namespace stowage::conform
