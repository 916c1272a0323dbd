#include "app/version.h"

#include <fmt/format.h>

#include "app/version_values.h"

namespace stowage {

std::string version_number() {
  return built::kVersion;
}

std::string version_text() {
  return fmt::format("stowage {}\ncommit {}\ncompiler {}, {}\nlibraries {}\n", built::kVersion, built::kCommit,
                     built::kCompiler, built::kBuildType, built::kLibraries);
}

}  // namespace stowage
