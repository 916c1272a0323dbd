#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// Turns one case of a conformance file into a problem. Lifetimes there are half-open; a top-level `alignment` goes to
/// every buffer without its own; null lifetimes make a conflict graph; `params.pools` are the spaces, and candidates of
/// every buffer in that order; `params.events` are lifetimes as [alloc, id, size] and [free, id], in order of time.
class ConformanceReader {
 public:
  using json = nlohmann::json;

  explicit ConformanceReader(const json& from) : from_(from) {}

  /// Errors say what the model cannot express: an unknown key, a reference to nothing, a fault of the problem.
  Result<Problem> read() {
    name_buffers();
    if (from_.contains("capacity") && !from_["capacity"].is_null()) input_.capacity = from_["capacity"];
    read_pools();
    for (const json* buffer : rows_) add(*buffer);
    read_events();
    if (!refused_.empty()) return fail(Error::Kind::kRefused, refused_);
    auto problem = make_problem(std::move(input_));
    if (!problem) return fail(Error::Kind::kRefused, problem.error().front().message);
    return std::move(*problem);
  }

  static std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

 private:
  void refuse(const std::string& why) {
    if (refused_.empty()) refused_ = why;
  }

  /// Rows are the buffers as listed; where the peer numbers its tensors, that number decides.
  void name_buffers() {
    for (const json& buffer : from_["buffers"]) rows_.push_back(&buffer);
    const bool numbered = std::all_of(rows_.begin(), rows_.end(), [](const json* b) { return b->contains("id_num"); });
    if (numbered) {
      std::stable_sort(rows_.begin(), rows_.end(), [](const json* a, const json* b) {
        return (*a)["id_num"].get<std::int64_t>() < (*b)["id_num"].get<std::int64_t>();
      });
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      row_of_.emplace(text_of((*rows_[row])["id"]), static_cast<BufferIndex>(row));
    }
  }

  BufferIndex row_of(const json& id) {
    const auto found = row_of_.find(text_of(id));
    if (found != row_of_.end()) return found->second;
    refuse(fmt::format("there is no buffer {}", text_of(id)));
    return 0;
  }

  void read_pools() {
    if (!from_.contains("params") || !from_["params"].contains("pools")) return;
    input_.spaces.clear();
    for (const json& pool : from_["params"]["pools"]) {
      for (const auto& [key, value] : pool.items()) {
        if (key != "name" && key != "size") refuse(fmt::format("unknown key '{}' of a pool", key));
      }
      Space space;
      space.id = text_of(pool["name"]);
      if (pool.contains("size") && !pool["size"].is_null()) space.capacity = pool["size"].get<std::int64_t>();
      input_.spaces.push_back(space);
    }
  }

  void add(const json& from) {
    static const std::set<std::string> kKnown = {"id",        "id_num",    "lower",         "upper",     "size",
                                                 "alignment", "conflicts", "colocate_with", "preferred", "slices",
                                                 "shape",     "gaps",      "offset",        "pools",     "hint"};
    for (const auto& [key, value] : from.items()) {
      if (!kKnown.contains(key)) refuse(fmt::format("unknown key '{}' of a buffer", key));
    }
    Buffer buffer;
    buffer.size = from["size"];
    buffer.alignment = 1;
    if (from.contains("alignment")) {
      buffer.alignment = from["alignment"];
    } else if (from_.contains("alignment") && !from_["alignment"].is_null()) {
      buffer.alignment = from_["alignment"];
    }
    if (from.contains("offset") && !from["offset"].is_null()) buffer.fixed = from["offset"];
    const auto row = static_cast<BufferIndex>(input_.buffers.size());
    read_lifetime(from, buffer);
    read_constraints(from, row);
    Details details = details_of(from);
    if (!details.candidates.empty()) buffer.space = details.candidates.front();
    input_.add(text_of(from["id"]), buffer, std::move(details));
  }

  void read_lifetime(const json& from, Buffer& buffer) {
    if (from.contains("lower") && !from["lower"].is_null()) {
      buffer.start = from["lower"];
      buffer.end = from["upper"];
      return;
    }
    buffer.start = 0;
    buffer.end = 1;
    input_.constraints.conflicts_only = true;
  }

  void read_constraints(const json& from, BufferIndex row) {
    for (const json& other : from.value("conflicts", json::array())) {
      input_.constraints.conflicts.push_back({row, row_of(other)});
    }
    if (!from.contains("colocate_with") || from["colocate_with"].is_null()) return;
    const json& with = from["colocate_with"];
    for (const json& other : with.is_array() ? with : json::array({with})) {
      input_.constraints.colocations.push_back({row_of(other), row});
    }
  }

  Details details_of(const json& from) {
    Details details;
    for (const json& gap : from.value("gaps", json::array())) {
      Gap parsed{gap["lower"], gap["upper"], {}};
      if (gap.contains("window")) parsed.window = Window{gap["window"][0], gap["window"][1]};
      details.gaps.push_back(parsed);
    }
    for (const char* key : {"hint", "preferred"}) {
      if (from.contains(key) && !from[key].is_null()) details.hint = from[key];
    }
    for (const json& slice : from.value("slices", json::array())) details.slices.push_back({slice[0], slice[1]});
    for (const json& side : from.value("shape", json::array())) details.shape.push_back(side);
    details.candidates = candidates_of(from);
    return details;
  }

  std::vector<std::uint16_t> candidates_of(const json& from) {
    std::vector<std::uint16_t> candidates;
    const bool pooled = from_.contains("params") && from_["params"].contains("pools");
    if (!pooled) {
      if (from.contains("pools")) refuse("a buffer has pools, the case has none");
      return candidates;
    }
    if (!from.contains("pools")) {
      for (std::uint16_t s = 0; s < input_.spaces.size(); ++s) candidates.push_back(s);
      return candidates;
    }
    for (const json& pool : from["pools"]) {
      const auto named = std::find_if(input_.spaces.begin(), input_.spaces.end(),
                                      [&](const Space& space) { return space.id == text_of(pool); });
      if (named == input_.spaces.end()) refuse(fmt::format("there is no pool {}", text_of(pool)));
      candidates.push_back(static_cast<std::uint16_t>(named - input_.spaces.begin()));
    }
    return candidates;
  }

  /// The event list is the input of an online planner: event k happens at time k, and what is never freed lives on.
  void read_events() {
    if (!from_.contains("params") || !from_["params"].contains("events")) return;
    constexpr std::int64_t kNeverFreed = std::int64_t{1} << 62U;
    std::int64_t time = 0;
    for (const json& event : from_["params"]["events"]) {
      Buffer& buffer = input_.buffers.empty() ? none_ : input_.buffers[row_of(event[1])];
      if (event[0] == "alloc") {
        buffer.start = time;
        buffer.end = kNeverFreed;
        if (event.size() > 2) buffer.size = event[2];
      } else if (event[0] == "free") {
        buffer.end = time;
      } else {
        refuse(fmt::format("unknown event {}", text_of(event[0])));
      }
      ++time;
    }
  }

  const json& from_;
  ProblemInput input_;
  std::vector<const json*> rows_;
  std::map<std::string, BufferIndex> row_of_;
  Buffer none_;
  std::string refused_;
};

}  // namespace stowage::testing
