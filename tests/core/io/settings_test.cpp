#include "core/io/settings.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "core/io/file.h"
#include "tests/core/io/folder.h"

using namespace stowage;
using stowage::testing::Folder;

TEST_CASE("settings: defaults without a file, and what is written is read") {
  const Folder parent;
  const std::string folder = parent / "new/folder";
  CHECK(read_settings(folder).value() == Settings{});
  Settings settings;
  settings.theme = "light";
  settings.ui_scale = 1.25;
  settings.byte_unit = "mib";
  settings.hex_addresses = true;
  settings.recents = {"/a b", "ü"};
  settings.layout = {{"left", 0.25}};
  settings.window_width = 800;
  REQUIRE(write_settings(folder, settings).has_value());
  CHECK(read_settings(folder).value() == settings);
}

TEST_CASE("settings: keys of a newer version are kept") {
  const Folder parent;
  const std::string folder = parent / "new/folder";
  std::filesystem::create_directories(folder);
  REQUIRE(write_file(folder + "/settings.json", R"({"theme":"light","future":{"a":[1,2]}})").has_value());
  const Settings settings = read_settings(folder).value();
  CHECK(settings.theme == "light");
  REQUIRE(write_settings(folder, settings).has_value());
  CHECK(read_settings(folder).value().extra == R"({"future":{"a":[1,2]}})");
}

TEST_CASE("settings: values out of range are brought back, too many recents are cut") {
  const Folder parent;
  const std::string folder = parent / "new/folder";
  Settings settings;
  settings.ui_scale = 100;
  settings.recents.assign(40, "x");
  REQUIRE(write_settings(folder, settings).has_value());
  CHECK(read_settings(folder).value().ui_scale == 3.0);
  CHECK(read_settings(folder).value().recents.size() == 12);
}

TEST_CASE("settings: a file that cannot be read is an error that names it") {
  const Folder parent;
  const std::string folder = parent / "new/folder";
  std::filesystem::create_directories(folder);
  for (const char* text : {"", "{", "[1]", R"({"theme":5})", R"({"window_width":"wide"})"}) {
    REQUIRE(write_file(folder + "/settings.json", text).has_value());
    const auto settings = read_settings(folder);
    REQUIRE_FALSE(settings.has_value());
    CHECK(settings.error().message.find(folder + "/settings.json") == 0);
  }
}

TEST_CASE("settings: the folder follows the XDG rules") {
  const auto keep = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  const std::string config = keep("XDG_CONFIG_HOME");
  const std::string home = keep("HOME");
  ::setenv("XDG_CONFIG_HOME", "/some/config", 1);
  CHECK(default_config_folder() == "/some/config/stowage");
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  CHECK(default_config_folder() == "/home/me/.config/stowage");
  ::setenv("HOME", home.c_str(), 1);
  if (config.empty()) {
    ::unsetenv("XDG_CONFIG_HOME");
  } else {
    ::setenv("XDG_CONFIG_HOME", config.c_str(), 1);
  }
}
