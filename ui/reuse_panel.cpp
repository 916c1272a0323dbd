#include "ui/reuse_panel.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

}  // namespace

void follow_reuse(State& state) {
  auto& panel = state.part<ReusePanel>();
  if (panel.staged == state.document.staged) return;
  panel.staged = state.document.staged;
  panel.made.reset();
  panel.why.clear();
  panel.work.cancel();
  if (panel.staged == nullptr) return;
  panel.work.start([staged = panel.staged](const std::stop_token&) {
    auto made = std::make_shared<ReusePanel::Made>(staged);
    made->table = reuse_table(*staged);
    return std::shared_ptr<const ReusePanel::Made>(std::move(made));
  });
}

const std::string& why_of_pair(ReusePanel& panel, std::size_t row, std::size_t column) {
  if (!panel.why.empty() && panel.asked_row == row && panel.asked_column == column) return panel.why;
  panel.asked_row = row;
  panel.asked_column = column;
  const Graph& graph = panel.made->staged->graph;
  const TensorIndex a = panel.made->table.roots[row];
  const TensorIndex b = panel.made->table.roots[column];
  panel.why = printable_utf8(graph.tensor(a).id);
  if (row == column) return panel.why;
  const WhyNotShared why = panel.made->matrix.why_not(a, b);
  panel.why += fmt::format(" and {}\n{}", printable_utf8(graph.tensor(b).id),
                           (why.may_share ? "they may: " : "") + printable_utf8(why.text));
  if (why.remedy) {
    panel.why +=
        fmt::format("\nan event would let them: {} waits for {}", printable_utf8(graph.op(why.remedy->before).id),
                    printable_utf8(graph.op(why.remedy->after).id));
  }
  return panel.why;
}

void poll_reuse(State& state) {
  auto& panel = state.part<ReusePanel>();
  auto made = panel.work.poll();
  if (!made) return;
  state.settle_frames = 3;
  panel.made = std::move(*made);
  ++panel.revision;
}

bool busy_reuse(const State& state) {
  return state.part<ReusePanel>().work.running();
}

}  // namespace stowage
