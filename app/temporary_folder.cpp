#include "app/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace stowage {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) return;
  std::string pattern = (place / "stowage-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace stowage
