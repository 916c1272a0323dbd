#include "core/allocators/pool_tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr std::uint32_t kNoPart = 0xFFFFFFFFU;
constexpr std::uint32_t kSeveralParts = 0xFFFFFFFEU;

}  // namespace

PoolTree::NodeIndex PoolTree::add(Kind kind, std::int64_t size) {
  Node node;
  node.kind = kind;
  node.size = size;
  nodes_.push_back(std::move(node));
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

PoolTree::NodeIndex PoolTree::add_block(BufferIndex i, const Buffer& buffer) {
  const NodeIndex block = add(Kind::kBlock, buffer.size);
  nodes_[block].buffer = i;
  return block;
}

void PoolTree::append(NodeIndex parent, NodeIndex part) {
  nodes_[part].parent = parent;
  nodes_[part].part_of_parent = static_cast<std::uint32_t>(nodes_[parent].parts.size());
  nodes_[parent].parts.push_back(part);
}

std::int64_t PoolTree::beside(NodeIndex left, NodeIndex right) const {
  return checked_add(align_up(nodes_[left].size, alignment_), nodes_[right].size).value_or(kMaxInt64);
}

/// A spatial split with the node on the left and `spare` unused bytes on the right. Nobody knows yet when the left
/// side is in use.
PoolTree::NodeIndex PoolTree::beside_empty(NodeIndex node, std::int64_t spare) {
  const NodeIndex left = add(Kind::kTemporal, nodes_[node].size);
  append(left, node);
  const NodeIndex right = add(Kind::kTemporal, spare);
  append(right, add(Kind::kEmpty, spare));
  const NodeIndex both = add(Kind::kSpatial, beside(left, right));
  append(both, left);
  append(both, right);
  return both;
}

void PoolTree::start_with(BufferIndex i, const Buffer& buffer) {
  root_ = add(Kind::kTemporal, buffer.size);
  append(root_, add_block(i, buffer));
  mark_in_use(root_, 0, buffer.start, buffer.end);
}

std::uint32_t PoolTree::part_in_use(NodeIndex temporal, const Buffer& buffer) const {
  const auto& in_use = nodes_[temporal].in_use;
  auto at = in_use.upper_bound(buffer.start);
  if (at != in_use.begin() && std::prev(at)->second.end > buffer.start) --at;
  std::uint32_t found = kNoPart;
  for (; at != in_use.end() && at->first < buffer.end; ++at) {
    if (found != kNoPart && found != at->second.part) return kSeveralParts;
    found = at->second.part;
  }
  return found;
}

/// First fit through the tree: left before right, and only the rightmost branch may grow. With a list of what is still
/// to be tried instead of recursion, since trees can be as deep as there are buffers.
std::string_view PoolTree::allocate(BufferIndex i, const Buffer& buffer, bool may_grow) {
  struct Branch {
    NodeIndex node = kNoNode;
    bool may_grow = false;
  };
  std::vector<Branch> untried = {Branch{root_, may_grow}};
  while (!untried.empty()) {
    const Branch branch = untried.back();
    untried.pop_back();
    const Node& node = nodes_[branch.node];
    if (node.kind == Kind::kSpatial) {
      untried.push_back(Branch{node.parts[1], branch.may_grow});
      untried.push_back(Branch{node.parts[0], false});
    }
    if (node.kind != Kind::kTemporal) continue;
    if (!branch.may_grow && buffer.size > node.size) continue;
    const std::uint32_t part = part_in_use(branch.node, buffer);
    if (part == kNoPart) return place_in(branch.node, i, buffer);
    if (part != kSeveralParts) untried.push_back(Branch{node.parts[part], branch.may_grow});
  }
  return {};
}

/// One more part, at a time when no other is in use.
std::string_view PoolTree::place_in(NodeIndex temporal, BufferIndex i, const Buffer& buffer) {
  const std::int64_t room = nodes_[temporal].size;
  std::vector<NodeIndex>& parts = nodes_[temporal].parts;
  if (parts.size() == 1 && nodes_[parts.front()].kind == Kind::kEmpty) parts.clear();
  NodeIndex part = add_block(i, buffer);
  std::string_view how = "fills a place of exactly its size";
  if (room > buffer.size) {
    part = beside_empty(part, room - buffer.size);
    const NodeIndex left = nodes_[part].parts.front();
    mark_in_use(left, 0, buffer.start, buffer.end);
    how = "takes a part of a place that is larger";
  } else if (room < buffer.size) {
    grow_beside(temporal, buffer.size - room);
    how = "makes the rightmost place of the last pool larger";
  }
  append(temporal, part);
  nodes_[temporal].size = std::max(nodes_[temporal].size, nodes_[part].size);
  const std::uint32_t last = nodes_[part].part_of_parent;
  mark_in_use(temporal, last, buffer.start, buffer.end);
  tell_parents(temporal, buffer.start, buffer.end);
  return how;
}

/// Gives each part so many more bytes, unused, beside it.
void PoolTree::grow_beside(NodeIndex temporal, std::int64_t more) {
  std::vector<NodeIndex> lefts;
  for (std::uint32_t k = 0; k < nodes_[temporal].parts.size(); ++k) {
    const NodeIndex wrapped = beside_empty(nodes_[temporal].parts[k], more);
    nodes_[wrapped].parent = temporal;
    nodes_[wrapped].part_of_parent = k;
    nodes_[temporal].parts[k] = wrapped;
    nodes_[temporal].size = std::max(nodes_[temporal].size, nodes_[wrapped].size);
    lefts.push_back(nodes_[wrapped].parts.front());
  }
  for (const auto& [start, stretch] : nodes_[temporal].in_use) {
    nodes_[lefts[stretch.part]].in_use.emplace(start, Stretch{stretch.end, 0});
  }
}

void PoolTree::allocate_on_top(BufferIndex i, const Buffer& buffer) {
  const NodeIndex top = add(Kind::kTemporal, buffer.size);
  append(top, add_block(i, buffer));
  mark_in_use(top, 0, buffer.start, buffer.end);
  const NodeIndex both = add(Kind::kSpatial, beside(root_, top));
  const NodeIndex root = add(Kind::kTemporal, nodes_[both].size);
  for (const auto& [start, stretch] : nodes_[root_].in_use) mark_in_use(root, 0, start, stretch.end);
  mark_in_use(root, 0, buffer.start, buffer.end);
  append(both, root_);
  append(both, top);
  append(root, both);
  root_ = root;
}

/// Nothing but the part itself is in use during [start, end); what it has there already grows together.
void PoolTree::mark_in_use(NodeIndex temporal, std::uint32_t part, std::int64_t start, std::int64_t end) {
  auto& in_use = nodes_[temporal].in_use;
  auto at = in_use.upper_bound(start);
  if (at != in_use.begin() && std::prev(at)->second.end > start) --at;
  while (at != in_use.end() && at->first < end) {
    start = std::min(start, at->first);
    end = std::max(end, at->second.end);
    at = in_use.erase(at);
  }
  in_use.emplace(start, Stretch{end, part});
}

/// Passes on that something below `from` is in use during [start, end), and how large `from` is now.
void PoolTree::tell_parents(NodeIndex from, std::int64_t start, std::int64_t end) {
  for (NodeIndex at = from; nodes_[at].parent != kNoNode; at = nodes_[at].parent) {
    Node& parent = nodes_[nodes_[at].parent];
    if (parent.kind == Kind::kSpatial) {
      parent.size = beside(parent.parts[0], parent.parts[1]);
    } else {
      parent.size = std::max(parent.size, nodes_[at].size);
      mark_in_use(nodes_[at].parent, nodes_[at].part_of_parent, start, end);
    }
  }
}

void PoolTree::write_offsets(std::vector<std::int64_t>& offsets) const {
  struct At {
    NodeIndex node = kNoNode;
    std::int64_t offset = 0;
  };
  std::vector<At> open = {At{root_, 0}};
  while (!open.empty()) {
    const At at = open.back();
    open.pop_back();
    const Node& node = nodes_[at.node];
    switch (node.kind) {
      case Kind::kBlock:
        offsets[node.buffer] = at.offset;
        break;
      case Kind::kEmpty:
        break;
      case Kind::kTemporal:
        for (const NodeIndex part : node.parts) open.push_back(At{part, at.offset});
        break;
      case Kind::kSpatial: {
        const std::int64_t above = align_up(nodes_[node.parts[0]].size, alignment_);
        open.push_back(At{node.parts[0], at.offset});
        open.push_back(At{node.parts[1], checked_add(at.offset, above).value_or(kMaxInt64)});
        break;
      }
    }
  }
}

}  // namespace stowage
