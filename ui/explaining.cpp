#include "ui/explaining.h"

#include <utility>

#include <fmt/format.h>

#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;
using Verdict = CapacityExplanation::Verdict;
using Reason = CapacityExplanation::Reason;

constexpr std::size_t kMostRemedies = 6;

void take(State& state, Explaining& explaining, CapacityExplanation found) {
  explaining.members.clear();
  if (found.verdict == Verdict::kDoesNotFit && !found.set.empty()) {
    explaining.members.assign(state.problem().size(), false);
    for (const BufferIndex i : found.set) explaining.members[i] = true;
    if (found.space < state.analysis.indexes.size()) state.space = found.space;
    apply(state, action::Select{found.set, SelectMode::kReplace});
    apply(state, action::FrameBuffers{found.set});
  }
  ++state.look_revision;
  explaining.result = std::move(found);
}

std::string reason_of(const State& state, const CapacityExplanation& found) {
  switch (found.reason) {
    case Reason::kLoad: {
      const std::string needed =
          fmt::format("they need {}, {} too many", state.bytes(found.load), state.bytes(found.load - found.capacity));
      if (!found.timed) return "All of them conflict with each other: together " + needed + ".";
      return fmt::format("All of them are live from {} to {}: together {}.", found.peak_start, found.peak_end, needed);
    }
    case Reason::kPin:
      return "A fixed offset ends above the capacity.";
    case Reason::kPacking:
      return fmt::format("At no time more than {} of them are live, and still no arrangement fits.",
                         state.bytes(found.load));
  }
  return {};
}

std::string remedy_of(const State& state, const Remedy& remedy) {
  const std::string name = printable_utf8(state.problem().id(remedy.buffer));
  if (remedy.shrink == state.problem()[remedy.buffer].size) return "without " + name;
  return fmt::format("{} smaller by {}{}", name, state.bytes(remedy.shrink),
                     remedy.least_is_proved ? "" : " (perhaps less)");
}

std::string remedies_of(const State& state, const CapacityExplanation& found) {
  if (found.remedies.empty()) return "No change of a single buffer was found that lets everything fit.";
  std::string words = "Any one of these lets everything fit:";
  for (std::size_t k = 0; k < found.remedies.size() && k < kMostRemedies; ++k) {
    words += "\n\u2022  " + remedy_of(state, found.remedies[k]);
  }
  if (found.remedies.size() > kMostRemedies) {
    words += fmt::format("\nand {} more", found.remedies.size() - kMostRemedies);
  }
  return words;
}

}  // namespace

std::vector<std::string> words_of(const State& state, const CapacityExplanation& found) {
  switch (found.verdict) {
    case Verdict::kFits: {
      const PlanFacts* shown = state.shown_facts();
      const bool already =
          shown != nullptr && shown->report.valid() && state.space_metrics(*shown).makespan <= found.capacity;
      return {fmt::format("Everything fits under {}{}.", state.bytes(found.capacity),
                          already ? "" : ": in another plan than this one")};
    }
    case Verdict::kUnknown:
      return {fmt::format("Whether everything fits under {} was not found out within the limits of the search.",
                          state.bytes(found.capacity))};
    case Verdict::kDoesNotFit:
      break;
  }
  const auto count = static_cast<std::int64_t>(found.set.size());
  return {fmt::format("{} cannot fit together under {}{}.",
                      count == 1 ? std::string("One buffer") : fmt::format("These {} buffers", format_count(count)),
                      state.bytes(found.capacity), found.minimal ? "; without any one of them the others do" : ""),
          reason_of(state, found), remedies_of(state, found)};
}

void start_explaining(State& state, std::int64_t capacity) {
  end_explaining(state);
  auto& explaining = state.part<Explaining>();
  explaining.problem_revision = state.problem_revision;
  explaining.work.start([problem = state.document.problem, capacity](const std::stop_token& stop) {
    RunContext context;
    context.stop = stop;
    return explain_capacity(*problem, capacity, context);
  });
}

void end_explaining(State& state) {
  auto& explaining = state.part<Explaining>();
  explaining.work.cancel();
  explaining.result.reset();
  explaining.refused.clear();
  if (explaining.members.empty()) return;
  explaining.members.clear();
  ++state.look_revision;
}

void poll_explaining(State& state) {
  auto& explaining = state.part<Explaining>();
  const bool stale = explaining.problem_revision != state.problem_revision;
  if (stale && (explaining.result || explaining.work.running())) end_explaining(state);
  auto found = explaining.work.poll();
  if (!found) return;
  if (*found) {
    take(state, explaining, std::move(**found));
  } else if (found->error().kind != Error::Kind::kCancelled) {
    explaining.refused = found->error().message;
  }
  state.settle_frames = 3;
}

bool busy_explaining(const State& state) {
  return state.part<Explaining>().work.running();
}

}  // namespace stowage
