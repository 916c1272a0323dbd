#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace stowage::testing {

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("stowage-ui-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Six buffers, load 13 at step 8. Rows: a b c d e f.
inline std::string small_problem() {
  return "id,lower,upper,size\n"
         "a,0,6,4\n"
         "b,0,3,5\n"
         "c,4,9,6\n"
         "d,3,8,2\n"
         "e,8,12,7\n"
         "f,9,12,3\n";
}

/// Two buffers on top of each other.
inline std::string colliding_plan() {
  return "id,lower,upper,size,offset\nx,0,5,8,0\ny,2,7,8,4\nz,8,9,3,0\n";
}

}  // namespace stowage::testing
