#include <fmt/format.h>

#include "tests/bench/samples.h"

namespace stowage::samples {
namespace {

constexpr std::int64_t kKib = 1024;

Buffer buffer_of(std::int64_t start, std::int64_t end, std::int64_t size, std::int64_t alignment) {
  Buffer buffer;
  buffer.start = start;
  buffer.end = end;
  buffer.size = size;
  buffer.alignment = alignment;
  return buffer;
}

}  // namespace

/// Two memories, regions that must stay where they are, alignment, a buffer that is paged out for a while, one of which
/// only a part is needed in between, and hints.
Sample pinned_device() {
  ProblemInput input;
  input.name = "pinned_device";
  Space sram;
  sram.id = "sram";
  sram.base = 0x20000000;
  sram.capacity = 320 * kKib;
  Space dram;
  dram.id = "dram";
  dram.base = 0x80000000;
  input.spaces = {sram, dram};
  const auto add = [&](std::string_view id, std::string_view kind, Buffer buffer, Details details = {}) {
    buffer.kind = input.kind_index(kind);
    if (details == Details{}) {
      input.add(id, buffer);
    } else {
      input.add(id, buffer, details);
    }
  };

  Buffer vectors = buffer_of(0, 24, 1000, 256);
  vectors.fixed = 0;
  add("vector_table", "constant", vectors);
  Buffer ring = buffer_of(0, 24, 16 * kKib, 4096);
  ring.fixed = 304 * kKib;
  Details open;
  open.open_start = true;
  open.open_end = true;
  open.source = "dma.c:41";
  add("dma_ring", "input", ring, open);
  Buffer stack = buffer_of(0, 24, 12 * kKib, 8);
  stack.fixed = 4 * kKib;
  add("stack", "state", stack);

  Details paged;
  paged.gaps = {Gap{8, 16, std::nullopt}};
  paged.op = "FeatureExtract";
  add("features", "activation", buffer_of(3, 20, 96 * kKib, 64), paged);
  Details partly;
  partly.gaps = {Gap{10, 14, Window{0, 24 * kKib}}};
  partly.op = "Embed";
  add("embedding", "activation", buffer_of(6, 18, 72 * kKib, 64), partly);
  Details hinted;
  hinted.hint = 128 * kKib;
  hinted.requested = 60'000;
  add("spectrum", "activation", buffer_of(1, 6, 60'032, 64), hinted);

  for (std::int64_t k = 0; k < 8; ++k) {
    const std::int64_t size = (20 + 7 * ((k * 5) % 8)) * kKib + 100 * k;
    add(fmt::format("tile_{}", k), "workspace", buffer_of(2 + 2 * k, 5 + 2 * k, size, 128));
  }
  for (std::int64_t k = 0; k < 6; ++k) {
    Buffer weights = buffer_of(k * 3, k * 3 + 6, (300 + 90 * k) * kKib, 4096);
    weights.space = 1;
    add(fmt::format("weights_{}", k), "weight", weights);
  }
  Buffer frame = buffer_of(0, 24, 600 * kKib, 4096);
  frame.space = 1;
  frame.fixed = 1024 * kKib;
  add("frame_buffer", "output", frame);
  return sample_of("pinned_device.json", std::move(input));
}

/// Tiles of a matrix product in 256 KiB of scratchpad, fetched one step ahead into the other half; the top is reserved.
Sample scratchpad() {
  ProblemInput input;
  input.name = "scratchpad";
  input.capacity = 256 * kKib;
  const auto add = [&](std::string_view id, std::string_view kind, Buffer buffer) {
    buffer.kind = input.kind_index(kind);
    input.add(id, buffer);
  };
  constexpr std::int64_t kRounds = 4;
  constexpr std::int64_t kDepth = 4;  // tiles that are summed into one result
  const std::int64_t end = kRounds * kDepth + 2;
  Buffer reserved = buffer_of(0, end, 24 * kKib, 1024);
  reserved.fixed = 232 * kKib;
  add("reserved", "constant", reserved);
  for (std::int64_t round = 0; round < kRounds; ++round) {
    const std::int64_t first = round * kDepth;
    add(fmt::format("C_{}", round), "output", buffer_of(first + 1, first + kDepth + 2, 48 * kKib, 64));
    for (std::int64_t k = 0; k < kDepth; ++k) {
      const std::int64_t step = first + k;
      // Loaded during `step`, used during the next one.
      add(fmt::format("A_{}_{}", round, k), "input", buffer_of(step, step + 2, 32 * kKib, 64));
      add(fmt::format("B_{}_{}", round, k), "weight", buffer_of(step, step + 2, (k % 2 == 0 ? 24 : 20) * kKib, 64));
    }
  }
  return sample_of("scratchpad.json", std::move(input));
}

}  // namespace stowage::samples
