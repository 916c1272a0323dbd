#include "core/io/home_folder.h"

#include <cstdlib>

namespace stowage {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::string(value) : std::string();
}

}  // namespace

std::string folder_of_user(const char* variable, const std::string& fallback) {
  const std::string folder = environment(variable);
  if (!folder.empty() && folder.front() == '/') return folder + "/stowage";
  const std::string home = environment("HOME");
  return (home.empty() ? std::string("/tmp") : home) + "/" + fallback + "/stowage";
}

}  // namespace stowage
