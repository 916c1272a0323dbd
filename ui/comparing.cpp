#include "ui/comparing.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/io/format.h"
#include "ui/panels.h"
#include "ui/services.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// "plan.csv", or "plan.csv 2" when that is taken.
std::string free_id(const State& state, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::string id = name;
  for (int number = 2; state.document.find_plan(id) != nullptr; ++number) id = fmt::format("{} {}", name, number);
  return id;
}

void take_foreign(State& state, ForeignPlan foreign) {
  // Edited while the file was read: matched again, with what is there now.
  if (foreign.problem != state.document.problem) return add_plan_of_file(state, foreign.path);
  Comparing& comparing = state.part<Comparing>();
  MatchedPlan& matched = foreign.matched;
  if (matched.by_id + matched.by_shape == 0) {
    return state.complain(foreign.path + ": none of its buffers is one of the open problem");
  }
  matched.plan.id = free_id(state, foreign.path);
  state.plan_facts[matched.plan.id] = judge(state.problem(), state.analysis, matched.plan);
  comparing.other = matched.plan.id;
  comparing.foreign = matched.plan.id;
  comparing.unmatched = std::move(matched.unmatched);
  state.tell(fmt::format("{}: {} buffers matched by name, {} by lifetime and size, {} not", matched.plan.id,
                         matched.by_id, matched.by_shape, comparing.unmatched.size()));
  state.document.put_plan(std::move(matched.plan));
  ++state.plan_revision;
}

}  // namespace

const Plan* compared_plan(State& state) {
  Comparing& comparing = state.part<Comparing>();
  const Plan* chosen = comparing.other == state.shown_plan ? nullptr : state.document.find_plan(comparing.other);
  if (chosen != nullptr) return chosen;
  for (const std::string& id : state.ranked_plans()) {
    if (id == state.shown_plan) continue;
    comparing.other = id;
    return state.document.find_plan(id);
  }
  comparing.other.clear();
  return nullptr;
}

const Changes& differences(State& state) {
  Comparing& comparing = state.part<Comparing>();
  const Plan* other = compared_plan(state);
  const bool fresh = comparing.problem_revision == state.problem_revision &&
                     comparing.plan_revision == state.plan_revision && comparing.compared == comparing.other;
  if (fresh) return comparing.changes;
  comparing.changes = other == nullptr || state.plan() == nullptr
                          ? Changes{}
                          : changes_between(state.problem(), other, state.problem(), state.plan());
  comparing.problem_revision = state.problem_revision;
  comparing.plan_revision = state.plan_revision;
  comparing.compared = comparing.other;
  return comparing.changes;
}

void swap_plans(State& state) {
  const Plan* other = compared_plan(state);
  if (other == nullptr) return;
  const std::string shown = state.shown_plan;
  const std::string id = other->id;
  show_plan(state, id, true);
  state.part<Comparing>().other = shown;
  ++state.look_revision;
}

std::vector<std::string> charted_plans(const State& state) {
  std::vector<std::string> ids = {state.shown_plan};
  const std::optional<PanelPlace> place = place_of(state, "side_by_side");
  const View* front = place ? front_panel(state, *place) : nullptr;
  if (front == nullptr || front->name != "side_by_side") return ids;
  const Comparing& comparing = state.part<Comparing>();
  if (!comparing.other.empty()) ids.push_back(comparing.other);
  if (!comparing.overlay) ids.insert(ids.end(), comparing.further.begin(), comparing.further.end());
  return ids;
}

const std::vector<std::string>& unmatched_there(const State& state) {
  static const std::vector<std::string> none;
  const Comparing& comparing = state.part<Comparing>();
  return comparing.other == comparing.foreign ? comparing.unmatched : none;
}

void add_plan_of_file(State& state, const std::string& path) {
  state.part<Comparing>().reading.start(
      [path, problem = state.document.problem](const std::stop_token&) -> Result<ForeignPlan> {
        auto document = open_document(path, ReadOptions{});
        if (!document) return tl::unexpected<Error>(document.error());
        if (document->plans.empty()) return input_error(path + ": holds no plan");
        return ForeignPlan{path, problem, match_plan(*problem, *document->problem, document->plans.back())};
      });
}

void poll_comparing(State& state) {
  auto read = state.part<Comparing>().reading.poll();
  if (!read) return;
  if (*read) {
    take_foreign(state, std::move(**read));
  } else {
    state.complain(read->error().message);
  }
  state.settle_frames = 3;
}

bool busy_comparing(const State& state) {
  return state.part<Comparing>().reading.running();
}

}  // namespace stowage
