#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/adding.h"
#include "ui/board.h"
#include "ui/edit_fields.h"
#include "ui/feature_commands.h"
#include "ui/lifetime_keys.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::string named(const State& state, std::string_view what) {
  const std::size_t count = state.selection.size();
  if (count == 1) return fmt::format("{} {}", what, printable_utf8(state.problem().id(state.chosen())));
  return fmt::format("{} {} buffers", what, count);
}

/// All pinned: free them; else pin each where the shown plan has it.
void pin(State& state) {
  const std::vector<std::int64_t>& offsets = state.offsets();
  bool all = true;
  for (const BufferIndex i : state.selection) all = all && state.problem()[i].is_fixed();
  EditRequest request;
  for (const BufferIndex i : state.selection) {
    if (all) {
      request.edits.emplace_back(edit::Pin{i, std::nullopt});
    } else if (i < offsets.size() && offsets[i] != kNoOffset) {
      request.edits.emplace_back(edit::Pin{i, offsets[i]});
    }
  }
  if (request.edits.empty()) return state.complain("Nothing of the selection has an address yet that could be fixed");
  request.label = named(state, all ? "Freed" : "Pinned");
  edit_problem(state, std::move(request));
}

/// The longest stretch in which a buffer is live without a gap.
std::pair<std::int64_t, std::int64_t> longest_stretch(const Problem& problem, BufferIndex i) {
  std::pair<std::int64_t, std::int64_t> best{problem[i].start, problem[i].start};
  std::int64_t from = problem[i].start;
  const auto consider = [&](std::int64_t to) {
    if (to - from > best.second - best.first) best = {from, to};
  };
  for (const Gap& gap : problem.gaps(i)) {
    consider(gap.start);
    from = gap.end;
  }
  consider(problem[i].end);
  return best;
}

bool can_split(const Problem& problem, BufferIndex i) {
  const auto [from, to] = longest_stretch(problem, i);
  return to - from >= 3;
}

/// The middle third of the longest stretch becomes a gap.
void split(State& state) {
  EditRequest request;
  std::string name;  // of the last one that is long enough
  for (const BufferIndex i : state.selection) {
    if (!can_split(state.problem(), i)) continue;
    name = printable_utf8(state.problem().id(i));
    const auto [from, to] = longest_stretch(state.problem(), i);
    const std::int64_t gap = (to - from) / 3;
    const std::int64_t start = from + (to - from - gap) / 2;
    request.edits.push_back(split_lifetime(state.problem(), i, start, start + gap));
  }
  const std::size_t count = request.edits.size();
  request.label = count == 1 ? "Split " + name : fmt::format("Split {} buffers", count);
  edit_problem(state, std::move(request));
}

/// What the filter shows, in the order of the table.
void select_all(State& state) {
  std::vector<BufferIndex> all;
  if (state.rows.request.problem_revision == state.problem_revision) {
    all = state.rows.order;
  } else {
    for (BufferIndex i = 0; i < state.problem().size(); ++i) all.push_back(i);
  }
  apply(state, action::Select{std::move(all), SelectMode::kReplace});
}

bool run(State& state, CommandId id) {
  switch (id) {
    case CommandId::new_problem:
      new_problem(state);
      return true;
    case CommandId::add_buffer:
      add_buffer(state);
      return true;
    case CommandId::split_lifetime:
      split(state);
      return true;
    case CommandId::paste:
      paste_buffers(state, state.host.clipboard_text());
      return true;
    case CommandId::select_all:
      select_all(state);
      return true;
    case CommandId::pin:
      pin(state);
      return true;
    case CommandId::duplicate:
      add_buffers(state, EditRequest{named(state, "Duplicated"), duplicates(state.problem(), state.selection), false});
      return true;
    case CommandId::remove_buffers:
      edit_problem(state, EditRequest{named(state, "Removed"), {edit::Remove{state.selection}}, false});
      return true;
    case CommandId::merge_buffers:
      edit_problem(state, EditRequest{named(state, "Merged"), merged(state.problem(), state.selection), false});
      return true;
    case CommandId::begin_earlier:
    case CommandId::begin_later:
      move_starts(state, id == CommandId::begin_later ? 1 : -1);
      return true;
    case CommandId::end_earlier:
    case CommandId::end_later:
      move_ends(state, id == CommandId::end_later ? 1 : -1);
      return true;
    case CommandId::type_values:
      focus_first_field(state);
      return true;
    default:
      return false;
  }
}

const char* why_disabled(const State& state, CommandId id) {
  switch (id) {
    case CommandId::pin:
    case CommandId::duplicate:
    case CommandId::remove_buffers:
      return state.selection.empty() ? "nothing is selected" : "";
    case CommandId::merge_buffers:
      return why_not_merged(state.problem(), state.selection);
    case CommandId::split_lifetime: {
      if (state.selection.empty()) return "nothing is selected";
      const auto splits = [&](BufferIndex i) {
        return can_split(state.problem(), i);
      };
      const bool any = std::any_of(state.selection.begin(), state.selection.end(), splits);
      return any ? "" : "it is live for less than three steps in a row";
    }
    case CommandId::begin_earlier:
    case CommandId::begin_later:
    case CommandId::end_earlier:
    case CommandId::end_later:
    case CommandId::type_values:
      return why_lifetimes_stay(state);
    case CommandId::new_problem:
    case CommandId::add_buffer:
    case CommandId::paste:
      return "";
    case CommandId::select_all:
      return state.has_problem() ? "" : "there are no buffers";
    default:
      return nullptr;
  }
}

}  // namespace

FeatureCommands edit_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
