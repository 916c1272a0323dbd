#include "app/data_folder.h"

#include <filesystem>
#include <system_error>

namespace stowage {
namespace {

namespace fs = std::filesystem;

bool holds_samples(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "samples", ignored);
}

}  // namespace

std::string data_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share" / "stowage";
    if (holds_samples(installed)) return installed.string();
  }
  const fs::path source = STOWAGE_DATA_SOURCE;
  return holds_samples(source) ? source.string() : std::string();
}

std::string find_data(const std::string& relative) {
  const std::string folder = data_folder();
  if (folder.empty()) return {};
  const fs::path path = fs::path(folder) / relative;
  std::error_code ignored;
  return fs::exists(path, ignored) ? path.string() : std::string();
}

}  // namespace stowage
