#include "ui/easing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/chart/edit_gesture.h"
#include "ui/editing.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// In larger problems the scene takes too long to be made in each frame.
constexpr std::size_t kMostEased = 20'000;

const std::vector<std::int64_t>& target_of(const State& state) {
  const PlanFacts* facts = state.shown_facts();
  const bool by_space = facts != nullptr && state.space < facts->offsets.size();
  return by_space ? facts->offsets[state.space] : state.offsets();
}

/// Offsets of the problem before by the buffers of the one after, matched by name; what is new has nowhere to come
/// from.
std::vector<std::int64_t> followed(const Problem& before, const std::vector<std::int64_t>& offsets,
                                   const Problem& after) {
  if (after.size() == before.size()) {
    std::size_t different = 0;
    for (BufferIndex i = 0; i < after.size(); ++i) different += before.id(i) != after.id(i);
    if (different <= 1) return offsets;  // the same buffers, perhaps one with another name
  }
  const std::vector<BufferIndex> becomes = same_names(before, after);
  std::vector<std::int64_t> found(after.size(), kNoOffset);
  for (std::size_t old = 0; old < offsets.size(); ++old) {
    if (becomes[old] != kNoBuffer) found[becomes[old]] = offsets[old];
  }
  return found;
}

/// The share of the way: fast first, slow at the end.
double eased(double share) {
  const double left = 1 - std::clamp(share, 0.0, 1.0);
  return 1 - left * left * left;
}

void stop(State& state, Easing& easing) {
  if (easing.drawn == nullptr) return;
  if (state.drawn_instead == easing.drawn) state.drawn_instead.reset();
  easing.drawn.reset();
  easing.from.clear();
  ++state.look_revision;
}

/// True when this change is one of an edit: of the problem, or of the same plan.
bool by_edit(const State& state, const Easing& easing) {
  if (easing.problem == nullptr || easing.space != state.space) return false;
  if (state.editing.history[0].id != easing.history) return false;
  return state.problem_revision != easing.problem_revision || state.shown_plan == easing.plan;
}

void begin(State& state, Easing& easing) {
  const std::vector<std::int64_t>& target = target_of(state);
  std::vector<std::int64_t> from = followed(*easing.problem, easing.offsets, state.problem());
  from.resize(target.size(), kNoOffset);
  const EditDrag& drag = state.part<EditDrag>();
  const bool in_hand = state.gesture.kind() == GestureKind::kEdit && drag.grip == Grip::kBody;
  bool moves = false;
  for (BufferIndex i = 0; i < from.size(); ++i) {
    if (from[i] == kNoOffset || target[i] == kNoOffset) from[i] = target[i];
    if (in_hand && from[i] != target[i] && drag.moves(i)) from[i] = target[i];  // it follows the hand itself
    moves = moves || from[i] != target[i];
  }
  if (!moves) return stop(state, easing);
  easing.from = std::move(from);
  easing.since = state.host.now() - 1.0 / 60;  // the first frame is on its way already
}

void draw_between(State& state, Easing& easing) {
  const double share = eased((state.host.now() - easing.since) / Easing::kSeconds);
  const std::vector<std::int64_t>& target = target_of(state);
  if (share >= 1 || easing.from.size() != target.size()) return stop(state, easing);
  auto between = std::make_shared<std::vector<std::int64_t>>(target);
  for (BufferIndex i = 0; i < target.size(); ++i) {
    if (easing.from[i] == target[i]) continue;
    const double left = (1 - share) * (static_cast<double>(easing.from[i]) - static_cast<double>(target[i]));
    (*between)[i] = target[i] + static_cast<std::int64_t>(std::llround(left));
  }
  easing.drawn = std::move(between);
  state.drawn_instead = easing.drawn;
  ++state.look_revision;
}

}  // namespace

bool easing_wanted(const State& state) {
  const auto found = state.settings.layout.find(kEasingSetting);
  return found == state.settings.layout.end() || found->second != 0;
}

bool shows_plan_itself(const State& state) {
  return state.drawn_instead == nullptr || state.drawn_instead == state.part<Easing>().drawn;
}

void poll_easing(State& state) {
  Easing& easing = state.part<Easing>();
  if (!shows_plan_itself(state)) {
    easing.drawn.reset();
    easing.problem.reset();
    return;
  }
  const bool changed = easing.problem_revision != state.problem_revision ||
                       easing.plan_revision != state.plan_revision || easing.space != state.space;
  const bool allowed = easing_wanted(state) && state.problem().size() <= kMostEased;
  if (changed && allowed && by_edit(state, easing)) {
    begin(state, easing);
  } else if (changed) {
    stop(state, easing);
  }
  if (!easing.from.empty()) draw_between(state, easing);
  if (!changed && easing.drawn == nullptr && easing.problem == state.document.problem) return;
  if (state.has_problem() && state.offsets().empty()) return;  // what is about to be planned comes from where it was
  easing.problem = state.document.problem;
  easing.problem_revision = state.problem_revision;
  easing.plan_revision = state.plan_revision;
  easing.space = state.space;
  easing.plan = state.shown_plan;
  easing.history = state.editing.history[0].id;
  easing.offsets = allowed ? state.drawn_offsets() : std::vector<std::int64_t>();
}

bool busy_easing(const State& state) {
  return state.part<Easing>().drawn != nullptr;
}

}  // namespace stowage
