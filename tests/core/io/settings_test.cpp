#include "core/io/settings.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "core/io/file.h"

using namespace stowage;

namespace {

struct Folder {
  Folder() {
    char name[] = "/tmp/stowage-settings-test-XXXXXX";
    path = std::string(::mkdtemp(name)) + "/new/folder";
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(std::filesystem::path(path).parent_path().parent_path(), error);
  }
  std::string path;
};

}  // namespace

TEST_CASE("settings: defaults without a file, and what is written is read") {
  const Folder folder;
  CHECK(read_settings(folder.path).value() == Settings{});
  Settings settings;
  settings.theme = "light";
  settings.ui_scale = 1.25;
  settings.byte_unit = "mib";
  settings.hex_addresses = true;
  settings.recents = {"/a b", "ü"};
  settings.layout = {{"left", 0.25}};
  settings.window_width = 800;
  REQUIRE(write_settings(folder.path, settings).has_value());
  CHECK(read_settings(folder.path).value() == settings);
}

TEST_CASE("settings: keys of a newer version are kept") {
  const Folder folder;
  std::filesystem::create_directories(folder.path);
  REQUIRE(write_file(folder.path + "/settings.json", R"({"theme":"light","future":{"a":[1,2]}})").has_value());
  const Settings settings = read_settings(folder.path).value();
  CHECK(settings.theme == "light");
  REQUIRE(write_settings(folder.path, settings).has_value());
  CHECK(read_settings(folder.path).value().extra == R"({"future":{"a":[1,2]}})");
}

TEST_CASE("settings: values out of range are brought back, too many recents are cut") {
  const Folder folder;
  Settings settings;
  settings.ui_scale = 100;
  settings.recents.assign(40, "x");
  REQUIRE(write_settings(folder.path, settings).has_value());
  CHECK(read_settings(folder.path).value().ui_scale == 3.0);
  CHECK(read_settings(folder.path).value().recents.size() == 12);
}

TEST_CASE("settings: a file that cannot be read is an error that names it") {
  const Folder folder;
  std::filesystem::create_directories(folder.path);
  for (const char* text : {"", "{", "[1]", R"({"theme":5})", R"({"window_width":"wide"})"}) {
    REQUIRE(write_file(folder.path + "/settings.json", text).has_value());
    const auto settings = read_settings(folder.path);
    REQUIRE_FALSE(settings.has_value());
    CHECK(settings.error().message.find(folder.path + "/settings.json") == 0);
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
