#include "core/io/settings.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/io/home_folder.h"

namespace stowage {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRecents = 12;

std::string file_in(const std::string& folder) {
  return (std::filesystem::path(folder) / "settings.json").string();
}

/// Moves a member into `value`; its absence leaves the default. Throws Json::exception on another type.
template <typename Value>
void take(Json& json, const char* key, Value& value) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  found->get_to(value);
  json.erase(key);
}

/// Throws Json::exception on a member of the wrong type.
Settings from(Json json) {
  Settings settings;
  take(json, "theme", settings.theme);
  take(json, "ui_scale", settings.ui_scale);
  take(json, "byte_unit", settings.byte_unit);
  take(json, "hex_addresses", settings.hex_addresses);
  take(json, "recents", settings.recents);
  take(json, "layout", settings.layout);
  take(json, "panels", settings.panels);
  take(json, "front", settings.front);
  take(json, "filters", settings.filters);
  take(json, "window_width", settings.window_width);
  take(json, "window_height", settings.window_height);
  settings.ui_scale = std::clamp(settings.ui_scale, 0.75, 3.0);
  if (settings.recents.size() > kMostRecents) settings.recents.resize(kMostRecents);
  if (!json.empty()) settings.extra = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return settings;
}

Json to_json(const Settings& settings) {
  Json json;
  json["theme"] = settings.theme;
  json["ui_scale"] = settings.ui_scale;
  json["byte_unit"] = settings.byte_unit;
  json["hex_addresses"] = settings.hex_addresses;
  json["recents"] = settings.recents;
  json["layout"] = settings.layout;
  json["panels"] = settings.panels;
  json["front"] = settings.front;
  json["filters"] = settings.filters;
  json["window_width"] = settings.window_width;
  json["window_height"] = settings.window_height;
  const Json extra = Json::parse(settings.extra.empty() ? "{}" : settings.extra, nullptr, false);
  if (!extra.is_object()) return json;
  for (const auto& [key, value] : extra.items()) {
    if (!json.contains(key)) json[key] = value;
  }
  return json;
}

}  // namespace

std::string default_config_folder() {
  return folder_of_user("XDG_CONFIG_HOME", ".config");
}

Result<Settings> read_settings(const std::string& folder) {
  const std::string path = file_in(folder);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Settings{};
  const auto bytes = read_file(path, std::int64_t{16} << 20);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  try {
    const Json json = Json::parse(*bytes);
    if (!json.is_object()) return input_error(fmt::format("{}: the settings are not a JSON object", path));
    return from(json);
  } catch (const Json::exception& fault) {
    return input_error(fmt::format("{}: the settings cannot be read: {}", path, fault.what()));
  }
}

Result<void> write_settings(const std::string& folder, const Settings& settings, const FileProbe& probe) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return input_error(fmt::format("{}: cannot be made: {}", folder, error.message()));
  const std::string text = to_json(settings).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return write_file(file_in(folder), text, probe);
}

}  // namespace stowage
