#include "core/chart/played_graph.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace stowage {

bool decides_memory(const Staged& before, const Staged& after) {
  return after.storages != before.storages || after.in_place != before.in_place;
}

std::vector<std::uint32_t> played_colours(const Staged& before, const Staged& after, GraphColour by) {
  const bool same_ops = after.graph.ops().size() == before.graph.ops().size();
  return graph_colours(same_ops ? after : before, by);
}

bool gives_tags(std::span<const Step> steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step& step) { return std::holds_alternative<step::TakeTag>(step.fact); });
}

GraphMoment moment_of_tags(const Staged& before, std::span<const Step> steps, std::size_t position) {
  const std::vector<std::size_t> at = before.schedule.steps();
  std::size_t done = 0;
  std::vector<std::int32_t> free_tags;
  std::vector<std::pair<TensorIndex, std::int32_t>> taken;
  for (const Step& step : steps.first(position)) {
    if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) {
      const auto tag = static_cast<std::int32_t>(take->tag);
      std::erase(free_tags, tag);
      taken.emplace_back(take->buffer, tag);
      const OpIndex maker = before.graph.producer(take->buffer);
      if (maker != kNoOp) done = std::max(done, at[maker] + 1);
    } else if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) {
      free_tags.push_back(static_cast<std::int32_t>(back->tag));
    }
  }
  GraphMoment moment = moment_after(before, done);
  for (const auto& [tensor, tag] : taken) moment.tags[tensor] = tag;
  moment.free_tags = std::move(free_tags);
  return moment;
}

}  // namespace stowage
