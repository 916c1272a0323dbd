#include "ui/lifetime_keys.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/key_series.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The lifetimes before the first press, and how far their ends have come since.
struct LifetimeSeries {
  KeySeries keys;
  std::vector<Buffer> before;
  std::int64_t start_by = 0;
  std::int64_t end_by = 0;
};

void move_lifetimes(State& state, std::int64_t start_by, std::int64_t end_by) {
  if (*why_lifetimes_stay(state) != '\0') return;
  const Problem& problem = state.problem();
  LifetimeSeries& series = state.part<LifetimeSeries>();
  if (!go_on(state, series.keys, state.selection)) {
    series.before.clear();
    for (const BufferIndex i : state.selection) series.before.push_back(problem[i]);
    series.start_by = series.end_by = 0;
  }
  start_by += series.start_by;
  end_by += series.end_by;
  EditRequest request;
  request.drag = true;
  for (std::size_t k = 0; k < series.before.size(); ++k) {
    const BufferIndex i = state.selection[k];
    const auto start = checked_add(series.before[k].start, start_by);
    const auto end = checked_add(series.before[k].end, end_by);
    if (!start || !end || *start >= *end) {
      return say_instead(state, series.keys, printable_utf8(problem.id(i)) + " would be live in no step");
    }
    request.edits.emplace_back(edit::Lifetime{i, *start, *end});
  }
  series.start_by = start_by;
  series.end_by = end_by;
  request.label = state.selection.size() == 1 ? "Lifetime of " + printable_utf8(problem.id(state.chosen()))
                                              : fmt::format("Lifetime of {} buffers", state.selection.size());
  edit_problem(state, std::move(request));
  if (!state.editing.busy() && !state.selection.empty()) {  // it may have been refused
    series.start_by = state.problem()[state.chosen()].start - series.before.back().start;
    series.end_by = state.problem()[state.chosen()].end - series.before.back().end;
  }
  Places places;
  for (const BufferIndex i : state.selection) {
    if (i < state.offsets().size()) places.emplace_back(i, state.offsets()[i]);
  }
  say_what_came_of_it(state, series.keys, places, {});
}

}  // namespace

void move_starts(State& state, std::int64_t by) {
  move_lifetimes(state, by, 0);
}

void move_ends(State& state, std::int64_t by) {
  move_lifetimes(state, 0, by);
}

const char* why_lifetimes_stay(const State& state) {
  if (!state.editing.mode) return "the edit mode is off";
  const auto gone = [&](BufferIndex i) {
    return i >= state.problem().size();
  };
  const bool some = std::none_of(state.selection.begin(), state.selection.end(), gone) && !state.selection.empty();
  return some ? "" : "nothing is selected";
}

}  // namespace stowage
