// Speed and memory at the sizes that we promise: each row runs in a process of its own, so that its peak memory is its
// own. Usage: scale_bench [BUFFERS] [SEEDS] [FOLDER with real files]; the largest of all seeds is reported.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/base/text.h"
#include "core/io/file.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

struct Cost {
  double wall = 0;    // seconds
  double cpu = 0;     // seconds
  long peak_kib = 0;  // resident
  bool failed = false;
};

/// Runs `work` in a child process.
Cost measure_child(const std::function<bool()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Cost cost;
  cost.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  cost.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak_kib = usage.ru_maxrss;
  cost.failed = status != 0;
  return cost;
}

void print_row(const std::string& what, const Cost& cost) {
  fmt::print("{:<52} {:>8.3f} s wall {:>8.3f} s cpu {:>6} MiB{}\n", what, cost.wall, cost.cpu, cost.peak_kib / 1024,
             cost.failed ? "  FAILED" : "");
  std::fflush(stdout);
}

bool read_and_load(const std::string& path) {
  const auto document = open_document(path, {});
  return document && document->problem->sections().load() > 0;
}

/// From file to a checked plan.
bool plan_file(const std::string& path, const char* allocator) {
  const auto document = open_document(path, {});
  if (!document) return false;
  RunContext context;
  const auto run = run_allocator(*find_allocator(allocator), *document->problem, {}, context);
  return run && check_plan(*document->problem, run->plan).valid();
}

/// The worst of all files.
void print_worst(const std::string& what, const std::vector<std::string>& files,
                 const std::function<bool(const std::string&)>& work) {
  Cost worst;
  for (const std::string& file : files) {
    const Cost cost = measure_child([&] { return work(file); });
    worst.wall = std::max(worst.wall, cost.wall);
    worst.cpu = std::max(worst.cpu, cost.cpu);
    worst.peak_kib = std::max(worst.peak_kib, cost.peak_kib);
    worst.failed = worst.failed || cost.failed;
  }
  print_row(what, worst);
}

std::vector<std::string> write_family(const std::filesystem::path& folder, std::size_t buffers, std::uint64_t seeds) {
  std::vector<std::string> files;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::string csv = "id,lower,upper,size\n";
    const ProblemInput input = synthetic_family(buffers, seed);
    for (std::size_t i = 0; i < buffers; ++i) {
      const Buffer& b = input.buffers[i];
      csv += fmt::format("{},{},{},{}\n", input.ids[i], b.start, b.end, b.size);
    }
    files.push_back((folder / fmt::format("family-{}-{}.csv", buffers, seed)).string());
    if (!write_file(files.back(), csv)) std::exit(3);
    fmt::print("{}: {}\n", files.back(), format_bytes(static_cast<std::int64_t>(csv.size())));
  }
  return files;
}

/// The slowest allocator, by its own time, on each small file.
void print_small(const std::filesystem::path& folder) {
  double slowest = 0;
  std::string which;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto document = open_document(entry.path().string(), {});
    if (!document) continue;
    for (const Allocator& allocator : allocators()) {
      RunContext context;
      const auto run = run_allocator(allocator, *document->problem, {}, context);
      if (!run || run->result.seconds < slowest) continue;
      slowest = run->result.seconds;
      which = fmt::format("{} on {}", allocator.id, entry.path().filename().string());
    }
  }
  fmt::print("{:<52} {:>8.3f} ms ({})\n", "slowest allocator on the small files", 1e3 * slowest, which);
}

}  // namespace

int main(int argc, char** argv) {
  const auto buffers = static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 1'000'000);
  const auto seeds = static_cast<std::uint64_t>(argc > 2 ? std::atol(argv[2]) : 5);
  std::filesystem::path shared = "../shared";
  if (const char* given = std::getenv("STOWAGE_SHARED")) shared = given;
  if (argc > 3) shared = argv[3];

  std::string pattern = (std::filesystem::temp_directory_path() / "stowage-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return 3;
  const std::filesystem::path folder = pattern;
  const std::vector<std::string> files = write_family(folder, buffers, seeds);
  print_worst(fmt::format("read {} rows and know the load", buffers), files, read_and_load);
  for (const char* id : {"first-fit-size", "best-fit-size", "skyline"}) {
    print_worst(fmt::format("{}: from file to checked plan", id), files,
                [id](const std::string& file) { return plan_file(file, id); });
  }
  std::filesystem::remove_all(folder);

  const std::filesystem::path large = shared / "data/idealloc/S_1.csv";
  if (std::filesystem::exists(large)) {
    for (const char* id : {"first-fit-size", "best-fit-size", "skyline"}) {
      print_row(fmt::format("S_1, {}: from file to checked plan", id),
                measure_child([&] { return plan_file(large.string(), id); }));
    }
    print_small(shared / "data/minimalloc");
  } else {
    fmt::print("skipped: no real files in {}\n", shared.string());
  }
  return 0;
}
