#include "ui/file_browser.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "core/base/text.h"
#include "core/io/format.h"

namespace stowage {
namespace fs = std::filesystem;
namespace {

bool known_ending(const std::string& name) {
  const std::string lower = to_lower(name);
  for (const Format& format : formats()) {
    if (format.read == nullptr || format.extension.empty()) continue;
    const std::string& ending = format.extension;
    if (lower.size() > ending.size() && lower.compare(lower.size() - ending.size(), ending.size(), ending) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

void FileBrowser::show(const std::string& where) {
  std::error_code error;
  const fs::path folder_path = fs::absolute(where.empty() ? fs::path(".") : fs::path(where), error).lexically_normal();
  folder = folder_path.string();
  if (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  path_text = folder;
  filter.clear();
  problem.clear();
  entries.clear();
  row = -1;
  fs::directory_iterator items(folder_path, fs::directory_options::skip_permission_denied, error);
  if (error) {
    problem = folder + ": " + error.message();
    return;
  }
  for (const fs::directory_iterator end; items != end; items.increment(error)) {
    if (error) break;
    BrowserEntry entry;
    entry.name = items->path().filename().string();
    if (entry.name.empty() || entry.name[0] == '.') continue;
    std::error_code ignored;
    entry.folder = items->is_directory(ignored);
    if (!entry.folder) {
      if (!items->is_regular_file(ignored)) continue;
      entry.readable = known_ending(entry.name);
      const auto bytes = items->file_size(ignored);
      entry.size = ignored ? 0 : static_cast<std::int64_t>(bytes);
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const BrowserEntry& a, const BrowserEntry& b) {
    return std::make_tuple(!a.folder, !a.readable, to_lower(a.name), a.name) <
           std::make_tuple(!b.folder, !b.readable, to_lower(b.name), b.name);
  });
  if (entries.empty()) problem = "This folder is empty.";
}

void FileBrowser::up() {
  show(fs::path(folder).parent_path().string());
}

std::vector<std::size_t> FileBrowser::visible() const {
  std::vector<std::size_t> found;
  const std::string wanted = to_lower(filter);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (wanted.empty() || to_lower(entries[k].name).find(wanted) != std::string::npos) found.push_back(k);
  }
  return found;
}

std::string joined(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string folder_of(const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).parent_path().string();
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr ? home : "/";
}

}  // namespace stowage
