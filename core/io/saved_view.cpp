#include "core/io/saved_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace stowage {
namespace {

using Json = nlohmann::ordered_json;

/// Far beyond every time and address, and still exact to add and subtract.
constexpr double kFar = 4e19;

template <typename Value>
void take(const Json& json, const char* key, Value& value) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  try {
    found->get_to(value);
  } catch (const Json::exception&) {
    value = Value{};
  }
}

bool sensible(double low, double high) {
  return std::isfinite(low) && std::isfinite(high) && low < high && std::abs(low) < kFar && std::abs(high) < kFar;
}

std::optional<SavedView::Camera> camera_of(const Json& json) {
  const auto found = json.find("camera");
  if (found == json.end() || !found->is_object()) return std::nullopt;
  SavedView::Camera camera;
  camera.time_high = camera.byte_high = 0;
  take(*found, "time_low", camera.time_low);
  take(*found, "time_high", camera.time_high);
  take(*found, "byte_low", camera.byte_low);
  take(*found, "byte_high", camera.byte_high);
  take(*found, "time_origin", camera.time_origin);
  take(*found, "byte_origin", camera.byte_origin);
  if (!sensible(camera.time_low, camera.time_high) || !sensible(camera.byte_low, camera.byte_high)) {
    return std::nullopt;
  }
  return camera;
}

/// Which of the buffers with its id each of these is, from 1 on. Linear, without a table of all ids.
std::vector<std::uint64_t> occurrences(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  std::unordered_map<std::string_view, std::uint64_t> seen;
  for (const BufferIndex i : buffers) seen.try_emplace(problem.id(i));
  std::vector<std::size_t> by_row(buffers.size());
  std::iota(by_row.begin(), by_row.end(), std::size_t{0});
  std::sort(by_row.begin(), by_row.end(), [&](std::size_t a, std::size_t b) { return buffers[a] < buffers[b]; });
  std::vector<std::uint64_t> result(buffers.size(), 1);
  std::size_t next = 0;
  for (BufferIndex i = 0; i < problem.size() && next < by_row.size(); ++i) {
    const auto found = seen.find(problem.id(i));
    if (found == seen.end()) continue;
    ++found->second;
    for (; next < by_row.size() && buffers[by_row[next]] == i; ++next) result[by_row[next]] = found->second;
  }
  return result;
}

Json written_selection(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  const std::vector<std::uint64_t> occurrence = occurrences(problem, buffers);
  Json list = Json::array();
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const std::string_view id = problem.id(buffers[k]);
    if (!is_utf8(id)) {
      list.push_back(buffers[k]);
    } else if (occurrence[k] == 1) {
      list.push_back(id);
    } else {
      list.push_back(Json{{"id", id}, {"occurrence", occurrence[k]}});
    }
  }
  return list;
}

/// The buffers of one id that a file names: which of them, and at which place of the selection.
struct Namesakes {
  std::vector<std::pair<std::uint64_t, std::size_t>> wanted;
  std::size_t next = 0;    // of `wanted`, in the order of occurrences
  std::uint64_t seen = 0;  // of that id in the problem
};

std::vector<BufferIndex> selection_of(const Json& json, const Problem& problem) {
  const auto list = json.find("selection");
  if (list == json.end() || !list->is_array()) return {};
  std::vector<BufferIndex> found(list->size(), kNoBuffer);
  std::unordered_map<std::string_view, Namesakes> named;
  for (std::size_t k = 0; k < list->size(); ++k) {
    const Json& one = (*list)[k];
    if (one.is_number_unsigned()) {
      const auto row = one.get<std::uint64_t>();
      if (row < problem.size()) found[k] = static_cast<BufferIndex>(row);
    } else if (one.is_string()) {
      named[one.get_ref<const std::string&>()].wanted.emplace_back(1, k);
    } else if (one.is_object() && one.contains("id") && one["id"].is_string()) {
      std::uint64_t occurrence = 1;
      take(one, "occurrence", occurrence);
      named[one["id"].get_ref<const std::string&>()].wanted.emplace_back(occurrence, k);
    }
  }
  for (auto& [id, namesakes] : named) std::sort(namesakes.wanted.begin(), namesakes.wanted.end());
  for (BufferIndex i = 0; i < problem.size() && !named.empty(); ++i) {
    const auto at = named.find(problem.id(i));
    if (at == named.end()) continue;
    Namesakes& same = at->second;
    ++same.seen;
    while (same.next < same.wanted.size() && same.wanted[same.next].first < same.seen) ++same.next;
    for (; same.next < same.wanted.size() && same.wanted[same.next].first == same.seen; ++same.next) {
      found[same.wanted[same.next].second] = i;
    }
  }
  std::unordered_set<BufferIndex> taken;
  std::erase_if(found, [&](BufferIndex i) { return i == kNoBuffer || !taken.insert(i).second; });
  return found;
}

}  // namespace

std::string write_view(const SavedView& view, const Problem& problem, const std::string& before) {
  Json json = Json::parse(before.empty() ? "{}" : before, nullptr, false);
  if (!json.is_object()) json = Json::object();
  for (const char* key : {"camera", "filter", "plan", "space", "selection"}) json.erase(key);
  if (view.camera) {
    const SavedView::Camera& camera = *view.camera;
    Json& written = json["camera"];
    written["time_low"] = camera.time_low;
    written["time_high"] = camera.time_high;
    written["byte_low"] = camera.byte_low;
    written["byte_high"] = camera.byte_high;
    if (camera.time_origin != 0) written["time_origin"] = camera.time_origin;
    if (camera.byte_origin != 0) written["byte_origin"] = camera.byte_origin;
  }
  if (!view.filter.empty()) json["filter"] = view.filter;
  if (!view.plan.empty()) json["plan"] = view.plan;
  if (!view.space.empty()) json["space"] = view.space;
  if (!view.selection.empty()) json["selection"] = written_selection(problem, view.selection);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedView read_view(const std::string& text, const Problem& problem) {
  SavedView view;
  const Json json = Json::parse(text.empty() ? "{}" : text, nullptr, false);
  if (!json.is_object()) return view;
  view.camera = camera_of(json);
  take(json, "filter", view.filter);
  take(json, "plan", view.plan);
  take(json, "space", view.space);
  view.selection = selection_of(json, problem);
  return view;
}

}  // namespace stowage
