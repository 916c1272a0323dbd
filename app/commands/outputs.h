#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace stowage {

/// What a command writes, collected until everything is there: either all of it is written or, when something fails
/// before, nothing is.
class Outputs {
 public:
  /// Announces a destination before the long work: a folder that does not exist or a path that cannot be written is
  /// reported now. At most one output is standard output ("-"). Empty paths are ignored.
  Result<void> expect(const std::string& path);

  void add(std::string path, std::string bytes) { files_.emplace_back(std::move(path), std::move(bytes)); }
  /// Text for standard output; dropped when a file goes there, so that they never mix.
  void print(std::string text) { text_ += text; }
  bool uses_stdout() const { return uses_stdout_; }

  /// Each file is written to a temporary one and renamed; then the text is printed.
  Result<void> write() const;
  /// "plan.csv, plan.png"; empty when nothing goes to a file.
  std::string written() const;

 private:
  std::vector<std::string> expected_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::string text_;
  bool uses_stdout_ = false;
};

}  // namespace stowage
