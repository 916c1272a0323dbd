#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/file.h"

namespace stowage {

/// What the window remembers between starts. Unknown keys of a newer version are kept.
struct Settings {
  std::string theme = "dark";  // dark, light
  double ui_scale = 1.0;       // 0.75 .. 3
  std::string byte_unit = "auto";
  bool hex_addresses = false;
  std::vector<std::string> recents;            // newest first, at most 12
  std::map<std::string, double> layout;        // splitter positions and the like, by name
  std::map<std::string, std::string> panels;   // where each panel lies: "left 1", "hidden"; see ui/panels.h
  std::map<std::string, std::string> front;    // which panel of a place is in front
  std::map<std::string, std::string> filters;  // words of the find box by the name they were saved under
  int window_width = 1600;
  int window_height = 1000;
  std::string extra;  // unknown keys, as the text of a JSON object
  bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/stowage, else ~/.config/stowage.
std::string default_config_folder();
/// Defaults when there is no file; an unreadable file gives defaults and an error to show.
Result<Settings> read_settings(const std::string& folder);
Result<void> write_settings(const std::string& folder, const Settings& settings, const FileProbe& probe = {});

}  // namespace stowage
