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
  keep_present(state, "Added the plan " + printable_utf8(matched.plan.id));
  state.plan_facts[matched.plan.id] = std::move(foreign.facts);
  comparing.other = matched.plan.id;
  comparing.foreign = matched.plan.id;
  comparing.unmatched = std::move(matched.unmatched);
  comparing.unmatched_offsets = std::move(matched.unmatched_offsets);
  state.tell(fmt::format("{}: {} buffers matched by name, {} by lifetime and size, {} not", matched.plan.id,
                         matched.by_id, matched.by_shape, comparing.unmatched.size()));
  state.document.put_plan(std::move(matched.plan));
  ++state.plan_revision;
  describe_present(state);
}

void take_differences(Comparing& comparing, Differing& differing, Differences found) {
  found.made = ++comparing.made;
  differing.found = std::make_shared<const Differences>(std::move(found));
  differing.ready = true;
}

}  // namespace

std::optional<ComparedSide> compared_side(State& state) {
  Comparing& comparing = state.part<Comparing>();
  if (comparing.other != state.shown_plan) {
    if (auto chosen = side_of_key(state, comparing.other)) return chosen;
  }
  for (const std::string& id : state.ranked_plans()) {
    if (id == state.shown_plan) continue;
    comparing.other = id;
    return side_of_key(state, id);
  }
  comparing.other = neighbouring_entry(state, {}, -1);
  return side_of_key(state, comparing.other);
}

const Plan* compared_plan(State& state) {
  const auto side = compared_side(state);
  return side ? side->plan : nullptr;
}

const Differing& differing_from(State& state, const ComparedSide& side) {
  Comparing& comparing = state.part<Comparing>();
  Differing& differing = comparing.differing[side.key];
  const bool same_problem = differing.problem_revision == state.problem_revision;
  if (!same_problem) differing.found = std::make_shared<const Differences>();  // its numbers are those of other buffers
  const bool fresh = same_problem && differing.plan_revision == state.plan_revision &&
                     differing.shown == state.shown_plan && differing.space == state.space;
  if (fresh && differing.ready) return differing;
  differing.ready = false;
  if (differing.work.running()) return differing;  // of a drag, not each frame: the next one begins when this has ended
  differing.problem_revision = state.problem_revision;
  differing.plan_revision = state.plan_revision;
  differing.shown = state.shown_plan;
  differing.space = state.space;
  const std::size_t buffers = std::max(state.problem().size(), side.problem->size());
  DifferencesInput input{side.problem, state.document.problem, nullptr, nullptr, state.space};
  if (buffers <= Editing::kAtOnce) {
    // Plans that outlive the call: nothing is copied.
    input.plan_before = std::shared_ptr<const Plan>(std::shared_ptr<void>(), side.plan);
    input.plan_after = std::shared_ptr<const Plan>(std::shared_ptr<void>(), state.plan());
    take_differences(comparing, differing, find_differences(input));
    return differing;
  }
  input.plan_before = std::make_shared<const Plan>(*side.plan);
  input.plan_after = std::make_shared<const Plan>(*state.plan());
  differing.work.start([input = std::move(input)](const std::stop_token&) { return find_differences(input); });
  return differing;
}

const Differences& differences(State& state) {
  static const Differences none;
  const auto side = state.plan() != nullptr ? compared_side(state) : std::nullopt;
  return side ? *differing_from(state, *side).found : none;
}

bool comparing_now(const State& state) {
  const Comparing& comparing = state.part<Comparing>();
  const auto found = comparing.differing.find(comparing.other);
  return found != comparing.differing.end() && !found->second.ready;
}

void compare_with(State& state, const std::string& key) {
  state.part<Comparing>().other = key;
  ++state.look_revision;
}

void show_beside(State& state, const std::string& key) {
  compare_with(state, key);
  show_panel(state, "side_by_side");
}

void swap_plans(State& state) {
  const auto other = compared_side(state);
  if (!other) return;
  if (other->past) {
    const auto& history = state.editing.history;
    const std::uint64_t now = history.present_id();
    for (std::size_t k = 0; k < history.size(); ++k) {
      if (entry_key(history[k].id) != other->key) continue;
      go_to_entry(state, k);
      break;
    }
    if (history.present_id() != now) compare_with(state, entry_key(now));
    return;
  }
  const std::string shown = state.shown_plan;
  show_plan(state, other->key, true);
  compare_with(state, shown);
}

bool is_compared(const State& state, const std::string& id) {
  const Comparing& comparing = state.part<Comparing>();
  return comparing.other == id ||
         std::find(comparing.further.begin(), comparing.further.end(), id) != comparing.further.end();
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
      [path, problem = state.document.problem, known = Analysis{state.analysis.facts, state.analysis.spaces, {}, {}}](
          const std::stop_token&) -> Result<ForeignPlan> {
        auto document = open_document(path, ReadOptions{});
        if (!document) return tl::unexpected<Error>(document.error());
        if (document->plans.empty()) return input_error(path + ": holds no plan");
        ForeignPlan foreign{path, problem, match_plan(*problem, *document->problem, document->plans.back()), {}};
        foreign.facts = judge(*problem, known, foreign.matched.plan);
        return foreign;
      });
}

void poll_comparing(State& state) {
  Comparing& comparing = state.part<Comparing>();
  for (auto& [key, differing] : comparing.differing) {
    auto found = differing.work.poll();
    if (!found) continue;
    ++state.look_revision;
    state.settle_frames = 3;
    if (differing.problem_revision != state.problem_revision) continue;
    take_differences(comparing, differing, std::move(*found));
  }
  std::erase_if(comparing.differing,
                [&](const auto& one) { return !is_compared(state, one.first) && !one.second.work.running(); });
  auto read = comparing.reading.poll();
  if (!read) return;
  if (*read) {
    take_foreign(state, std::move(**read));
  } else {
    state.complain(read->error().message);
  }
  state.settle_frames = 3;
}

bool busy_comparing(const State& state) {
  const Comparing& comparing = state.part<Comparing>();
  return comparing.reading.running() || std::any_of(comparing.differing.begin(), comparing.differing.end(),
                                                    [](const auto& one) { return one.second.work.running(); });
}

}  // namespace stowage
