#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/boxes_layout.h"
#include "core/chart/scene.h"
#include "core/tasks/background.h"
#include "ui/free_view.h"
#include "ui/workbench.h"

namespace stowage {

struct Recording;

/// The nested boxes at the replay's step.
struct BoxesReplay : FreeView {
  /// Up to so many buffers the layout follows each step at once; beyond, in the background while its panel is shown.
  static constexpr std::size_t kAtOnce = 20'000;

  std::shared_ptr<const BoxesLayout> layout;  // null: none yet, or no boxes
  std::size_t position = 0;                   // its step
  std::uint64_t revision = 0;                 // grows with each layout
  Background<std::shared_ptr<const BoxesLayout>> work;
  std::size_t work_position = 0;
  bool wanted = false;  // the panel was drawn in this frame

  Scene scene;
  std::string scene_key;
  std::uint64_t built = 0;  // how often the scene was made; tests count it

  // A job on its way into its box.
  static constexpr double kFlight = 0.3;  // seconds
  BufferIndex flying = kNoBuffer;
  double flying_since = 0;

  void forget();
  /// Critical points of what is being boxed; times.
  std::vector<std::int64_t> points() const;
};

/// Brings the layout to the replay's step, or starts doing so.
void follow_boxes(Workbench::State& state);
/// Something is on its way into a box.
bool boxes_moving(const Workbench::State& state);

/// The layout after `position` steps; buffers that unboxing has taken out are shown as waiting.
std::shared_ptr<const BoxesLayout> boxes_at(Recording& recording, std::size_t position);
/// "in box 3 (level 0), in box 17 (level 1)", from the inside; empty when it is in none.
std::string path_words(const BoxesLayout& layout, BufferIndex buffer);

}  // namespace stowage
