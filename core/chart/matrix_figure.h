#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// A square table of classes, rows and columns with the same names: which pairs may share memory, for example.
struct MatrixFigureInput {
  struct Class {
    std::string name;
    Color color;
  };
  std::vector<std::string> names;   // of rows and columns, valid UTF-8 without line breaks
  std::vector<std::uint8_t> cells;  // row by row; places in `classes`
  std::vector<Class> classes;
  std::vector<std::string> facts;  // "120 pairs may share"
  std::string title;
  std::string subtitle;
  float width = 1600;  // logical pixels
  float height = 1000;
  float scale = 1;
};

/// Where the cells lie: the same for drawing and for asking what lies under the pointer.
struct MatrixLayout {
  Rect area;       // of all cells; square
  float side = 0;  // of a cell
  std::size_t count = 0;

  struct Cell {
    std::size_t row = 0;
    std::size_t column = 0;
  };
  std::optional<Cell> at(Point p) const;
};

/// The picture, and where its cells are.
struct MatrixFigure {
  Scene scene;
  MatrixLayout layout;
};
MatrixFigure make_matrix_figure(const MatrixFigureInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
