#include "ui/board.h"

#include <utility>

#include <fmt/format.h>

#include "ui/open_document.h"
#include "ui/reading.h"

namespace stowage {

void new_problem(Workbench::State& state) {
  cancel_loading(state);
  auto problem = make_problem(ProblemInput{});
  if (!problem) return;
  LoadedFile empty;
  empty.document.problem = std::make_shared<const Problem>(std::move(*problem));
  empty.analysis = analyse(*empty.document.problem, {}).value_or(Analysis{});
  state.editing.mode = true;
  take_file(state, std::move(empty));
  forget_edits(state, "New problem");
}

bool shows_board(const Workbench::State& state) {
  return !state.has_problem() && state.editing.mode && state.index() != nullptr && state.loading_path.empty();
}

Viewport board_view(Rect area) {
  Viewport view;
  view.area = area;
  view.time_low = 0;
  view.time_high = 20;
  view.byte_low = 0;
  view.byte_high = 64 * 1024;
  return view;
}

std::string new_name(const Problem& problem) {
  const auto taken = [&](const std::string& name) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem.id(i) == name) return true;
    }
    return false;
  };
  std::size_t number = problem.size() + 1;
  while (taken(fmt::format("b{}", number))) ++number;
  return fmt::format("b{}", number);
}

}  // namespace stowage
