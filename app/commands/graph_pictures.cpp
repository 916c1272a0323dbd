#include "app/commands/graph_pictures.h"

#include "app/commands/reading.h"
#include "core/chart/graph_figure.h"
#include "core/chart/reuse_figure.h"
#include "core/model/metrics.h"
#include "core/render/cairo_painter.h"
#include "core/transforms/reuse_table.h"

namespace stowage {
namespace {

Result<PictureSize> graph_picture_size(const PictureFlags& pictures, const Document& document) {
  if (document.staged == nullptr) return input_error(shown_name(document.path) + " holds no operator graph");
  return parse_size(pictures.size);
}

}  // namespace

Result<void> add_graph_pictures(const PictureFlags& pictures, const Document& document, Outputs& outputs) {
  const Result<PictureSize> size = graph_picture_size(pictures, document);
  if (!size) return tl::unexpected(size.error());
  const ProblemMetrics facts = measure(*document.problem);
  GraphFigureInput input;
  input.staged = document.staged.get();
  input.facts = &facts;
  input.title = picture_title(document);
  input.subtitle = describe(document.recipe);
  input.width = size->width;
  input.height = size->height;
  input.scale = pictures.scale;
  return add_pictures(pictures, make_graph_figure(input, theme_of(pictures), CairoTextMeasure()), outputs);
}

Result<void> add_reuse_pictures(const PictureFlags& pictures, const Document& document, Outputs& outputs) {
  const Result<PictureSize> size = graph_picture_size(pictures, document);
  if (!size) return tl::unexpected(size.error());
  const ReuseTable table = reuse_table(*document.staged);
  ReuseFigureInput input;
  input.staged = document.staged.get();
  input.table = &table;
  input.title = picture_title(document);
  input.subtitle = describe(document.recipe);
  input.width = size->width;
  input.height = size->height;
  input.scale = pictures.scale;
  return add_pictures(pictures, make_reuse_figure(input, theme_of(pictures), CairoTextMeasure()).scene, outputs);
}

}  // namespace stowage
