#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "ui/feature_commands.h"
#include "ui/history_compare.h"
#include "ui/leaderboard.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

struct RankedBy {
  Leaderboard::Sort sort;
  const char* words;
};
constexpr std::array<RankedBy, 4> kRankings = {{{Leaderboard::Sort::kMakespan, "makespan"},
                                                {Leaderboard::Sort::kTime, "time"},
                                                {Leaderboard::Sort::kIssues, "issues"},
                                                {Leaderboard::Sort::kName, "name"}}};

void next_ranking(State& state) {
  auto& board = state.part<Leaderboard>();
  std::size_t now = 0;
  while (kRankings[now].sort != board.sort) ++now;
  const RankedBy& next = kRankings[(now + 1) % kRankings.size()];
  board.sort = next.sort;
  apply(state, action::ShowPanel{"allocators"});
  state.tell(std::string("Plans ranked by ") + next.words);
}

/// The entry before (`step` -1) or after the compared one, else the present, that is kept and is not the present.
std::optional<std::size_t> entry_beside_compared(const State& state, int step) {
  const auto& history = state.editing.history;
  const std::uint64_t compared = state.part<ComparedEntry>().entry;
  auto at = static_cast<std::ptrdiff_t>(history.position());
  for (std::size_t k = 0; k < history.size(); ++k) {
    if (history[k].id == compared) at = static_cast<std::ptrdiff_t>(k);
  }
  for (at += step; at >= 0 && at < static_cast<std::ptrdiff_t>(history.size()); at += step) {
    const auto k = static_cast<std::size_t>(at);
    if (k != history.position() && history[k].snapshot) return k;
  }
  return std::nullopt;
}

void compare_beside(State& state, int step) {
  apply(state, action::ShowPanel{"history"});
  compare_with_entry(state, *entry_beside_compared(state, step));
}

bool run_panel_command(State& state, CommandId id) {
  switch (id) {
    case CommandId::sort_allocators:
      next_ranking(state);
      return true;
    case CommandId::since_earlier:
      compare_beside(state, -1);
      return true;
    case CommandId::since_later:
      compare_beside(state, 1);
      return true;
    case CommandId::since_nothing:
      stop_comparing(state);
      return true;
    case CommandId::oldest_entry:
      go_to_entry(state, 0);
      return true;
    case CommandId::newest_entry:
      go_to_entry(state, state.editing.history.size() - 1);
      return true;
    default:
      return false;
  }
}

const char* why_no_panel_command(const State& state, CommandId id) {
  switch (id) {
    case CommandId::sort_allocators:
      return state.document.plans.empty() ? "there is no plan yet" : "";
    case CommandId::since_earlier:
      return entry_beside_compared(state, -1) ? "" : "there is no earlier entry";
    case CommandId::since_later:
      return entry_beside_compared(state, 1) ? "" : "there is no later entry";
    case CommandId::since_nothing:
      return state.part<ComparedEntry>().entry != 0 ? "" : "no entry is compared";
    case CommandId::oldest_entry:
      return state.editing.history.can_undo() ? "" : "nothing was changed";
    case CommandId::newest_entry:
      return state.editing.history.can_redo() ? "" : "nothing was taken back";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands panel_commands() {
  return {run_panel_command, why_no_panel_command};
}

}  // namespace stowage
