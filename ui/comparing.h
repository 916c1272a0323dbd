#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/colouring.h"
#include "core/chart/scene.h"
#include "core/document/match_plan.h"
#include "core/tasks/background.h"
#include "ui/compared_side.h"
#include "ui/differences.h"
#include "ui/state.h"

namespace stowage {

/// A plan of another file, for the buffers of the open problem.
struct ForeignPlan {
  std::string name;
  MatchedPlan matched;
  PlanFacts facts;
};

/// All plans of another file.
struct ForeignFile {
  std::string path;
  std::string title;
  std::shared_ptr<const Problem> problem;  // that they were matched with
  std::vector<ForeignPlan> plans;
};

/// Buffers of another file without a partner here.
struct Unmatched {
  std::vector<std::string> ids;
  std::vector<std::int64_t> offsets;  // where a plan there puts them
};

/// The differences between a plan and the shown one, and the work that finds them.
struct Differing {
  std::shared_ptr<const Differences> found = std::make_shared<const Differences>();
  bool ready = false;  // `found` speaks of what is shown now
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::string shown;
  std::uint16_t space = 0;
  Background<Differences> work;
};

/// An entry of the history as it is drawn: with the colours, the selection and the filter of the moment.
struct PastLook {
  Colouring colouring;
  std::vector<BufferIndex> selected;
  std::vector<bool> matches;  // empty: everything does
  MapKey key;
};

/// The shown plan beside others. Plans and entries of the history are named by the keys of ComparedSide.
struct Comparing {
  std::string other;                           // the one that differences are told against; empty: none chosen
  std::vector<std::string> further;            // of more columns
  std::string awaited;                         // the other one of before a reload, while its file is planned again
  bool overlay = false;                        // one chart, the other plan as outlines
  std::map<std::string, Differing> differing;  // of the columns, by key
  std::uint64_t made = 0;                      // counts differences
  std::vector<CachedScene> scenes;             // of the columns
  std::vector<PastLook> looks;                 // of columns with an entry
  std::string path_text;                       // of a file to take plans from
  Background<Result<ForeignFile>> reading;
  std::deque<std::string> waiting;             // paths of files that are read after this one
  std::map<std::string, Unmatched> unmatched;  // by plan that was taken from a file
};

/// The other side: the chosen one while it exists, else the best plan that is not shown; nothing when there is none, or
/// when the chosen one is being made again.
std::optional<ComparedSide> compared_side(Workbench::State& state);
/// The allocator of that name is at work, or is about to be.
bool is_on_its_way(const Workbench::State& state, const std::string& id);
/// The chosen other side is being made again after a reload, or its partner is.
bool awaits_other(const Workbench::State& state);
/// Two plans are compared before one's eyes: the panel of either comparison is in front.
bool compares_in_sight(const Workbench::State& state);
/// After a reload: what was compared before is compared again, and made again where the file does not hold it.
void compare_again(Workbench::State& state);
/// The plan of that side, or null.
const Plan* compared_plan(Workbench::State& state);
/// What differs between a side and the shown plan. Of many buffers it is found in the background; until then it is
/// empty, or what it was before a change of the plans.
const Differing& differing_from(Workbench::State& state, const ComparedSide& side);
/// The same for compared_side(); empty without one.
const Differences& differences(Workbench::State& state);
/// They are still looked for.
bool comparing_now(const Workbench::State& state);
/// Compares the shown plan with another one or with an entry of the history.
void compare_with(Workbench::State& state, const std::string& key);
/// The same, drawn side by side.
void show_beside(Workbench::State& state, const std::string& key);
/// Exchanges the two. The entry of the history that is compared becomes the present.
void swap_plans(Workbench::State& state);
/// The plan is one of those that are compared.
bool is_compared(const Workbench::State& state, const std::string& id);
/// The keys of the shown plan, and while plans are drawn side by side of those beside it.
std::vector<std::string> charted_plans(const Workbench::State& state);
/// What of the other plan's file has no partner here; empty where that plan is none of a file.
const Unmatched& unmatched_there(const Workbench::State& state);
/// Reads another file and adds all of its plans to the document, their buffers matched with the open ones. They are
/// named by the file, of several each "FILE: PLAN"; the last one is compared.
void add_plans_of_file(Workbench::State& state, const std::string& path);

}  // namespace stowage
