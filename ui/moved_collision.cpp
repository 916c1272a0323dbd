#include "ui/moved_collision.h"

#include <chrono>

#include <fmt/format.h>

#include "core/document/snap.h"
#include "ui/neighbours.h"

namespace stowage {

std::vector<bool> buffers_in(const Places& places, std::size_t buffers) {
  std::vector<bool> marks(buffers, false);
  for (const auto& place : places) {
    if (place.first < buffers) marks[place.first] = true;
  }
  return marks;
}

void look_for_collision(const Workbench::State& state, const Places& places, const std::vector<bool>& along,
                        double seconds, MovedCollision& search) {
  const auto begun = std::chrono::steady_clock::now();
  const Problem& problem = state.problem();
  const std::vector<std::int64_t>& offsets = state.offsets();
  while (!search.found() && search.next < places.size()) {
    const auto& [buffer, offset] = places[search.next++];
    if (buffer < problem.size() && buffer < offsets.size() && offset != kNoOffset) {
      std::vector<BufferIndex> others = lying_there(problem, state.analysis, offsets, buffer, offset);
      std::erase_if(others, [&](BufferIndex other) { return other < along.size() && along[other]; });
      search.with = collisions_at(problem, offsets, buffer, offset, others);
      if (!search.with.empty()) {
        search.moved = buffer;
        search.at = offset;
      }
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() > seconds) return;
  }
}

std::string collision_words(const Problem& problem, const MovedCollision& collision) {
  const auto name = [&](BufferIndex i) {
    return printable_utf8(problem.id(i));
  };
  const std::vector<BufferIndex>& with = collision.with;
  std::string words = name(collision.moved) + " collides with " + name(with[0]);
  if (with.size() == 2) words += " and " + name(with[1]);
  if (with.size() > 2) words += fmt::format(", {} and {} more", name(with[1]), with.size() - 2);
  return words;
}

}  // namespace stowage
