#pragma once

#include <string>

#include "core/chart/matrix_figure.h"
#include "core/chart/theme.h"
#include "core/graph/staged.h"
#include "core/transforms/reuse_table.h"

namespace stowage {

/// The reuse matrix of a graph as a picture: which storages may share memory, and which only lack an order.
struct ReuseFigureInput {
  const Staged* staged = nullptr;
  const ReuseTable* table = nullptr;
  std::string title;
  std::string subtitle;
  float width = 1600;  // logical pixels
  float height = 1000;
  float scale = 1;
};
MatrixFigure make_reuse_figure(const ReuseFigureInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
