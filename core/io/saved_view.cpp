#include "core/io/saved_view.h"

#include <cmath>

#include <nlohmann/json.hpp>

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

}  // namespace

std::string write_view(const SavedView& view, const std::string& before) {
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
  if (!view.selection.empty()) json["selection"] = view.selection;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedView read_view(const std::string& text) {
  SavedView view;
  const Json json = Json::parse(text.empty() ? "{}" : text, nullptr, false);
  if (!json.is_object()) return view;
  view.camera = camera_of(json);
  take(json, "filter", view.filter);
  take(json, "plan", view.plan);
  take(json, "space", view.space);
  take(json, "selection", view.selection);
  return view;
}

}  // namespace stowage
