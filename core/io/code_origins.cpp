#include "core/io/code_origins.h"

#include <utility>

#include <fmt/format.h>

namespace stowage {

using Value = ValueTree::Value;

/// The innermost frame of the user's program, else the innermost that has a file: its place among the frames.
std::optional<std::size_t> CodeOrigins::best_of(std::span<const Value> frames) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string_view file = tree_.to_text(tree_.find(frames[i], filename_));
    if (file.empty() || file == "??") continue;
    if (file.ends_with(".py")) return i;
    if (!best) best = i;
  }
  return best;
}

std::span<const Value> CodeOrigins::without_other_frames(std::span<const Value> items) const {
  if (items.empty() || tree_.find(items.front(), filename_).kind() != ValueTree::Kind::kText) return items;
  const auto best = best_of(items);
  return best ? items.subspan(*best, 1) : items.first(1);
}

std::uint32_t CodeOrigins::of(Value frames) {
  if (frames.kind() != ValueTree::Kind::kList) return 0;
  Known& known = known_[(frames.bits >> 4U) % known_.size()];
  if (known.frames != frames) known = {frames, find(frames)};
  return known.number;
}

std::uint32_t CodeOrigins::find(Value frames) {
  std::vector<Value> list;
  tree_.for_each(frames, [&](Value frame) {
    list.push_back(frame);
    return true;
  });
  const auto best = best_of(list);
  if (!best) return 0;
  Origin origin;
  origin.op = tree_.to_text(tree_.find(list[*best], name_));
  origin.source = fmt::format("{}:{}", tree_.to_text(tree_.find(list[*best], filename_)),
                              tree_.quoted_int64(tree_.find(list[*best], line_)).value_or(0));
  const auto number = static_cast<std::uint32_t>(origins_.size() + 1);
  const auto [found, added] = numbers_.emplace(fmt::format("{}\n{}", origin.source, origin.op), number);
  if (added) origins_.push_back(std::move(origin));
  return found->second;
}

}  // namespace stowage
