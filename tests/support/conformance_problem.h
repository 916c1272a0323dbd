#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
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
    if (is_given(from_, "params") && !from_["params"].is_object()) refuse("params is no object");
    if (!refused_.empty()) return fail(Error::Kind::kRefused, refused_);
    name_buffers();
    if (is_given(from_, "capacity")) input_.capacity = whole(from_["capacity"]);
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

  /// A key that is null says as little as one that is not there.
  static bool is_given(const json& from, const char* key) {
    return from.is_object() && from.contains(key) && !from[key].is_null();
  }

  /// The member `key`, an empty list when it is not given.
  static const json& list(const json& from, const char* key) {
    static const json kNone = json::array();
    return is_given(from, key) ? from[key] : kNone;
  }

  /// Nothing is rounded, cut or wrapped on the way.
  std::int64_t whole(const json& value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > kMost;
    if (value.is_number_integer() && !too_large) return value.get<std::int64_t>();
    refuse(fmt::format("{} is no integer of 64 bits", value.dump()));
    return 0;
  }

  /// Rows are the buffers as listed; where the peer numbers its tensors, that number decides.
  void name_buffers() {
    for (const json& buffer : list(from_, "buffers")) rows_.push_back(&buffer);
    const bool numbered = std::all_of(rows_.begin(), rows_.end(), [](const json* b) { return is_given(*b, "id_num"); });
    if (numbered) {
      std::stable_sort(rows_.begin(), rows_.end(), [](const json* a, const json* b) {
        return a->at("id_num").get<std::int64_t>() < b->at("id_num").get<std::int64_t>();
      });
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      row_of_.emplace(text_of(rows_[row]->at("id")), static_cast<BufferIndex>(row));
    }
  }

  BufferIndex row_of(const json& id) {
    const auto found = row_of_.find(text_of(id));
    if (found != row_of_.end()) return found->second;
    refuse(fmt::format("there is no buffer {}", text_of(id)));
    return 0;
  }

  void read_pools() {
    if (!has_pools()) return;
    input_.spaces.clear();
    for (const json& pool : from_["params"]["pools"]) {
      for (const auto& [key, value] : pool.items()) {
        if (key != "name" && key != "size") refuse(fmt::format("unknown key '{}' of a pool", key));
      }
      Space space;
      space.id = text_of(pool.at("name"));
      if (is_given(pool, "size")) space.capacity = whole(pool["size"]);
      input_.spaces.push_back(space);
    }
  }

  bool has_pools() const { return is_given(from_, "params") && is_given(from_["params"], "pools"); }

  void add(const json& from) {
    static const std::set<std::string> kKnown = {"id",        "id_num",    "lower",         "upper",     "size",
                                                 "alignment", "conflicts", "colocate_with", "preferred", "slices",
                                                 "shape",     "gaps",      "offset",        "pools",     "hint"};
    for (const auto& [key, value] : from.items()) {
      if (!kKnown.contains(key)) refuse(fmt::format("unknown key '{}' of a buffer", key));
    }
    Buffer buffer;
    buffer.size = whole(from.at("size"));
    buffer.alignment = 1;
    if (is_given(from, "alignment")) {
      buffer.alignment = whole(from["alignment"]);
    } else if (is_given(from_, "alignment")) {
      buffer.alignment = whole(from_["alignment"]);
    }
    if (is_given(from, "offset")) buffer.fixed = whole(from["offset"]);
    const auto row = static_cast<BufferIndex>(input_.buffers.size());
    read_lifetime(from, buffer);
    read_constraints(from, row);
    Details details = details_of(from);
    if (!details.candidates.empty()) buffer.space = details.candidates.front();
    input_.add(text_of(from.at("id")), buffer, std::move(details));
  }

  void read_lifetime(const json& from, Buffer& buffer) {
    if (is_given(from, "lower")) {
      buffer.start = whole(from["lower"]);
      buffer.end = whole(from.at("upper"));
      return;
    }
    buffer.start = 0;
    buffer.end = 1;
    input_.constraints.conflicts_only = true;
  }

  void read_constraints(const json& from, BufferIndex row) {
    for (const json& other : list(from, "conflicts")) {
      input_.constraints.conflicts.push_back({row, row_of(other)});
    }
    if (!is_given(from, "colocate_with")) return;
    const json& with = from["colocate_with"];
    for (const json& other : with.is_array() ? with : json::array({with})) {
      input_.constraints.colocations.push_back({row_of(other), row});
    }
  }

  Details details_of(const json& from) {
    Details details;
    for (const json& gap : list(from, "gaps")) details.gaps.push_back(gap_of(gap));
    for (const char* key : {"hint", "preferred"}) {
      if (is_given(from, key)) details.hint = whole(from[key]);
    }
    for (const json& slice : list(from, "slices")) details.slices.push_back({whole(slice.at(0)), whole(slice.at(1))});
    for (const json& side : list(from, "shape")) details.shape.push_back(whole(side));
    details.candidates = candidates_of(from);
    return details;
  }

  Gap gap_of(const json& from) {
    for (const auto& [key, value] : from.items()) {
      if (key != "lower" && key != "upper" && key != "window") refuse(fmt::format("unknown key '{}' of a gap", key));
    }
    Gap gap{whole(from.at("lower")), whole(from.at("upper")), {}};
    if (!is_given(from, "window")) return gap;
    const json& window = from["window"];
    if (window.size() != 2) refuse(fmt::format("{} is no window", window.dump()));
    gap.window = Window{whole(window.at(0)), whole(window.at(1))};
    return gap;
  }

  std::vector<std::uint16_t> candidates_of(const json& from) {
    std::vector<std::uint16_t> candidates;
    if (!has_pools()) {
      if (is_given(from, "pools")) refuse("a buffer has pools, the case has none");
      return candidates;
    }
    if (!is_given(from, "pools")) {
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

  /// The event list is the input of an online planner: event k happens at time k, and what is never freed lives on. A
  /// case need not list the buffers as well.
  void read_events() {
    if (!is_given(from_, "params")) return;
    constexpr std::int64_t kNeverFreed = std::int64_t{1} << 62U;
    const bool listed = !rows_.empty();
    std::int64_t time = 0;
    for (const json& event : list(from_["params"], "events")) {
      const json& what = event.at(0);
      const json& id = event.at(1);
      if (what == "alloc" && !listed && !row_of_.contains(text_of(id))) {
        row_of_.emplace(text_of(id), static_cast<BufferIndex>(input_.buffers.size()));
        input_.add(text_of(id), Buffer{});
      }
      const BufferIndex row = row_of(id);
      if (!refused_.empty()) return;
      Buffer& buffer = input_.buffers[row];
      if (what == "alloc") {
        buffer.start = time;
        buffer.end = kNeverFreed;
        if (event.size() > 2) buffer.size = whole(event[2]);
      } else if (what == "free") {
        buffer.end = time;
      } else {
        refuse(fmt::format("unknown event {}", text_of(what)));
      }
      ++time;
    }
  }

  const json& from_;
  ProblemInput input_;
  std::vector<const json*> rows_;
  std::map<std::string, BufferIndex> row_of_;
  std::string refused_;
};

}  // namespace stowage::testing
