#include "tests/conform/expectations.h"

#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "tests/support/conformance_problem.h"

namespace stowage::conform {
namespace {

constexpr std::size_t kLongest = 200;

const Expectation* find_expectation(std::string_view key) {
  for (const auto table :
       {plan_expectations(), storage_expectations(), search_expectations(), problem_expectations()}) {
    for (const Expectation& expectation : table) {
      if (expectation.key == key) return &expectation;
    }
  }
  return nullptr;
}

/// "heap0", "heap1", ... are one key with a number.
std::optional<std::uint32_t> heap_number(std::string_view key) {
  constexpr std::string_view kHeap = "heap";
  if (!key.starts_with(kHeap)) return std::nullopt;
  const auto number = parse_int(key.substr(kHeap.size()));
  if (!number || *number < 0 || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::string shortened(const json& value) {
  const std::string text = value.dump();
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

/// Of two objects only what differs.
json differing(const json& value, const json& other) {
  if (!value.is_object() || !other.is_object()) return value;
  json rest = json::object();
  for (const auto& [key, part] : value.items()) {
    if (!other.contains(key) || other[key] != part) rest[key] = part;
  }
  return rest;
}

}  // namespace

Verdict compare(const std::string& key, const json& expected, const Outcome& outcome) {
  const Expectation* expectation = find_expectation(key);
  if (const auto number = heap_number(key); expectation == nullptr && number) {
    return compare("heap", {{"number", *number}, {"offsets", expected}}, outcome);
  }
  if (expectation == nullptr) return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
  const Result<json> found = expectation->find(expected, outcome);
  if (!found && found.error().kind == Error::Kind::kRefused) return Verdict::not_expressible(found.error().message);
  if (!found) {
    return Verdict::failed(fmt::format("{}: expected {}, got {}", key, shortened(expected), found.error().message));
  }
  if (expected.is_object() && expected.empty() && found->empty() && outcome.problem().size() > 0) {
    return Verdict::not_expressible(fmt::format("{}: nothing is expected", key));
  }
  const bool holds = expectation->holds != nullptr ? expectation->holds(expected, *found) : expected == *found;
  if (holds) return Verdict::held();
  return Verdict::failed(fmt::format("{}: expected {}, got {}", key, shortened(differing(expected, *found)),
                                     shortened(differing(*found, expected))));
}

Result<const Plan*> plan_of(const Outcome& outcome) {
  if (outcome.plan) return &*outcome.plan;
  return input_error(outcome.refusal.empty() ? "no plan" : outcome.refusal);
}

Result<BufferIndex> buffer_with(const Outcome& outcome, const json& named) {
  const std::string id = testing::ConformanceReader::text_of(named);
  const Problem& problem = outcome.problem();
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem.id(i) == id) return i;
  }
  return fail(Error::Kind::kRefused, fmt::format("there is no buffer {}", id));
}

}  // namespace stowage::conform
