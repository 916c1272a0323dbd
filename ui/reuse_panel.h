#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/chart/matrix_figure.h"
#include "core/graph/staged.h"
#include "core/tasks/background.h"
#include "core/transforms/reuse.h"
#include "core/transforms/reuse_table.h"
#include "ui/figure_pane.h"
#include "ui/workbench.h"

namespace stowage {

/// The reuse matrix of the open graph: which storages may share memory, why a pair may not, and which event would help.
struct ReusePanel {
  struct Made {
    explicit Made(std::shared_ptr<const Staged> of) : staged(std::move(of)), matrix(*staged) {}
    std::shared_ptr<const Staged> staged;
    ReuseMatrix matrix;
    ReuseTable table;
  };

  std::shared_ptr<const Staged> staged;  // for which it is made; null: there is no graph
  std::shared_ptr<const Made> made;
  Background<std::shared_ptr<const Made>> work;
  std::uint64_t revision = 0;
  FigurePane figure;
  MatrixLayout layout;
  std::size_t asked_row = 0;  // what `why` answers
  std::size_t asked_column = 0;
  std::string why;
};

/// Makes the matrix in the background when the graph has changed.
void follow_reuse(Workbench::State& state);
/// Why the storages of a row and a column may share memory, or may not; kept until another pair is asked for.
const std::string& why_of_pair(ReusePanel& panel, std::size_t row, std::size_t column);

}  // namespace stowage
