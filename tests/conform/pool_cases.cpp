#include "tests/conform/pool_cases.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/pool.h"
#include "core/pools/size_rules.h"
#include "tests/conform/pool_trace.h"
#include "tests/support/units.h"

namespace stowage::conform {
namespace {

using testing::kMiB;

constexpr std::string_view kSizes = "sizes";  // no pool: a rule of rounding

/// Parts of names, and what such cases are about.
struct PoolSubject {
  std::string_view part;
  std::string_view pool;
};
constexpr PoolSubject kSubjects[] = {
    {"align_", kSizes},
    {"bfc_", "bfc"},
    {"torch_", "caching"},
    {"caching_", "caching"},
    {"buddy_", "buddy"},
    {"slab_", "slab"},
    {"double_ended", "double-ended"},
    {"best_fit_pool", "mindspore-best-fit"},
    {"mindspore_best_fit", "mindspore-best-fit"},
    {"mindspore_pool", "mindspore-best-fit"},
    {"malloc_", "malloc-per-tensor"},
};

/// How parameters are called there and here.
constexpr std::pair<std::string_view, std::string_view> kParams[] = {
    {"max_split_size", "max-split"},
    {"garbage_collection_threshold", "gc-threshold"},
    {"roundup_power2_divisions", "divisions"},
    {"allow_growth", "growth"},
    {"garbage_collection", "garbage-collection"},
    {"min_block", "min"},
};
std::string param_named(const std::string& key) {
  for (const auto& [there, here] : kParams) {
    if (key == there) return std::string(here);
  }
  return key;
}

std::string_view subject_of(const json& from) {
  const std::string name = from.value("name", "");
  for (const PoolSubject& subject : kSubjects) {
    if (name.find(subject.part) != std::string::npos) return subject.pool;
  }
  return {};
}

bool mentions(const json& from, std::string_view word) {
  for (const char* key : {"name", "notes", "origin"}) {
    if (from.contains(key) && from[key].is_string() &&
        to_lower(from[key].get<std::string>()).find(word) != std::string::npos) {
      return true;
    }
  }
  return false;
}

const SizeRule* rule_of(const json& from) {
  const bool output = mentions(from, "output") || mentions(from, "workspace");
  const bool collective = mentions(from, "communicat") || from.value("name", "").find("comm") != std::string::npos;
  if (collective) return find_size_rule("mindspore-communication");
  if (mentions(from, "ascend")) return find_size_rule("mindspore-ascend");
  if (mentions(from, "torch") || mentions(from, "cudacaching")) return find_size_rule("pytorch");
  if (mentions(from, "bfc")) return find_size_rule("bfc");
  if (mentions(from, "dynamic") || mentions(from, "pool")) return find_size_rule("mindspore-pool");
  if (mentions(from, "gpu") || mentions(from, "somas")) {
    return find_size_rule(output ? "mindspore-gpu-output" : "mindspore-gpu");
  }
  return nullptr;
}

Verdict compared(const std::string& key, const json& expected, const json& found) {
  if (expected == found) return Verdict::held();
  return Verdict::failed(fmt::format("{}: expected {}, got {}", key, expected.dump(), found.dump()));
}

json address_json(std::int64_t address) {
  return address == kNoOffset ? json(nullptr) : json(address);
}

/// A pool that has played the trace of a case.
class Played {
 public:
  Played(const json& from, Trace trace, PoolRun run) : from_(from), trace_(std::move(trace)), run_(std::move(run)) {}

  Verdict compare_all() const {
    const json& expected = from_.at("expected");
    if (expected.is_array()) return compare_batches(expected);
    if (!expected.is_object() || expected.empty()) return Verdict::not_expressible("nothing is expected");
    for (const auto& [key, value] : expected.items()) {
      const Verdict verdict = compare(key, value);
      if (!verdict.is_held()) return verdict;
    }
    return Verdict::held();
  }

 private:
  /// Of growing batches: what is there after each of them.
  Verdict compare_batches(const json& expected) const {
    const std::vector<std::int64_t> values = batches_of_case(from_);
    if (values.size() != expected.size() || run_.points.empty()) {
      return Verdict::not_expressible("one result for each batch is wanted");
    }
    const std::size_t length = run_.points.size() / values.size();
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t event = (k + 1) * length - 1;
      for (const auto& [key, value] : expected[k].items()) {
        const Verdict verdict = key == "N" ? compared(key, value, values[k]) : compare_bytes(key, value, event);
        if (!verdict.is_held()) return verdict;
      }
    }
    return Verdict::held();
  }

  std::size_t last_event() const { return run_.points.size() - 1; }

  /// The last event before anything ends.
  std::size_t before_frees() const {
    const auto events = trace_.events();
    for (std::size_t e = 1; e < events.size(); ++e) {
      if (events[e].op != TraceOp::kAlloc) return e - 1;
    }
    return last_event();
  }

  bool speaks_of_afterwards() const {
    const json& expected = from_.at("expected");
    return std::any_of(expected.items().begin(), expected.items().end(), [](const auto& item) {
      return item.key().ends_with("_after") || item.key() == "after_free_all";
    });
  }

  json fact(std::string_view name) const {
    for (const PoolFact& fact : run_.facts) {
      if (fact.name == name) return fact.value;
    }
    return nullptr;
  }

  /// Keys that are a number of bytes (or a count) after an event; those in MiB end in _MiB.
  std::optional<json> number(const std::string& key, std::size_t event) const {
    if (run_.points.empty()) return std::nullopt;
    const PoolPoint& point = run_.points[event];
    if (key == "reserved" || key == "total") return point.reserved;
    if (key == "allocated" || key == "bytes_in_use" || key == "in_use") return point.allocated;
    if (key == "requested") return point.requested;
    if (key == "free") return point.free();
    if (key == "largest_free") return point.largest_free;
    if (key == "segments" || key == "regions" || key == "blocks") return point.segments;
    if (key == "device_allocations") return point.device_allocations;
    if (key == "internal_fragmentation") return point.internal_fragmentation();
    if (key == "external_fragmentation") return point.external_fragmentation();
    return std::nullopt;
  }

  Verdict compare_bytes(const std::string& key, const json& expected, std::size_t event) const {
    const bool mib = key.ends_with("_MiB");
    const auto found = number(mib ? key.substr(0, key.size() - 4) : key, event);
    if (!found) return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    if (!mib) return compared(key, expected, *found);
    const std::int64_t bytes = found->get<std::int64_t>();
    return compared(
        key, expected,
        bytes % kMiB == 0 ? json(bytes / kMiB) : json(static_cast<double>(bytes) / static_cast<double>(kMiB)));
  }

  /// By the order of opening.
  json segment_sizes(bool mib) const {
    std::vector<SegmentSpan> spans = run_.segments;
    std::sort(spans.begin(), spans.end(),
              [](const SegmentSpan& a, const SegmentSpan& b) { return a.segment < b.segment; });
    json sizes = json::array();
    for (const SegmentSpan& span : spans) sizes.push_back(mib ? span.size / kMiB : span.size);
    return sizes;
  }

  /// {"64": [192]}: addresses of free blocks in the end by their size.
  json free_lists() const {
    json lists = json::object();
    for (const BlockSpan& block : state_after(run_, last_event()).blocks) {
      if (block.state == BlockState::kFree) lists[std::to_string(block.size)].push_back(block.address);
    }
    return lists;
  }

  /// As many as are expected; whatever is no number means that there was no memory.
  Verdict compare_addresses(const std::string& key, const json& expected) const {
    if (expected.size() > run_.addresses.size()) return Verdict::not_expressible("more addresses than allocations");
    json found = json::array();
    json wanted = json::array();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      wanted.push_back(expected[i].is_number() ? expected[i] : json(nullptr));
      found.push_back(address_json(run_.addresses[i]));
    }
    return compared(key, wanted, found);
  }

  /// One for each event: the address of an allocation, whatever is no number for one without memory and for the others.
  Verdict compare_results(const std::string& key, const json& expected) const {
    json wanted = json::array();
    json found = json::array();
    for (std::size_t e = 0; e < trace_.events().size(); ++e) {
      const TraceEvent& event = trace_.events()[e];
      wanted.push_back(expected[e].is_number() ? expected[e] : json(nullptr));
      found.push_back(event.op == TraceOp::kAlloc ? address_json(run_.addresses[event.allocation]) : json(nullptr));
    }
    return compared(key, wanted, found);
  }

  Verdict compare(const std::string& key, const json& expected) const {
    const PoolPeaks peaks = run_.peaks();
    const bool is_last =
        key == "result" || key.starts_with("realloc") || key.starts_with("last") || key.starts_with("final");
    if (key == "addresses" || key == "offsets" || key == "results") {
      const bool by_event = expected.size() == trace_.events().size() && expected.size() > run_.addresses.size();
      return by_event ? compare_results(key, expected) : compare_addresses(key, expected);
    }
    if (key == "num_allocs" || key == "allocs") {
      const auto granted = std::count_if(run_.addresses.begin(), run_.addresses.end(),
                                         [](std::int64_t address) { return address != kNoOffset; });
      return compared(key, expected, granted);
    }
    if (key == "max_bytes_in_use" || key == "peak") return compared(key, expected, peaks.allocated);
    if (key == "max_alloc_size" || key == "largest_alloc_size" || key == "largest") {
      return compared(key, expected, peaks.largest_block);
    }
    if (key == "after_free_all") return compared(key, expected, run_.points.back().allocated);
    if (key == "regions_MiB" || key == "segments_MiB") return compared(key, expected, segment_sizes(true));
    if (key == "region_sizes" || key == "segment_sizes") return compared(key, expected, segment_sizes(false));
    if (key == "next_region") return compared(key, expected, fact("next region"));
    if (key == "next_region_MiB") return compared(key, expected, fact("next region").get<std::int64_t>() / kMiB);
    if (key == "static_total") return compared(key, expected, fact("static"));
    if (key == "dynamic_max" || key == "dyn_max") return compared(key, expected, fact("dynamic at most"));
    if (key == "free_lists") return compared(key, expected, free_lists());
    if (key == "failures" || key == "ooms") return compared(key, expected, run_.failures.size());
    if (key == "oom") return compared(key, expected, !run_.failures.empty());
    if (is_last && !run_.addresses.empty()) {
      return compared(key, expected.is_number() ? expected : json(nullptr), address_json(run_.addresses.back()));
    }
    constexpr std::string_view kAfter = "_after";
    if (key.ends_with(kAfter)) return compare_bytes(key.substr(0, key.size() - kAfter.size()), expected, last_event());
    return compare_bytes(key, expected, speaks_of_afterwards() ? before_frees() : last_event());
  }

  const json& from_;
  Trace trace_;
  PoolRun run_;
};

/// TensorFlow's tests take a region of 1 GiB at once unless they speak of growth.
struct Setup {
  ParamValues params;
  std::optional<std::int64_t> capacity;
};
Setup setup_of(const json& from, std::string_view pool) {
  Setup setup;
  setup.capacity = capacity_in_words(from.value("notes", ""));
  for (const char* key : {"capacity", "limit", "arena"}) {
    if (from.contains(key) && !from[key].is_null()) setup.capacity = from[key].get<std::int64_t>();
  }
  if (from.contains("params") && from["params"].is_object()) {
    for (const auto& [key, value] : from["params"].items()) {
      setup.params[param_named(key)] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  if (pool == "bfc") {
    if (!setup.capacity) setup.capacity = std::int64_t{1} << 30U;
    if (!setup.params.contains("growth")) setup.params["growth"] = mentions(from, "growth") ? "true" : "false";
  }
  return setup;
}

Result<PoolRun> played(const json& from, std::string_view pool, const Trace& trace) {
  const Setup setup = setup_of(from, pool);
  RunContext context;
  return run_pool(*find_pool(pool), trace, setup.params, setup.capacity, context);
}

Verdict judge_trace(const json& from, std::string_view pool) {
  Result<Trace> trace = trace_of_case(from);
  if (!trace) return Verdict::not_expressible(trace.error().message);
  Result<PoolRun> run = played(from, pool, *trace);
  if (!run) return Verdict::not_expressible(run.error().message);
  return Played(from, std::move(*trace), std::move(*run)).compare_all();
}

/// What becomes of one request to a fresh pool.
Verdict judge_request(const json& from, std::string_view pool, std::int64_t bytes, const json& expected) {
  TraceBuilder builder;
  if (const auto fault = builder.alloc(0, "a", bytes, 0, false)) return Verdict::not_expressible(*fault);
  const Result<PoolRun> run = played(from, pool, builder.take());
  if (!run) return Verdict::not_expressible(run.error().message);
  const SizeRule* rule = find_size_rule(pool == "caching" ? "pytorch" : pool == "bfc" ? "bfc" : "mindspore-pool");
  for (const auto& [key, value] : expected.items()) {
    json found;
    if (key == "rounded") {
      found = rule->round(bytes);
    } else if (key == "segment") {
      found = run->points[0].reserved;
    } else if (key == "allocated") {
      found = run->points[0].allocated;
    } else {
      return Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    }
    const Verdict verdict = compared(fmt::format("{} {}", bytes, key), value, found);
    if (!verdict.is_held()) return verdict;
  }
  return Verdict::held();
}

/// Each input has its own result.
Verdict judge_formula(const json& from, std::string_view subject) {
  const json& expected = from.at("expected");
  const SizeRule* rule = subject == kSizes ? rule_of(from) : nullptr;
  if (subject == kSizes && rule == nullptr) return Verdict::not_expressible("no such rule of rounding");
  std::size_t count = 0;
  for (const json& input : from.at("formula_inputs")) {
    const auto bytes = input.get<std::int64_t>();
    const std::string key = std::to_string(bytes);
    if (!expected.contains(key)) continue;
    ++count;
    const Verdict verdict = rule != nullptr ? compared(key, expected[key], rule->round(bytes))
                                            : judge_request(from, subject, bytes, expected[key]);
    if (!verdict.is_held()) return verdict;
  }
  if (count == 0 || count != expected.size()) return Verdict::not_expressible("inputs and results do not match");
  return Verdict::held();
}

bool is_pool_case(const json& from) {
  return !from.contains("allocator") && !from.contains("graph") && !subject_of(from).empty() &&
         (from.contains("trace") || from.contains("formula_inputs"));
}

}  // namespace

std::optional<Verdict> judge_pool(const json& from) {
  static const std::set<std::string> kKeys = {"name",     "origin", "trace", "formula_inputs", "params",
                                              "capacity", "limit",  "arena", "expected",       "notes"};
  if (!is_pool_case(from)) return std::nullopt;
  for (const auto& [key, value] : from.items()) {
    if (!kKeys.contains(key)) return Verdict::not_expressible(fmt::format("unknown key '{}'", key));
  }
  const std::string_view subject = subject_of(from);
  if (from.contains("formula_inputs")) return judge_formula(from, subject);
  if (subject == kSizes) return Verdict::not_expressible("rounding has no trace");
  return judge_trace(from, subject);
}

}  // namespace stowage::conform
