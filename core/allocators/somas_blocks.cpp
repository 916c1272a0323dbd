#include "core/allocators/somas_blocks.h"

#include <algorithm>
#include <string_view>

namespace stowage {

SomasBlocks::SomasBlocks(const Problem& problem, const std::vector<Unit>& units,
                         const std::vector<std::vector<Overlap>>& overlaps, std::uint16_t space)
    : problem_(problem) {
  for (const Unit& unit : units) {
    if (problem[unit.leader].space != space || !unit.takes_memory()) continue;
    if (unit.members.size() == 1 && problem.kind(unit.leader) == "lifelong-all") {
      lifelong_.push_back(&unit);
    } else {
      add(unit);
    }
  }
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> tensor_of(problem.size(), kNone);
  for (std::uint32_t t = 0; t < tensors_.size(); ++t) {
    for (const BufferIndex i : tensors_[t].buffers) tensor_of[i] = t;
  }
  conflicts_.resize(tensors_.size());
  for (std::uint32_t t = 0; t < tensors_.size(); ++t) {
    std::vector<std::uint32_t>& found = conflicts_[t];
    for (const BufferIndex i : tensors_[t].buffers) {
      for (const Overlap& overlap : overlaps[i]) {
        if (tensor_of[overlap.other] != kNone) found.push_back(tensor_of[overlap.other]);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
}

bool SomasBlocks::conflict(std::uint32_t a, std::uint32_t b) const {
  return std::binary_search(conflicts_[a].begin(), conflicts_[a].end(), b) || kept_apart(tensors_[a], tensors_[b]);
}

/// Members of a unit that share bytes are one tensor; those that only touch follow each other in a list.
void SomasBlocks::add(const Unit& unit) {
  std::vector<Body::Member> members;
  for (const Body::Member& member : unit.members) {
    if (problem_[member.buffer].takes_memory()) members.push_back(member);
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Body::Member& a, const Body::Member& b) { return a.relative < b.relative; });
  SomasBlock block;
  block.unit = &unit;
  for (const Body::Member& member : members) {
    const BufferIndex i = member.buffer;
    const std::int64_t end = member.relative + problem_[i].size;
    if (block.tensors.empty() || member.relative >= tensors_.back().at + tensors_.back().size) {
      block.tensors.push_back(static_cast<std::uint32_t>(tensors_.size()));
      SomasTensor tensor;
      tensor.at = member.relative;
      tensor.block = static_cast<std::uint32_t>(blocks_.size());
      tensor.id = i;
      tensors_.push_back(std::move(tensor));
    }
    SomasTensor& tensor = tensors_.back();
    tensor.buffers.push_back(i);
    tensor.size = std::max(tensor.size, end - tensor.at);
    tensor.id = std::min(tensor.id, i);
    const std::string_view kind = problem_.kind(i);
    tensor.keeps_all |= kind == "lifelong-all";
    tensor.keeps_start |= kind == "lifelong-start";
    tensor.keeps_end |= kind == "lifelong-end";
    any_kept_ |= tensor.keeps_all || tensor.keeps_start || tensor.keeps_end;
    block.output |= kind == "output";
    const std::int32_t peak = problem_.sections().peak_of_space(problem_[i].space);
    const SectionRange range = problem_.sections().range(i);
    block.at_peak |= range.first <= peak && peak < range.last;
  }
  blocks_.push_back(std::move(block));
}

bool SomasBlocks::kept_apart(const SomasTensor& a, const SomasTensor& b) const {
  if (a.block == b.block) return false;
  if (a.keeps_all || b.keeps_all) return true;
  const SomasTensor& lower = a.id < b.id ? a : b;
  const SomasTensor& higher = a.id < b.id ? b : a;
  return higher.keeps_start || lower.keeps_end;
}

}  // namespace stowage
