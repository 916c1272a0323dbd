#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <doctest/doctest.h>

namespace stowage::testing {

/// The folder with real files and expected values: $STOWAGE_SHARED, else ../shared beside the project. Nothing when it
/// is absent; the test then says "skipped" (MESSAGE) and returns.
inline std::optional<std::filesystem::path> shared_folder() {
  const char* given = std::getenv("STOWAGE_SHARED");
  const std::filesystem::path folder =
      given != nullptr ? std::filesystem::path(given) : std::filesystem::path(STOWAGE_SOURCE_DIR) / ".." / "shared";
  if (std::filesystem::is_directory(folder / "data")) return folder;
  return std::nullopt;
}

}  // namespace stowage::testing

/// First line of a test that needs the extra data: binds `name` to the folder or reports the skip.
#define STOWAGE_NEED_SHARED(name)                                      \
  const auto name##_found = ::stowage::testing::shared_folder();       \
  if (!name##_found) {                                                 \
    MESSAGE("skipped: no extra data at $STOWAGE_SHARED or ../shared"); \
    return;                                                            \
  }                                                                    \
  const std::filesystem::path& name = *name##_found
