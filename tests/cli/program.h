#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::testing {

/// What a run of the built program left behind.
struct Ran {
  int code = -1;  // exit code; 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

/// A folder of its own, removed with everything in it at the end; programs run inside it, so relative names work.
class Bench {
 public:
  Bench();
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Runs the program without a display.
  Ran run(const std::vector<std::string>& arguments, std::string_view input = {}) const;

  void write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;
  /// Names of all files, ascending.
  std::vector<std::string> files() const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
  std::filesystem::path streams_;
};

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Four buffers: load 112, no reuse 176; two of them can share.
inline constexpr std::string_view kToy = "id,lower,upper,size\na,0,3,64\nb,1,4,32\nc,3,5,64\nd,2,5,16\n";
/// The same with a sound plan of makespan 112.
inline constexpr std::string_view kToyPlan =
    "id,lower,upper,size,offset\na,0,3,64,0\nb,1,4,32,64\nc,3,5,64,0\nd,2,5,16,96\n";
/// First fit by falling size needs 352 bytes, the load is 256 and can be reached.
inline constexpr std::string_view kGreedy =
    "id,lower,upper,size\nb0,4,6,96\nb1,0,1,96\nb2,0,4,96\nb3,0,4,64\nb4,3,5,96\n";

}  // namespace stowage::testing
