#include "app/commands/outputs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/io/file.h"

namespace stowage {

Result<void> Outputs::expect(const std::string& path) {
  if (path.empty()) return {};
  if (std::find(expected_.begin(), expected_.end(), path) != expected_.end()) {
    return usage_error(path == "-" ? std::string("standard output can take only one of the results")
                                   : path + ": is named for two outputs");
  }
  expected_.push_back(path);
  if (path == "-") {
    uses_stdout_ = true;
    return {};
  }
  std::error_code ignored;
  const std::filesystem::path target(path);
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  if (std::filesystem::is_directory(target, ignored)) return input_error(path + ": is a folder");
  if (!std::filesystem::is_directory(folder, ignored)) {
    return input_error(fmt::format("{}: there is no folder {}", path, folder.string()));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return input_error(fmt::format("{}: the folder {} cannot be written", path, folder.string()));
  }
  return {};
}

Result<void> Outputs::write() const {
  for (const auto& file : files_) {
    const Result<void> written = write_file(file.first, file.second);
    if (!written) return written;
  }
  if (text_.empty() || uses_stdout_) return {};
  return write_file("-", text_);
}

std::string Outputs::written() const {
  std::vector<std::string> names;
  for (const auto& file : files_) {
    if (file.first != "-") names.push_back(file.first);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace stowage
