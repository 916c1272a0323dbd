#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

/// Offsets of the GPU delegate: sizes falling (stable), then the smallest gap that is large enough, the lowest of equal
/// ones, else behind everything. That is best fit by size, ties included; the peer knows neither gaps nor per-buffer
/// alignments (its one alignment is what every buffer has here).
Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  const auto order = make_order(problem, "size");
  if (!order) return tl::unexpected(order.error());
  return place_in_order(problem, *order, FitRule::kBest, context);
}

}  // namespace

std::vector<Allocator> tflite_greedy_by_size_allocators() {
  Allocator allocator;
  allocator.id = "tflite-greedy-by-size";
  allocator.title = "TFLite greedy by size";
  allocator.summary = "Offsets of TensorFlow Lite's GPU delegate: largest first, each into the tightest gap.";
  allocator.source =
      "google-ai-edge/LiteRT tflite/delegates/gpu/common/memory_management; Pisarchyk and Lee, arXiv 2001.03288";
  allocator.can.gaps = false;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
