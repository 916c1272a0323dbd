#include "ui/comparing.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/io/format.h"
#include "ui/panels.h"
#include "ui/pipeline_results.h"
#include "ui/services.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// "plan.csv", or "plan.csv 2" when that is taken.
std::string free_id(const State& state, const std::string& name) {
  std::string id = name;
  for (int number = 2; state.document.find_plan(id) != nullptr; ++number) id = fmt::format("{} {}", name, number);
  return id;
}

void take_plan(State& state, ForeignPlan foreign) {
  Comparing& comparing = state.part<Comparing>();
  MatchedPlan& matched = foreign.matched;
  matched.plan.id = free_id(state, foreign.name);
  state.plan_facts[matched.plan.id] = std::move(foreign.facts);
  comparing.other = matched.plan.id;
  comparing.unmatched[matched.plan.id] = {std::move(matched.unmatched), std::move(matched.unmatched_offsets)};
  state.document.put_plan(std::move(matched.plan));
}

void take_foreign(State& state, ForeignFile foreign) {
  // Edited while the file was read: matched again, with what is there now.
  if (foreign.problem != state.document.problem) return add_plans_of_file(state, foreign.path);
  const MatchedPlan& last = foreign.plans.back().matched;
  if (last.by_id + last.by_shape == 0) {
    return state.complain(foreign.path + ": none of its buffers is one of the open problem");
  }
  const std::size_t count = foreign.plans.size();
  const std::string name = printable_utf8(count == 1 ? free_id(state, foreign.title) : foreign.title);
  keep_present(state, count == 1 ? "Added the plan " + name : fmt::format("Added {} plans of {}", count, name));
  state.tell(fmt::format("{}: {}{} buffers matched by name, {} by lifetime and size, {} not", name,
                         count == 1 ? "" : fmt::format("{} plans, ", count), last.by_id, last.by_shape,
                         last.unmatched.size()));
  for (ForeignPlan& plan : foreign.plans) take_plan(state, std::move(plan));
  ++state.plan_revision;
  describe_present(state);
}

Result<ForeignFile> read_foreign(const std::string& path, const std::shared_ptr<const Problem>& problem,
                                 const Analysis& known, const std::stop_token& stop) {
  auto document = open_document(path, ReadOptions{});
  if (!document) return tl::unexpected<Error>(document.error());
  if (document->plans.empty()) return input_error(path + ": holds no plan");
  ForeignFile foreign{path, title_of(*document), problem, {}};
  for (const Plan& plan : document->plans) {
    if (stop.stop_requested()) return fail(Error::Kind::kCancelled, path + ": opening was cancelled");
    ForeignPlan one{foreign.title, match_plan(*problem, *document->problem, plan), {}};
    if (document->plans.size() > 1) one.name += ": " + plan.id;
    one.facts = judge(*problem, known, one.matched.plan);
    foreign.plans.push_back(std::move(one));
  }
  return foreign;
}

void take_differences(Comparing& comparing, Differing& differing, Differences found) {
  found.made = ++comparing.made;
  differing.found = std::make_shared<const Differences>(std::move(found));
  differing.ready = true;
}

bool is_in_front(const State& state, std::string_view panel) {
  const std::optional<PanelPlace> place = place_of(state, panel);
  const View* front = place ? front_panel(state, *place) : nullptr;
  return front != nullptr && front->name == panel;
}

}  // namespace

bool is_on_its_way(const State& state, const std::string& id) {
  const auto found = state.runs.find(id);
  if (found == state.runs.end()) return false;
  const AllocatorRun::Stage stage = found->second.stage;
  return stage == AllocatorRun::Stage::kWaiting || stage == AllocatorRun::Stage::kRunning;
}

bool awaits_other(const State& state) {
  const Comparing& comparing = state.part<Comparing>();
  if (comparing.awaited.empty() || comparing.awaited != comparing.other) return false;
  // The first plan that is ready is shown until a better one, or the chosen one, comes.
  const bool shown_meanwhile = comparing.other == state.shown_plan && !state.user_chose_plan;
  return shown_meanwhile || is_on_its_way(state, comparing.other);
}

bool compares_in_sight(const State& state) {
  const bool shown = is_in_front(state, "side_by_side") || is_in_front(state, "differences");
  return shown && !state.part<Comparing>().other.empty();
}

void compare_again(State& state) {
  Comparing& comparing = state.part<Comparing>();
  std::vector<std::string> compared = comparing.further;
  compared.push_back(comparing.other);
  for (const std::string& id : compared) {
    const bool there = state.document.find_plan(id) != nullptr || state.runs.count(id) > 0;
    if (!there) start_run(state, id, false);  // nothing for what is no allocator
  }
  comparing.awaited = comparing.other;
}

std::optional<ComparedSide> compared_side(State& state) {
  Comparing& comparing = state.part<Comparing>();
  if (awaits_other(state)) return std::nullopt;
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
  state.part<Comparing>().awaited.clear();
  ++state.look_revision;
}

void show_beside(State& state, const std::string& key) {
  compare_with(state, key);
  show_panel(state, "side_by_side");
}

void swap_plans(State& state) {
  const auto other = compared_side(state);
  if (!other) return;
  if (compared_point(state, other->key) != nullptr) {
    return state.tell("To go to this point of the pipeline, switch the stages behind it off");
  }
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
  if (!is_in_front(state, "side_by_side")) return ids;
  const Comparing& comparing = state.part<Comparing>();
  if (!comparing.other.empty()) ids.push_back(comparing.other);
  if (!comparing.overlay) ids.insert(ids.end(), comparing.further.begin(), comparing.further.end());
  return ids;
}

const Unmatched& unmatched_there(const State& state) {
  static const Unmatched none;
  const Comparing& comparing = state.part<Comparing>();
  const auto found = comparing.unmatched.find(comparing.other);
  return found != comparing.unmatched.end() ? found->second : none;
}

void add_plans_of_file(State& state, const std::string& path) {
  Comparing& comparing = state.part<Comparing>();
  if (comparing.reading.running()) return comparing.waiting.push_back(path);
  comparing.reading.start(
      [path, problem = state.document.problem, known = Analysis{state.analysis.facts, state.analysis.spaces, {}, {}}](
          const std::stop_token& stop) { return read_foreign(path, problem, known, stop); });
}

void poll_comparing(State& state) {
  Comparing& comparing = state.part<Comparing>();
  if (!comparing.awaited.empty() && state.tasks.idle()) {
    comparing.awaited.clear();
    ++state.look_revision;
    state.settle_frames = 3;
  }
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
  if (!comparing.reading.running() && !comparing.waiting.empty()) {
    const std::string next = std::move(comparing.waiting.front());
    comparing.waiting.pop_front();
    add_plans_of_file(state, next);
  }
  state.settle_frames = 3;
}

bool busy_comparing(const State& state) {
  const Comparing& comparing = state.part<Comparing>();
  return comparing.reading.running() || std::any_of(comparing.differing.begin(), comparing.differing.end(),
                                                    [](const auto& one) { return one.second.work.running(); });
}

}  // namespace stowage
