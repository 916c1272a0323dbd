#include "core/chart/reuse_figure.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/label.h"

namespace stowage {

MatrixFigure make_reuse_figure(const ReuseFigureInput& input, const Theme& theme, const TextMeasure& measure) {
  const ReuseTable& table = *input.table;
  MatrixFigureInput matrix;
  matrix.title = input.title;
  matrix.subtitle = input.subtitle;
  matrix.width = input.width;
  matrix.height = input.height;
  matrix.scale = input.scale;
  for (const TensorIndex root : table.roots) matrix.names.push_back(one_line(input.staged->graph.tensor(root).id));
  // In the order of ReuseCell.
  matrix.classes = {{"itself", theme.line},
                    {"may share memory", theme.good},
                    {"needed at the same time", with_alpha(theme.dim, 0.35)},
                    {"only an order is missing", theme.warn}};
  matrix.cells.reserve(table.cells.size());
  for (const ReuseCell cell : table.cells) matrix.cells.push_back(static_cast<std::uint8_t>(cell));
  const auto count = [](std::size_t n, const char* one, const char* more) {
    return fmt::format("{} {}", format_count(static_cast<std::int64_t>(n)), n == 1 ? one : more);
  };
  matrix.facts = {count(table.roots.size(), "storage", "storages"),
                  count(table.pairs_to_share, "pair may share memory", "pairs may share memory"),
                  count(table.pairs_short_of_an_order, "pair lacks only an order", "pairs lack only an order")};
  if (table.left_out > 0) matrix.facts.push_back(count(table.left_out, "storage not shown", "storages not shown"));
  return make_matrix_figure(matrix, theme, measure);
}

}  // namespace stowage
