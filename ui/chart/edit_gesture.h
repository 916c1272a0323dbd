#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/chart/canvas.h"
#include "ui/moved_collision.h"

namespace stowage {

/// What a press in edit mode takes hold of: edges of a selected rectangle change its lifetime or its size, its body its
/// offset; a new rectangle is drawn.
enum class Grip { kNone, kStart, kEnd, kTop, kBody, kNew };

/// A drag that edits, from the press to the release, and what the next press would take hold of.
struct EditDrag {
  struct Member {
    BufferIndex buffer = kNoBuffer;
    Buffer before;
    std::int64_t offset = kNoOffset;  // as it was drawn before
  };
  /// What the hand asks for: of the grabbed buffer; the others go along by the same difference.
  struct Wish {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    bool operator==(const Wish&) const = default;
  };

  Grip under = Grip::kNone;
  BufferIndex under_buffer = kNoBuffer;

  Grip grip = Grip::kNone;
  std::vector<Member> members;         // the grabbed one first; empty while something new is drawn
  std::vector<bool> moving;            // by buffer: is it one of the members?
  std::vector<BufferIndex> conflicts;  // of the grabbed one, where its body is dragged
  std::string name;                    // of the new buffer
  std::size_t count = 0;               // buffers of the problem before
  double time = 0;                     // where the press was
  double byte = 0;
  bool live = true;     // every frame is applied; else they are drawn over the scene until the release
  bool pinned = false;  // the fixed offset itself is dragged
  std::optional<Wish> wish;
  std::optional<std::int64_t> time_guide;  // the edge of a neighbour on which it rests
  std::optional<std::int64_t> byte_guide;
  Places places;                    // of the members, as things stand
  std::uint64_t plan_revision = 0;  // of those
  MovedCollision collision;         // the first of them that collides there

  bool moves(BufferIndex buffer) const;
};

/// Looks what is under the pointer and gives it a shape; kEdit when a press there would edit.
GestureKind edit_gesture(Workbench::State& state, const Canvas& canvas, BufferIndex hit);
/// A frame of an editing drag: `event` of its gesture.
void drive_edit(Workbench::State& state, Gesture::Event event);
/// Outline, guides and words over the scene, and the dragged buffers themselves where the plan does not follow yet.
void draw_edit(Workbench::State& state, const Canvas& canvas);
/// A plan of the problem before the last change is dimmed until the next one is there.
void draw_stale(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
