#include "ui/chart/edit_gesture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/document/snap.h"
#include "ui/board.h"
#include "ui/chart/spaces.h"
#include "ui/easing.h"
#include "ui/hand_moves.h"
#include "ui/neighbours.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kEdge = 5;         // logical pixels about an edge that take hold of it
constexpr float kReach = 6;        // within which it snaps
constexpr float kTallEnough = 26;  // below, a rectangle has no edge for its size
constexpr std::size_t kMostEdges = 20'000;

/// A rectangle of the scene as it is drawn.
Rect drawn_rect(const State& state, BufferIndex i) {
  const Viewport view = chart_view(state);
  const Buffer& b = state.problem()[i];
  const std::int64_t offset = state.drawn_offsets()[i];
  return Rect{view.x_of_step(b.start), view.y_of_address(offset + b.size), view.x_of_step(b.end),
              view.y_of_address(offset)};
}

/// Which part of a selected rectangle a point takes hold of.
Grip grip_of(const Rect& rect, Point at) {
  if (at.y < rect.top - kEdge || at.y > rect.bottom + kEdge) return Grip::kNone;
  const float inner = std::min(kEdge, rect.width() / 4);  // a narrow one can still be taken in its middle
  const bool level = at.y >= rect.top && at.y <= rect.bottom;
  if (level || rect.height() < 2 * kEdge) {
    if (at.x >= rect.left - kEdge && at.x <= rect.left + inner) return Grip::kStart;
    if (at.x >= rect.right - inner && at.x <= rect.right + kEdge) return Grip::kEnd;
  }
  if (at.x < rect.left || at.x > rect.right) return Grip::kNone;
  if (rect.height() >= kTallEnough && std::abs(at.y - rect.top) <= kEdge) return Grip::kTop;
  return level ? Grip::kBody : Grip::kNone;
}

struct Under {
  Grip grip = Grip::kNone;
  BufferIndex buffer = kNoBuffer;
};

Under grip_at(const State& state, Point at, BufferIndex hit) {
  const std::vector<std::int64_t>& offsets = state.drawn_offsets();
  for (auto k = state.selection.rbegin(); k != state.selection.rend(); ++k) {
    const BufferIndex i = *k;
    if (i >= offsets.size() || offsets[i] == kNoOffset) continue;
    const Grip grip = grip_of(drawn_rect(state, i), at);
    // A body counts only where nothing else lies over it.
    if (grip != Grip::kNone && (grip != Grip::kBody || hit == i)) return {grip, i};
  }
  return {};
}

double reach_in_time(const State& state) {
  return ImGui::GetIO().KeyAlt ? 0 : static_cast<double>(kReach) / chart_view(state).pixels_per_time();
}
double reach_in_bytes(const State& state) {
  return ImGui::GetIO().KeyAlt ? 0 : static_cast<double>(kReach) / chart_view(state).pixels_per_byte();
}

/// Starts and ends of others near a time.
std::vector<std::int64_t> time_edges(const State& state, const EditDrag& drag, double time, double reach) {
  std::vector<std::int64_t> edges;
  if (!(reach > 0)) return edges;
  state.index()->visit_entries(time - reach, time + reach, [&](const ChartEntry& entry) {
    if (edges.size() >= kMostEdges || entry.buffer >= drag.count || drag.moves(entry.buffer)) return;
    edges.push_back(entry.start);
    edges.push_back(entry.end);
  });
  return edges;
}

/// Lower and upper ends, between two addresses, of those that the grabbed buffer lies beside.
std::vector<std::int64_t> byte_edges(const State& state, const EditDrag& drag, double low, double high) {
  std::vector<std::int64_t> edges;
  const std::vector<std::int64_t>& offsets = state.offsets();
  const auto add = [&](std::int64_t edge) {
    const auto at = static_cast<double>(edge);
    if (at >= low && at <= high && edges.size() < kMostEdges) edges.push_back(edge);
  };
  for (const BufferIndex i : drag.conflicts) {
    if (i >= offsets.size() || offsets[i] == kNoOffset || drag.moves(i)) continue;
    add(offsets[i]);
    add(offsets[i] + state.problem()[i].size);
  }
  return edges;
}

/// Ends of everything that is live in a stretch of time, for a new rectangle.
std::vector<std::int64_t> byte_edges_between(const State& state, const EditDrag& drag, double low, double high) {
  std::vector<std::int64_t> edges;
  const std::vector<std::int64_t>& offsets = state.drawn_offsets();
  state.index()->visit_entries(low, high, [&](const ChartEntry& entry) {
    if (entry.buffer >= std::min(offsets.size(), drag.count) || offsets[entry.buffer] == kNoOffset ||
        edges.size() >= kMostEdges)
      return;
    edges.push_back(offsets[entry.buffer]);
    edges.push_back(offsets[entry.buffer] + entry.size);
  });
  return edges;
}

void add_member(const State& state, EditDrag& drag, BufferIndex i) {
  const std::vector<std::int64_t>& offsets = state.offsets();
  if (i >= offsets.size() || i >= drag.moving.size() || drag.moving[i]) return;
  drag.moving[i] = true;
  drag.members.push_back(EditDrag::Member{i, state.problem()[i], offsets[i]});
}

void begin(State& state, EditDrag& drag, Grip grip, BufferIndex buffer) {
  EditDrag fresh;
  fresh.grip = grip;
  fresh.count = state.problem().size();
  fresh.moving.assign(fresh.count, false);
  fresh.time = chart_view(state).time_at(state.gesture.start().x);
  fresh.byte = chart_view(state).byte_at(state.gesture.start().y);
  if (grip == Grip::kNew) {
    fresh.name = new_name(state.problem());
  } else {
    fresh.pinned = grip == Grip::kBody && state.problem()[buffer].is_fixed();
    fresh.live = grip != Grip::kBody || fresh.pinned || state.problem().size() <= Editing::kAtOnce;
    add_member(state, fresh, buffer);
    for (const BufferIndex i : grip == Grip::kBody ? moved_along(state, buffer) : state.selection) {
      add_member(state, fresh, i);
    }
    if (grip == Grip::kBody) fresh.conflicts = conflicts_near(state.problem(), state.analysis, buffer);
  }
  drag = std::move(fresh);
  state.later([](State& s) { begin_edit_drag(s); });
}

EditDrag::Wish wish_of_lifetime(const State& state, EditDrag& drag) {
  const EditDrag::Member& grabbed = drag.members.front();
  EditDrag::Wish wish{grabbed.before.start, grabbed.before.end, grabbed.offset, grabbed.before.size};
  const double moved = chart_view(state).time_at(state.gesture.now().x) - drag.time;
  const bool start = drag.grip == Grip::kStart;
  const double to = static_cast<double>(start ? wish.start : wish.end) + moved;
  const double reach = reach_in_time(state);
  const Snapped snapped = snap_time(to, reach, time_edges(state, drag, to, reach));
  drag.time_guide = snapped.edge;
  if (start) {
    wish.start = std::min(snapped.at, std::max(wish.start, wish.end - 1));
  } else {
    wish.end = std::max(snapped.at, std::min(wish.end, wish.start + 1));
  }
  return wish;
}

EditDrag::Wish wish_of_size(const State& state, EditDrag& drag) {
  const EditDrag::Member& grabbed = drag.members.front();
  EditDrag::Wish wish{grabbed.before.start, grabbed.before.end, grabbed.offset, grabbed.before.size};
  const double moved = chart_view(state).byte_at(state.gesture.now().y) - drag.byte;
  const double size = static_cast<double>(wish.size) + moved;
  wish.size = snap_size(size, reach_in_bytes(state));
  return wish;
}

EditDrag::Wish wish_of_body(const State& state, EditDrag& drag) {
  const EditDrag::Member& grabbed = drag.members.front();
  EditDrag::Wish wish{grabbed.before.start, grabbed.before.end, grabbed.offset, grabbed.before.size};
  const double moved = chart_view(state).byte_at(state.gesture.now().y) - drag.byte;
  const Grid grid = state.problem().grid(grabbed.buffer);
  const double to = static_cast<double>(wish.offset) + moved;
  const double reach = reach_in_bytes(state);
  const double room = reach + static_cast<double>(grid.step);  // an edge off the grid draws to the next place on it
  const auto edges = byte_edges(state, drag, to - room, to + static_cast<double>(wish.size) + room);
  const Snapped snapped = snap_offset(to, wish.size, grid, reach, edges);
  drag.byte_guide = snapped.edge;
  wish.offset = snapped.at;
  return wish;
}

EditDrag::Wish wish_of_new(const State& state, EditDrag& drag) {
  const double time = chart_view(state).time_at(state.gesture.now().x);
  const double byte = chart_view(state).byte_at(state.gesture.now().y);
  const double reach = reach_in_time(state);
  const Snapped first = snap_time(drag.time, reach, time_edges(state, drag, drag.time, reach));
  const Snapped second = snap_time(time, reach, time_edges(state, drag, time, reach));
  EditDrag::Wish wish;
  wish.start = std::min(first.at, second.at);
  wish.end = std::max(first.at, second.at);
  if (wish.start == wish.end) {
    wish.start = static_cast<std::int64_t>(std::floor(std::min(time, drag.time)));
    wish.end = wish.start + 1;
  }
  drag.time_guide = second.edge;
  const double room = reach_in_bytes(state);
  wish.size = snap_size(std::abs(byte - drag.byte), room);
  const auto edges = byte_edges_between(state, drag, static_cast<double>(wish.start), static_cast<double>(wish.end));
  wish.offset = snap_offset(std::min(byte, drag.byte), wish.size, Grid{}, room, edges).at;
  return wish;
}

std::string label_of(const State& state, const EditDrag& drag) {
  if (drag.grip == Grip::kNew) return "Drew " + drag.name;
  const char* what = drag.grip == Grip::kTop ? "Size" : drag.grip == Grip::kBody ? "Fixed offset" : "Lifetime";
  if (drag.members.size() > 1) return fmt::format("{} of {} buffers", what, drag.members.size());
  return fmt::format("{} of {}", what, printable_utf8(state.problem().id(drag.members.front().buffer)));
}

/// What becomes of a value when another one goes from `from` to `to`.
std::int64_t shifted(std::int64_t value, std::int64_t from, std::int64_t to) {
  const Int128 sum = Int128{value} + to - from;
  return static_cast<std::int64_t>(std::clamp(sum, Int128{kMinInt64} + 1, Int128{kMaxInt64}));
}

/// The wish as edits of the problem before the drag; the grabbed buffer exactly, the others by the same difference.
std::vector<Edit> edits_of(const State& state, const EditDrag& drag) {
  const EditDrag::Wish& wish = *drag.wish;
  if (drag.grip == Grip::kNew) {
    edit::Add add;
    add.name = drag.name;
    add.buffer.start = wish.start;
    add.buffer.end = wish.end;
    add.buffer.size = wish.size;
    add.buffer.space = state.space;
    return {std::move(add)};
  }
  std::vector<Edit> edits;
  const EditDrag::Member& grabbed = drag.members.front();
  for (const EditDrag::Member& member : drag.members) {
    const Buffer& b = member.before;
    const bool itself = member.buffer == grabbed.buffer;
    switch (drag.grip) {
      case Grip::kStart: {
        const std::int64_t start = shifted(b.start, grabbed.before.start, wish.start);
        edits.emplace_back(edit::Lifetime{member.buffer, itself ? wish.start : std::min(start, b.end - 1), b.end});
        break;
      }
      case Grip::kEnd: {
        const std::int64_t end = shifted(b.end, grabbed.before.end, wish.end);
        edits.emplace_back(edit::Lifetime{member.buffer, b.start, itself ? wish.end : std::max(end, b.start + 1)});
        break;
      }
      case Grip::kTop:
        edits.emplace_back(
            edit::Size{member.buffer, std::max<std::int64_t>(1, shifted(b.size, grabbed.before.size, wish.size))});
        break;
      default:
        edits.emplace_back(
            edit::Pin{member.buffer, std::max<std::int64_t>(0, shifted(b.fixed, grabbed.offset, wish.offset))});
    }
  }
  return edits;
}

Places places_of(const EditDrag& drag) {
  Places places;
  const std::int64_t from = drag.members.front().offset;
  for (const EditDrag::Member& member : drag.members) {
    if (member.offset == kNoOffset) continue;
    places.emplace_back(member.buffer, std::max<std::int64_t>(0, shifted(member.offset, from, drag.wish->offset)));
  }
  return places;
}

/// Asks for what the hand wishes. `last`: the button is up.
void ask(State& state, const EditDrag& drag, bool last) {
  if (drag.grip == Grip::kBody && !drag.pinned) {
    if (drag.live || last) state.push(action::PlaceByHand{places_of(drag), drag.live});
    return;
  }
  state.push(action::EditProblem{EditRequest{label_of(state, drag), edits_of(state, drag), true}});
  // A plan by hand or of the file is not made again: who is new in it, or fixed elsewhere, is put there as well.
  const bool remade = state.shown_plan.empty() || find_allocator(state.shown_plan) != nullptr;
  if (remade || state.problem().size() > Editing::kAtOnce) return;
  if (drag.grip == Grip::kBody) state.push(action::PlaceByHand{places_of(drag), true});
  if (drag.grip != Grip::kNew) return;
  state.later([offset = drag.wish->offset, name = drag.name](State& s) {
    if (!s.has_problem()) return;
    const auto last_one = static_cast<BufferIndex>(s.problem().size() - 1);
    if (s.problem().id(last_one) == name) place_by_hand(s, {{last_one, offset}}, true);
  });
}

/// Where the dragged buffers lie now; the problem is the one after the last change. First the grabbed one, then the one
/// that collided last: so its words do not flicker where there is no time for all.
Places places_now(const State& state, const EditDrag& drag) {
  Places places;
  if (drag.grip == Grip::kBody) {
    places = places_of(drag);
  } else {
    for (const EditDrag::Member& member : drag.members) {
      if (member.buffer < state.offsets().size()) places.emplace_back(member.buffer, state.offsets()[member.buffer]);
    }
  }
  const auto last = std::find_if(places.begin(), places.end(),
                                 [&](const auto& place) { return place.first == drag.collision.moved; });
  if (last != places.end() && last - places.begin() > 1) std::iter_swap(places.begin() + 1, last);
  return places;
}

/// Goes on to look for a collision where a frame before had no time left, from the beginning where something changed.
void follow_collision(State& state, EditDrag& drag, bool changed) {
  const bool anew = changed || drag.plan_revision != state.plan_revision;
  if (anew) {
    drag.plan_revision = state.plan_revision;
    drag.places = places_now(state, drag);
    drag.collision = MovedCollision{};
  }
  if (drag.collision.found() || drag.collision.next >= drag.places.size()) return;
  const std::vector<bool> nobody;
  look_for_collision(state, drag.places, drag.grip == Grip::kBody ? drag.moving : nobody, kCollisionSeconds,
                     drag.collision);
  const bool goes_on = !drag.collision.found() && drag.collision.next < drag.places.size();
  if (goes_on) state.settle_frames = std::max(state.settle_frames, 3);  // also while the hand rests
}

void follow_hand(State& state, EditDrag& drag) {
  // Buffers came or went in between, so that its members are called otherwise.
  if (drag.grip != Grip::kNew && state.problem().size() != drag.count) return state.gesture.cancel();
  drag.time_guide.reset();
  drag.byte_guide.reset();
  const EditDrag::Wish wish = drag.grip == Grip::kBody  ? wish_of_body(state, drag)
                              : drag.grip == Grip::kTop ? wish_of_size(state, drag)
                              : drag.grip == Grip::kNew ? wish_of_new(state, drag)
                                                        : wish_of_lifetime(state, drag);
  const bool changed = drag.wish != wish;
  if (changed) {
    const bool unmoved = !drag.wish && !drag.members.empty() && wish.start == drag.members.front().before.start &&
                         wish.end == drag.members.front().before.end && wish.offset == drag.members.front().offset &&
                         wish.size == drag.members.front().before.size;
    drag.wish = wish;
    if (!unmoved) ask(state, drag, false);
  }
  follow_collision(state, drag, changed);
}

ImGuiMouseCursor shape_of(Grip grip) {
  switch (grip) {
    case Grip::kStart:
    case Grip::kEnd:
      return ImGuiMouseCursor_ResizeEW;
    case Grip::kTop:
      return ImGuiMouseCursor_ResizeNS;
    case Grip::kBody:
      return ImGuiMouseCursor_ResizeAll;
    default:
      return ImGuiMouseCursor_Arrow;
  }
}

}  // namespace

bool EditDrag::moves(BufferIndex buffer) const {
  return buffer < moving.size() && moving[buffer];
}

GestureKind edit_gesture(State& state, const Canvas& canvas, BufferIndex hit) {
  EditDrag& drag = state.part<EditDrag>();
  if (state.gesture.pressed()) {
    if (drag.grip != Grip::kNone || drag.under != Grip::kNone) ImGui::SetMouseCursor(shape_of(drag.under));
    return drag.under != Grip::kNone ? GestureKind::kEdit : GestureKind::kNone;
  }
  drag.under = Grip::kNone;
  const ImGuiIO& io = ImGui::GetIO();
  const Rect& area = state.camera.area;  // an edge at its border can be taken from outside as well
  const Rect around{area.left - kEdge, area.top - kEdge, area.right + kEdge, area.bottom + kEdge};
  const bool inside = canvas.hovered && around.contains(canvas.mouse);
  if (!state.editing.mode || !inside || !shows_plan_itself(state) || io.KeyShift) return GestureKind::kNone;
  const Under under = grip_at(state, canvas.mouse, hit);
  drag.under = io.KeyCtrl || !state.has_problem() ? Grip::kNew : under.grip;
  drag.under_buffer = under.buffer;
  if (drag.under == Grip::kNone) return GestureKind::kNone;
  ImGui::SetMouseCursor(shape_of(drag.under));
  return GestureKind::kEdit;
}

void drive_edit(State& state, Gesture::Event event) {
  EditDrag& drag = state.part<EditDrag>();
  switch (event) {
    case Gesture::Event::kStarted:
      begin(state, drag, drag.under, drag.under_buffer);
      follow_hand(state, drag);
      break;
    case Gesture::Event::kFinished:
      if (drag.grip != Grip::kNone && drag.wish && !drag.live) ask(state, drag, true);
      drag = EditDrag{};
      break;
    default:
      // Also without a movement: a key that is held changes how it snaps.
      if (state.gesture.kind() == GestureKind::kEdit && drag.grip != Grip::kNone) follow_hand(state, drag);
  }
}

}  // namespace stowage
