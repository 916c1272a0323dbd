#include <algorithm>
#include <vector>

#include "core/allocators/busy_times.h"
#include "core/allocators/registry.h"
#include "core/allocators/shared_objects.h"
#include "core/model/lifetime.h"

namespace stowage {
namespace {

/// A stack slot with the times at which it is needed; outside, gaps included, others may have its memory.
struct Slot {
  BufferIndex buffer = kNoBuffer;
  std::vector<Piece> pieces;
  bool merged = false;
};

std::vector<Slot> slots_of(const Problem& problem, std::span<const BufferIndex> rows) {
  std::vector<Slot> slots;
  for (const BufferIndex i : rows) slots.push_back(Slot{i, pieces_of(problem[i], problem.gaps(i)), false});
  std::stable_sort(slots.begin(), slots.end(),
                   [&](const Slot& a, const Slot& b) { return problem[a.buffer].size > problem[b.buffer].size; });
  return slots;
}

bool are_disjoint(const BusyTimes& busy, const std::vector<Piece>& pieces) {
  return std::all_of(pieces.begin(), pieces.end(),
                     [&](const Piece& piece) { return busy.is_free(piece.start, piece.end); });
}

void add(BusyTimes& busy, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) busy.add(piece.start, piece.end);
}

/// Each slot, the largest first, takes in every later one whose lifetime is disjoint from all it has. (Neither begins
/// while the other is live: for single stretches of time that is the same.) The origin repeats this until nothing
/// changes; since a slot only gets busier, nothing does after the first time.
void merge_slots(const Problem& problem, std::span<const BufferIndex> rows, SharedObjects& objects) {
  objects.tell_what_is_passed_over();
  std::vector<Slot> slots = slots_of(problem, rows);
  for (std::size_t first = 0; first < slots.size(); ++first) {
    if (slots[first].merged) continue;
    if (objects.should_stop()) return;
    const std::uint32_t object = objects.open(slots[first].buffer, "the largest slot that is left");
    BusyTimes busy;
    add(busy, slots[first].pieces);
    for (std::size_t second = first + 1; second < slots.size(); ++second) {
      Slot& slot = slots[second];
      if (slot.merged || !are_disjoint(busy, slot.pieces)) continue;
      if (objects.should_stop()) return;
      slot.merged = true;
      add(busy, slot.pieces);
      objects.put(slot.buffer, object,
                  objects.records() ? reuse_reason(objects, object, problem[slot.buffer].size) : std::string());
    }
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  return plan_objects(problem, context, merge_slots);
}

}  // namespace

std::vector<Allocator> llvm_stack_coloring_allocators() {
  Allocator allocator;
  allocator.id = "llvm-stack-coloring";
  allocator.title = "LLVM stack coloring";
  allocator.summary = "Merges stack slots that are never live together into the larger one; a space is a stack.";
  allocator.source = "llvm/llvm-project llvm/lib/CodeGen/StackColoring.cpp";
  allocator.can = object_planner_capabilities();
  allocator.can.gaps = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
