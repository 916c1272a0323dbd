#include "ui/renumbering.h"

#include <utility>
#include <variant>

namespace stowage {
namespace {

/// False when nothing is left of the edit.
struct Renumbering {
  const std::vector<BufferIndex>& becomes;

  BufferIndex now(BufferIndex before) const { return before < becomes.size() ? becomes[before] : kNoBuffer; }

  bool operator()(edit::Capacity&) const { return true; }
  bool operator()(edit::Add& add) const {
    add.like = now(add.like);
    return true;
  }
  bool operator()(edit::Remove& remove) const {
    for (BufferIndex& buffer : remove.buffers) buffer = now(buffer);
    std::erase(remove.buffers, kNoBuffer);
    return !remove.buffers.empty();
  }
  template <typename OfOne>
  bool operator()(OfOne& change) const {
    change.buffer = now(change.buffer);
    return change.buffer != kNoBuffer;
  }
};

}  // namespace

bool renumber(std::vector<Edit>& edits, const std::vector<BufferIndex>& becomes) {
  std::vector<Edit> kept;
  for (Edit& one : edits) {
    if (std::visit(Renumbering{becomes}, one)) kept.push_back(std::move(one));
  }
  edits = std::move(kept);
  return !edits.empty();
}

}  // namespace stowage
