#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/tasks/background.h"
#include "ui/loading.h"
#include "ui/workbench.h"

namespace stowage {

/// The id of the plan that hand placement edits; allocators do not replace it.
inline constexpr const char* kHandPlan = "hand";

/// Everything that undo brings back: the document, and what is known of it so that nothing is computed again.
struct Snapshot {
  Document document;
  Analysis analysis;
  std::map<std::string, PlanFacts> plan_facts;
  std::string shown_plan;  // id; empty: none
};

/// What a person wants changed. A drag is one entry of the history: it begins with the first change and goes on from
/// the same snapshot with each further one.
struct EditRequest {
  std::string label;  // "Lifetime of conv1"
  std::vector<Edit> edits;
  bool drag = false;  // one frame of a drag: see begin_edit_drag()
  /// Instead of edits: the whole document anew, of the one before; runs in the background. Buffers that keep their
  /// names count as the same.
  std::function<Result<Document>(const Document&, const std::stop_token&)> remake = {};
  std::uint64_t of_drag = 0;  // which drag it is a frame of; edit_problem() knows
};

/// The engine's plan as it is kept from edit to edit (replanning.h).
struct KeptPlan;

/// A finished change: the snapshot after it.
struct EditOutcome {
  EditRequest request;
  Snapshot after;
  std::vector<BufferIndex> becomes;  // by buffer before the change
  std::vector<BufferIndex> added;    // indices after it
  std::shared_ptr<KeptPlan> kept;    // what the edit was planned with
  std::string unplanned;             // why the shown allocator refuses the new problem; empty when it does not

  bool moves_indices() const;
};

/// Editing of the open document.
struct Editing {
  /// Up to so many buffers an edit with its new plan is done at once; beyond, in the background.
  static constexpr std::size_t kAtOnce = 20'000;

  bool mode = false;         // rectangles can be dragged
  std::uint64_t opened = 0;  // grows with each document that is opened or begun
  History<std::shared_ptr<Snapshot>> history;
  std::uint64_t drag = 1;           // the number of the drag of this moment, or of the last one
  std::uint64_t drag_entry = 0;     // the entry that a drag has made; 0 when none has
  std::uint64_t drag_of_entry = 0;  // the number of that drag
  std::string impossible;           // why the change that is wished for right now cannot be; empty when it can
  Background<Result<EditOutcome>> work;
  std::shared_ptr<KeptPlan> kept;   // with the running work while there is one
  std::uint64_t work_base = 0;      // the present when the running work began
  std::uint64_t work_drag = 0;      // the drag that it is a frame of; 0: of none
  std::deque<EditRequest> waiting;  // for the running one; of a drag only the newest frame

  /// An edit is on its way to become an entry.
  bool busy() const { return work.running() || !waiting.empty(); }
  std::optional<double> replan_at;  // when allocators that are too slow for every change run again
};

/// Which buffer of one problem is which of another one, by their names; kNoBuffer where there is none.
std::vector<BufferIndex> same_names(const Problem& from, const Problem& to);

/// Applies edits to the open document: at once where that takes some milliseconds, else in the background, one after
/// the other; of a drag the newest wish wins. Plans by hand and from files stay; the shown allocator plans again.
void edit_problem(Workbench::State& state, EditRequest request);
/// Puts buffers at offsets, in a plan of its own named "hand", which is made from the shown one and shown.
void place_by_hand(Workbench::State& state, const std::vector<std::pair<BufferIndex, std::int64_t>>& offsets,
                   bool drag);
/// The changes with `drag` that follow make one entry.
void begin_edit_drag(Workbench::State& state);
/// Ends the drag of this moment without its effect: the entry it made is gone.
void revoke_edit_drag(Workbench::State& state);
/// Makes another entry of the history the present; refused while an edit is on its way.
void go_to_entry(Workbench::State& state, std::size_t entry);
/// What is now becomes an entry; the change of plans that the caller makes next is the new present, `label`.
void keep_present(Workbench::State& state, std::string label);
/// A plan of the document is removed.
void remove_plan(Workbench::State& state, const std::string& id);
/// Another document is open: the history begins anew.
void forget_edits(Workbench::State& state, std::string label);
/// The present's load and makespan for the history; after each change of the shown plan.
void describe_present(Workbench::State& state);
/// Bytes that a snapshot holds, roughly, for the limit of the history.
std::size_t bytes_of(const Snapshot& snapshot);

}  // namespace stowage
