#include "ui/editing.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "ui/judging_moved.h"
#include "ui/renumbering.h"
#include "ui/rework.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// An allocator that is too slow for each change follows after the last one; seconds.
constexpr double kQuiet = 0.15;

using Shared = std::shared_ptr<Snapshot>;

Shared take_present(State& state) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->document = std::move(state.document);
  snapshot->analysis = std::move(state.analysis);
  snapshot->plan_facts = std::move(state.plan_facts);
  snapshot->shown_plan = std::move(state.shown_plan);
  return snapshot;
}

/// Out of the history; copied only while a background edit still reads it.
Snapshot taken(Shared snapshot) {
  if (snapshot.use_count() == 1) return std::move(*snapshot);
  return *snapshot;
}

void fill_present(State& state, Snapshot snapshot) {
  state.document = std::move(snapshot.document);
  state.analysis = std::move(snapshot.analysis);
  state.plan_facts = std::move(snapshot.plan_facts);
  state.shown_plan = std::move(snapshot.shown_plan);
}

/// Where the file lies and how it was read belongs to the file, not to its history.
void put_present(State& state, Snapshot snapshot, std::string path, ReadFacts facts) {
  fill_present(state, std::move(snapshot));
  state.document.path = std::move(path);
  state.document.facts = std::move(facts);
  ++state.problem_revision;
  ++state.plan_revision;
  if (state.space >= state.analysis.indexes.size()) state.space = 0;
  state.hovered = kNoBuffer;
  fit_rows(state.rows, state.problem().size());
  state.relations = Relations{};
  std::erase_if(state.selection, [&](BufferIndex i) { return i >= state.problem().size(); });
  ++state.selection_revision;
  state.camera_home = false;  // nothing moves under the pointer
  state.settle_frames = 3;
}

Shared copy_present(const State& state) {
  return std::make_shared<Snapshot>(Snapshot{state.document, state.analysis, state.plan_facts, state.shown_plan});
}

/// A copy for an edit: of the plans only those that outlive it.
Shared copy_for_edit(const State& state) {
  auto copy = std::make_shared<Snapshot>();
  copy->document = without_plans(state.document);
  copy->analysis = state.analysis;
  copy->shown_plan = state.shown_plan;
  for (const Plan& plan : state.document.plans) {
    if (plan.id != state.shown_plan && find_allocator(plan.id) != nullptr) continue;
    copy->document.plans.push_back(plan);
    if (const PlanFacts* facts = state.facts_of(plan.id)) copy->plan_facts.emplace(plan.id, *facts);
  }
  return copy;
}

/// The selection after buffers have moved to other indices; what was added is selected.
void follow_selection(State& state, const EditOutcome& outcome) {
  if (!outcome.added.empty()) {
    state.selection = outcome.added;
  } else {
    for (BufferIndex& i : state.selection) i = i < outcome.becomes.size() ? outcome.becomes[i] : kNoBuffer;
    std::erase(state.selection, kNoBuffer);
  }
  ++state.selection_revision;
}

/// Runs of the problem before are worth nothing now; what is too slow for each change follows when it is quiet.
void replan_soon(State& state) {
  state.tasks.cancel_all();
  state.runs.clear();
  state.editing.replan_at = state.host.now() + kQuiet;
}

/// This drag has made its entry, and nothing else has happened since.
bool drag_goes_on(const State& state, std::uint64_t drag) {
  const Editing& editing = state.editing;
  return editing.drag_entry != 0 && editing.drag_entry == editing.history.present_id() && editing.drag_of_entry == drag;
}

bool drag_goes_on(const State& state, const EditRequest& request) {
  return request.drag && drag_goes_on(state, request.of_drag);
}

/// Buffers have other numbers now: those that wait speak of the numbers before. Frames of the drag that goes on begin
/// with the snapshot before it, whose numbers stay.
void renumber_waiting(State& state, const EditOutcome& outcome) {
  Editing& editing = state.editing;
  std::deque<EditRequest> kept;
  for (EditRequest& request : editing.waiting) {
    const bool same_drag = request.drag && outcome.request.drag && request.of_drag == outcome.request.of_drag;
    if (same_drag || request.remake || renumber(request.edits, outcome.becomes)) {
      kept.push_back(std::move(request));
    } else {
      state.complain(request.label + ": the buffer is gone");
    }
  }
  editing.waiting = std::move(kept);
}

/// What a change begins with in a drag that goes on: the snapshot before its first change.
Shared base_of_drag(const State& state) {
  const auto& history = state.editing.history;
  return *history[history.position() - 1].snapshot;
}

/// `before`: the present before the change, null in a drag that goes on.
void take_edit(State& state, Shared before, EditOutcome outcome, std::string path, ReadFacts facts) {
  Editing& editing = state.editing;
  editing.kept = std::move(outcome.kept);
  editing.impossible = outcome.unplanned;
  if (!outcome.request.drag && !outcome.unplanned.empty()) state.complain(outcome.unplanned);
  if (outcome.moves_indices()) renumber_waiting(state, outcome);
  if (before != nullptr) {
    const std::size_t bytes = bytes_of(*before);
    editing.history.commit(std::move(before), bytes, outcome.request.label);
    editing.drag_entry = outcome.request.drag ? editing.history.present_id() : 0;
    editing.drag_of_entry = outcome.request.of_drag;
    follow_selection(state, outcome);
  } else {
    editing.history.rename(outcome.request.label);
    if (!outcome.added.empty()) state.selection = outcome.added;
  }
  put_present(state, std::move(outcome.after), std::move(path), std::move(facts));
  state.user_chose_plan = true;  // another plan must not jump in while one edits
  describe_present(state);
  replan_soon(state);
}

void edit_at_once(State& state, EditRequest request) {
  Editing& editing = state.editing;
  std::string path = state.document.path;
  ReadFacts facts = state.document.facts;
  const bool goes_on = drag_goes_on(state, request);
  const bool drag = request.drag;
  Shared before = goes_on ? nullptr : take_present(state);
  auto outcome = rework(goes_on ? *base_of_drag(state) : *before, std::move(request), editing.kept, {});
  if (outcome) return take_edit(state, std::move(before), std::move(*outcome), std::move(path), std::move(facts));
  if (before != nullptr) fill_present(state, std::move(*before));
  editing.impossible = outcome.error().message;
  if (!drag) state.complain(outcome.error().message);
}

void edit_in_background(State& state, EditRequest request) {
  Editing& editing = state.editing;
  Shared base = drag_goes_on(state, request) ? base_of_drag(state) : copy_for_edit(state);
  editing.work_base = editing.history.present_id();
  editing.work_drag = request.of_drag;
  editing.work.start([base = std::move(base), request = std::move(request),
                      kept = std::move(editing.kept)](const std::stop_token& stop) mutable {
    return rework(*base, std::move(request), std::move(kept), stop);
  });
}

void replan_now(State& state) {
  state.editing.replan_at.reset();
  const PlanFacts* shown = state.shown_facts();
  if (shown != nullptr && shown->stale) start_run(state, state.shown_plan, true);
  if (!state.has_problem() || state.problem().size() >= Editing::kAtOnce) return;
  for (const Allocator& allocator : allocators()) {
    if (state.document.find_plan(allocator.id) == nullptr && allocator.runs_unasked(state.problem())) {
      start_run(state, allocator.id, false);
    }
  }
}

}  // namespace

std::vector<BufferIndex> same_names(const Problem& from, const Problem& to) {
  std::unordered_map<std::string_view, BufferIndex> named;
  for (BufferIndex i = 0; i < to.size(); ++i) named.emplace(to.id(i), i);
  std::vector<BufferIndex> becomes(from.size(), kNoBuffer);
  for (BufferIndex i = 0; i < from.size(); ++i) {
    if (const auto found = named.find(from.id(i)); found != named.end()) becomes[i] = found->second;
  }
  return becomes;
}

std::size_t bytes_of(const Snapshot& snapshot) {
  const Problem& problem = *snapshot.document.problem;
  // A buffer with its name, details, sections, index and share of the load curve.
  std::size_t bytes = problem.size() * (sizeof(Buffer) + 160) + problem.input().details.size() * sizeof(Details);
  for (const Plan& plan : snapshot.document.plans) bytes += plan.offsets.size() * 10;
  if (const auto& graph = snapshot.document.graph) {
    bytes += (graph->tensors().size() + graph->ops().size()) * 2 * sizeof(Op);  // and again at the pipeline's end
  }
  for (const auto& [id, facts] : snapshot.plan_facts) bytes += facts.report.issues.size() * sizeof(Issue);
  return bytes + 4'096;
}

void describe_present(State& state) {
  const PlanFacts* shown = state.shown_facts();
  state.editing.history.describe(state.analysis.facts.load, shown != nullptr ? shown->metrics.makespan : 0);
}

bool EditOutcome::moves_indices() const {
  if (!added.empty()) return true;
  for (BufferIndex i = 0; i < becomes.size(); ++i) {
    if (becomes[i] != i) return true;
  }
  return false;
}

void edit_problem(State& state, EditRequest request) {
  Editing& editing = state.editing;
  request.of_drag = request.drag ? editing.drag : 0;
  if (!editing.busy()) {
    const bool quick = state.problem().size() <= Editing::kAtOnce && !request.remake;
    return quick ? edit_at_once(state, std::move(request)) : edit_in_background(state, std::move(request));
  }
  const bool newer = request.drag && !editing.waiting.empty() && editing.waiting.back().of_drag == request.of_drag;
  if (newer) editing.waiting.pop_back();
  editing.waiting.push_back(std::move(request));
}

void begin_edit_drag(State& state) {
  ++state.editing.drag;
  state.editing.impossible.clear();
}

void place_by_hand(State& state, const std::vector<std::pair<BufferIndex, std::int64_t>>& offsets, bool drag) {
  const Plan* shown = state.plan();
  if (shown == nullptr || offsets.empty()) return;
  Plan hand = *shown;
  hand.id = kHandPlan;
  hand.allocator = kHandPlan;
  hand.claimed_makespan.reset();
  hand.objects.reset();
  std::vector<BufferIndex> moved;
  for (const auto& [buffer, offset] : offsets) {
    if (buffer >= hand.offsets.size()) return;  // of a problem that has just gone
    hand.offsets[buffer] = offset;
    moved.push_back(buffer);
  }
  const PlanFacts* known = state.shown_facts();
  PlanFacts facts = known != nullptr ? judge_moved(state.problem(), state.analysis, *shown, *known, hand, moved)
                                     : judge(state.problem(), state.analysis, hand);
  if (!drag || !drag_goes_on(state, state.editing.drag)) {
    keep_present(state, offsets.size() == 1 ? "Placed " + printable_utf8(state.problem().id(offsets.front().first))
                                            : fmt::format("Placed {} buffers", offsets.size()));
    state.editing.drag_entry = drag ? state.editing.history.present_id() : 0;
    state.editing.drag_of_entry = state.editing.drag;
  }
  state.plan_facts[kHandPlan] = std::move(facts);
  state.document.put_plan(std::move(hand));
  state.shown_plan = kHandPlan;
  state.user_chose_plan = true;
  ++state.plan_revision;
  state.camera_home = false;
  describe_present(state);
}

void revoke_edit_drag(State& state) {
  Editing& editing = state.editing;
  std::erase_if(editing.waiting, [&](const EditRequest& one) { return one.drag && one.of_drag == editing.drag; });
  if (editing.work.running() && editing.work_drag == editing.drag) editing.work.cancel();
  editing.impossible.clear();
  const bool changed = drag_goes_on(state, editing.drag);
  editing.drag_entry = 0;
  if (!changed) return;
  put_present(state, taken(editing.history.revoke()), state.document.path, state.document.facts);
  replan_soon(state);
}

void go_to_entry(State& state, std::size_t entry) {
  Editing& editing = state.editing;
  if (entry >= editing.history.size() || entry == editing.history.position()) return;
  if (editing.busy()) return state.tell("An edit is still on its way");
  editing.drag_entry = 0;
  std::string path = state.document.path;
  ReadFacts facts = state.document.facts;
  const std::shared_ptr<const Problem> problem = state.document.problem;
  Shared present = take_present(state);
  const std::size_t bytes = bytes_of(*present);
  Shared target = editing.history.move_to(entry, std::move(present), bytes);
  put_present(state, taken(std::move(target)), std::move(path), std::move(facts));
  describe_present(state);
  // Where only plans have changed they are what they were: none is made again.
  if (state.document.problem != problem) return replan_soon(state);
  std::erase_if(state.runs, [&](const auto& run) {
    return run.second.stage == AllocatorRun::Stage::kDone && state.document.find_plan(run.first) == nullptr;
  });
}

void keep_present(State& state, std::string label) {
  Shared before = copy_present(state);
  const std::size_t bytes = bytes_of(*before);
  state.editing.history.commit(std::move(before), bytes, std::move(label));
}

void remove_plan(State& state, const std::string& id) {
  if (state.document.find_plan(id) == nullptr) return;
  keep_present(state, "Removed the plan " + State::title_of_plan(id));
  std::erase_if(state.document.plans, [&](const Plan& plan) { return plan.id == id; });
  state.plan_facts.erase(id);
  state.runs.erase(id);
  if (state.shown_plan == id) {
    const std::vector<std::string> left = state.ranked_plans();
    state.shown_plan = left.empty() ? std::string() : left.front();
  }
  ++state.plan_revision;
  describe_present(state);
}

void poll_editing(State& state) {
  Editing& editing = state.editing;
  if (auto outcome = editing.work.poll()) {
    if (*outcome && editing.work_base != editing.history.present_id()) {
      editing.waiting.push_front(std::move((*outcome)->request));  // an entry came in between: again, on top of it
    } else if (*outcome) {
      std::string path = state.document.path;
      ReadFacts facts = state.document.facts;
      const bool goes_on = drag_goes_on(state, (*outcome)->request);
      take_edit(state, goes_on ? nullptr : take_present(state), std::move(**outcome), std::move(path),
                std::move(facts));
    } else if (outcome->error().kind != Error::Kind::kCancelled) {
      editing.impossible = outcome->error().message;
      if (!state.gesture.dragging()) state.complain(outcome->error().message);
    }
    state.settle_frames = 3;
  }
  if (!editing.waiting.empty() && !editing.work.running()) {
    EditRequest request = std::move(editing.waiting.front());
    editing.waiting.pop_front();
    edit_in_background(state, std::move(request));
  }
  if (editing.replan_at && state.host.now() >= *editing.replan_at) replan_now(state);
}

bool busy_editing(const State& state) {
  return state.editing.busy() || state.editing.replan_at;
}

void forget_edits(State& state, std::string label) {
  Editing& editing = state.editing;
  ++editing.opened;
  editing.work.cancel();
  editing.waiting.clear();
  editing.replan_at.reset();
  editing.impossible.clear();
  editing.drag_entry = 0;
  editing.history.reset(std::move(label));
}

}  // namespace stowage
