#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/model/generate.h"
#include "tests/bench/samples.h"

namespace stowage::samples {

/// exp(a * b + 3): the smallest chain in which memory can be used twice.
Sample five() {
  Network net("five");
  net.add("a", 0, 2, 4, "input");
  net.add("b", 0, 2, 4, "input");
  net.add("product", 1, 3, 4, "activation", "Mul");
  net.add("sum", 2, 4, 4, "activation", "Add");
  net.add("result", 3, 5, 4, "output", "Exp");
  return sample_of("five.csv", std::move(net.input()));
}

/// The picture of the textbook: in the same memory four tensors fit without reuse, and all seven with it.
Sample textbook_reuse() {
  static constexpr std::array<int, 7> kSizes = {5, 3, 4, 4, 5, 3, 4};  // KiB; the first four fill the memory
  Network net("textbook_reuse");
  net.input().capacity = 16 * 1024;
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    const auto start = static_cast<std::int64_t>(k);
    const std::string_view kind = k == 0 ? "input" : k + 1 == kSizes.size() ? "output" : "activation";
    net.add(fmt::format("tensor_{}", k + 1), start, start + 3, kSizes[k], kind);
  }
  return sample_of("textbook_reuse.json", std::move(net.input()));
}

/// A plan with one fault of each kind that a file can hold without a capacity: for `stowage check`.
Sample faulty_plan() {
  ProblemInput input;
  input.name = "faulty_plan";
  Plan plan;
  plan.id = "file";
  plan.allocator = "file";
  const auto add = [&](std::string_view id, std::int64_t start, std::int64_t end, std::int64_t size,
                       std::int64_t alignment, std::int64_t offset, std::string_view kind) {
    Buffer buffer;
    buffer.start = start;
    buffer.end = end;
    buffer.size = size;
    buffer.alignment = alignment;
    buffer.kind = input.kind_index(kind);
    input.add(id, buffer);
    plan.offsets.push_back(offset);
  };
  add("image", 0, 2, 3072, 64, 0, "input");
  add("conv1", 1, 4, 4096, 64, 3072, "activation");
  add("scratch", 1, 2, 1024, 64, 7168, "workspace");
  add("conv2", 3, 6, 2048, 64, 2048, "activation");  // reaches into conv1, which is still needed
  add("pool", 5, 8, 1024, 64, 4136, "activation");   // not a multiple of 64
  add("history", 0, 8, 512, 64, 8192, "state");
  add("log", 6, 8, 256, 1, 8448, "state");   // inside history
  add("scores", 7, 9, 40, 8, -8, "output");  // below the beginning
  Sample sample = sample_of("faulty_plan.csv", std::move(input));
  sample.document.plans.push_back(std::move(plan));
  return sample;
}

/// First fit by falling size needs 1.7 times the load, though the load can be reached. Of the small rectangles that we
/// cut into nine pieces, this is the one on which it did worst.
Sample greedy_trap() {
  struct Piece {
    std::int64_t start, end, kib;
  };
  static constexpr std::array<Piece, 9> kPieces = {
      {{4, 8, 6}, {0, 7, 4}, {0, 7, 2}, {1, 7, 4}, {1, 7, 4}, {0, 1, 8}, {2, 4, 6}, {7, 8, 14}, {0, 2, 6}}};
  Network net("greedy_trap");
  for (std::size_t k = 0; k < kPieces.size(); ++k) {
    const Piece& piece = kPieces[k];
    net.add(fmt::format("t{}", k + 1), piece.start, piece.end, static_cast<double>(piece.kib),
            piece.end - piece.start > 4 ? "long" : "short");
  }
  return sample_of("greedy_trap.csv", std::move(net.input()));
}

/// A rectangle of 96 steps and 1 MiB, cut again and again from side to side: put together it is full at every moment,
/// so the load of 1 MiB can be reached. Seed 11 of our own generator.
Sample cut_puzzle() {
  constexpr std::size_t kPieces = 80;
  constexpr std::int64_t kSteps = 96;
  constexpr std::int64_t kKib = 1024;
  struct Piece {
    std::int64_t start, end, low, high;  // steps; KiB
    double area() const { return static_cast<double>(end - start) * static_cast<double>(high - low); }
  };
  Random random(11);
  std::vector<Piece> pieces = {{0, kSteps, 0, kKib}};
  while (pieces.size() < kPieces) {
    // The largest piece is cut next, across its longer side, somewhere in its middle half.
    std::size_t largest = 0;
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      if (pieces[k].area() > pieces[largest].area()) largest = k;
    }
    Piece& piece = pieces[largest];
    const std::int64_t steps = piece.end - piece.start;
    const std::int64_t kib = piece.high - piece.low;
    Piece rest = piece;
    if (steps * kKib >= kib * kSteps) {
      rest.start = piece.end = piece.start + random.uniform((steps + 3) / 4, steps - (steps + 3) / 4);
    } else {
      rest.low = piece.high = piece.low + random.uniform((kib + 3) / 4, kib - (kib + 3) / 4);
    }
    pieces.push_back(rest);
  }
  for (std::size_t k = pieces.size() - 1; k > 0; --k) {
    std::swap(pieces[k], pieces[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(k)))]);
  }
  Network net("cut_puzzle");
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    const std::int64_t kib = piece.high - piece.low;
    const std::string_view kind = kib >= 144 ? "tall" : kib >= 96 ? "middle" : "flat";
    net.add(fmt::format("p{}", k), piece.start, piece.end, static_cast<double>(kib), kind);
  }
  return sample_of("cut_puzzle.csv", std::move(net.input()));
}

/// The family in which our speed is stated, seed 1: about 32 buffers are live on average.
Sample synthetic_100000() {
  return sample_of("synthetic_100000.csv", synthetic_family(100'000, 1));
}

}  // namespace stowage::samples
