#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage {

/// A line of the file browser.
struct BrowserEntry {
  std::string name;
  bool folder = false;
  bool readable = false;  // its ending is one that we read
  std::int64_t size = 0;
};

/// The folder shown in the open and save-as dialogs. Never throws: a folder that cannot be read is shown empty, with
/// the reason.
struct FileBrowser {
  std::string folder;
  std::string path_text;  // what the path box holds
  std::string filter;
  std::vector<BrowserEntry> entries;  // folders first, then files we can read, then others; by name
  std::string problem;                // why the folder is empty
  int row = -1;                       // chosen by the keyboard

  void show(const std::string& where);
  void up();
  /// Indexes of the entries that match the filter.
  std::vector<std::size_t> visible() const;
};

/// The full path of an entry of the browser.
std::string joined(const std::string& folder, const std::string& name);
bool is_folder(const std::string& path);
std::string folder_of(const std::string& path);
std::string home_folder();

}  // namespace stowage
