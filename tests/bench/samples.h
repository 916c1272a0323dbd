#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/model/problem.h"

namespace stowage::samples {

/// One file of samples/: its name with the ending that chooses the format, and what is in it.
struct Sample {
  std::string file;
  Document document;
};

/// Adds the buffers of a network. Sizes are in KiB, times in steps.
class Network {
 public:
  explicit Network(std::string_view name) { input_.name = name; }

  void add(std::string_view id, std::int64_t start, std::int64_t end, double kib, std::string_view kind,
           std::string_view op = {});
  ProblemInput& input() { return input_; }

 private:
  ProblemInput input_;
};

/// Puts a sound problem into a document; what is not sound ends the program with its faults.
Sample sample_of(std::string file, ProblemInput input);

// sample_networks.cpp: what compilers see.
Sample conv_net();
Sample residual_net();
Sample training_step();
Sample lstm_unrolled();

// sample_devices.cpp: constraints of hardware.
Sample pinned_device();
Sample scratchpad();

// sample_puzzles.cpp: small teaching cases and problems whose answer is known.
Sample five();
Sample textbook_reuse();
Sample faulty_plan();
Sample greedy_trap();
Sample cut_puzzle();
Sample synthetic_100000();

}  // namespace stowage::samples
