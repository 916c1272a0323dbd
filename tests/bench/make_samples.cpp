// Writes the files of samples/, all of them, always the same bytes.
//   make_samples FOLDER           writes them
//   make_samples --check FOLDER   says which differ; exit 1 if one does

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/io/file.h"
#include "core/io/format.h"
#include "tests/bench/samples.h"

namespace stowage::samples {

Sample sample_of(std::string file, ProblemInput input) {
  tl::expected<Problem, std::vector<Fault>> problem = make_problem(std::move(input));
  if (!problem) {
    for (const Fault& fault : problem.error()) fmt::print(stderr, "{}: {}: {}\n", file, fault.field, fault.message);
    std::exit(1);
  }
  Sample sample;
  sample.file = std::move(file);
  sample.document.problem = std::make_shared<const Problem>(std::move(*problem));
  return sample;
}

namespace {

std::vector<Sample> all() {
  std::vector<Sample> samples;
  for (Sample (*make)() : {&five, &textbook_reuse, &faulty_plan, &greedy_trap, &cut_puzzle, &conv_net, &residual_net,
                           &training_step, &lstm_unrolled, &pinned_device, &scratchpad, &synthetic_100000}) {
    samples.push_back(make());
  }
  return samples;
}

/// True when the file is as it should be, or has been written.
bool settle(const Sample& sample, const std::string& folder, bool check) {
  const std::string path = folder + "/" + sample.file;
  const Format* format = format_for_path(path);
  const Result<std::string> bytes =
      format != nullptr ? format->write(sample.document, WriteOptions{}) : input_error(path + ": no such format");
  if (!bytes) {
    fmt::print(stderr, "{}\n", bytes.error().message);
    return false;
  }
  if (check) {
    const Result<std::string> there = read_file(path);
    if (there && *there == *bytes) return true;
    fmt::print(stderr, "{}\n", there ? path + ": differs from what make_samples writes" : there.error().message);
    return false;
  }
  const Result<void> written = write_file(path, *bytes);
  if (!written) fmt::print(stderr, "{}\n", written.error().message);
  return written.has_value();
}

}  // namespace
}  // namespace stowage::samples

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool check = arguments.size() == 2 && arguments[0] == "--check";
  if (arguments.size() != (check ? 2U : 1U)) {
    fmt::print(stderr, "usage: make_samples [--check] FOLDER\n");
    return 2;
  }
  bool fine = true;
  for (const stowage::samples::Sample& sample : stowage::samples::all()) {
    fine = stowage::samples::settle(sample, arguments.back(), check) && fine;
  }
  return fine ? 0 : 1;
}
