#include "tests/cli/program.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace stowage::testing {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder() {
  std::string name = (fs::temp_directory_path() / "stowage-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return name;
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(int descriptor, const fs::path& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

}  // namespace

Bench::Bench() : folder_(fresh_folder()), streams_(fresh_folder()) {}

Bench::~Bench() {
  std::error_code ignored;
  fs::permissions(folder_, fs::perms::owner_all, ignored);
  fs::remove_all(folder_, ignored);
  fs::remove_all(streams_, ignored);
}

Ran Bench::run(const std::vector<std::string>& arguments, std::string_view input) const {
  std::ofstream(streams_ / "in", std::ios::binary) << input;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    redirect(0, streams_ / "in", O_RDONLY);
    redirect(1, streams_ / "out", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, streams_ / "err", O_WRONLY | O_CREAT | O_TRUNC);
    if (::chdir(folder_.c_str()) != 0) ::_exit(126);
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    std::vector<std::string> words = {STOWAGE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Ran ran;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ran.out = slurp(streams_ / "out");
  ran.err = slurp(streams_ / "err");
  return ran;
}

void Bench::write(const std::string& name, std::string_view bytes) const {
  std::ofstream(folder_ / name, std::ios::binary) << bytes;
}

std::string Bench::read(const std::string& name) const {
  return slurp(folder_ / name);
}

bool Bench::has(const std::string& name) const {
  return fs::exists(folder_ / name);
}

std::vector<std::string> Bench::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace stowage::testing
