#include "core/chart/matrix_figure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/chart/figure_frame.h"
#include "core/chart/label.h"

namespace stowage {
namespace {

constexpr float kNamesFrom = 9;         // pixels of a cell from which names fit beside it
constexpr float kNameSize = 11;         // pixels
constexpr float kMostName = 150;        // pixels that names may take from the table
constexpr float kGapFrom = 6;           // cells of this many pixels are drawn apart
constexpr std::size_t kMostFills = 64;  // more rows become one image

std::uint32_t rgba(Color color) {
  return static_cast<std::uint32_t>(color.r) | static_cast<std::uint32_t>(color.g) << 8U |
         static_cast<std::uint32_t>(color.b) << 16U | static_cast<std::uint32_t>(color.a) << 24U;
}

class Matrix {
 public:
  Matrix(const MatrixFigureInput& input, const Theme& theme, const TextMeasure& measure)
      : input_(input),
        theme_(theme),
        measure_(measure),
        frame_(input.width, input.height, input.scale, ByteUnit::kAuto, theme, measure) {}

  MatrixFigure draw() {
    std::vector<FigureFrame::Key> keys;
    for (const MatrixFigureInput::Class& one : input_.classes) {
      keys.push_back({one.name, one.color, one.color, FigureFrame::Key::Kind::kFilled});
    }
    const float top = frame_.header(input_.title, input_.subtitle, std::move(keys));
    std::vector<FigureFrame::Fact> facts;
    for (const std::string& fact : input_.facts) {
      facts.push_back({{fact, theme_.text, FontFace::kText}});
    }
    place(Rect{24, top, frame_.scene().width - 24, frame_.footer(facts)});
    MatrixFigure figure;
    if (layout_.side > 0) {
      cells();
      if (named_ > 0) names();
    }
    figure.layout = layout_;
    figure.scene = frame_.take();
    return figure;
  }

 private:
  /// A square as large as it gets, with room for names where cells are large enough to tell them apart.
  void place(Rect room) {
    layout_.count = input_.names.size();
    if (layout_.count == 0 || room.width() < 40 || room.height() < 40) return;
    const auto count = static_cast<float>(layout_.count);
    float widest = 0;
    for (const std::string& name : input_.names) {
      widest = std::max(widest, measure_.width(name, kNameSize, FontFace::kText));
    }
    widest = std::min(widest + 8, kMostName);
    const float with_names = (std::min(room.width(), room.height()) - widest) / count;
    named_ = with_names >= kNamesFrom ? widest : 0;
    const float square = std::min(room.width(), room.height()) - named_;
    layout_.side = square / count;
    if (layout_.side > 36) layout_.side = 36;  // a small table is no poster
    const float side = layout_.side * count;
    const float left = room.left + named_ + (room.width() - named_ - side) / 2;
    const float top = room.top + named_ + (room.height() - named_ - side) / 2;
    layout_.area = Rect{left, top, left + side, top + side};
  }

  Color color_at(std::size_t row, std::size_t column) const {
    return input_.classes[input_.cells[row * layout_.count + column]].color;
  }

  void cells() {
    if (layout_.count > kMostFills) return image();
    const float gap = layout_.side >= kGapFrom ? 1.0F : 0.0F;
    for (std::size_t row = 0; row < layout_.count; ++row) {
      for (std::size_t column = 0; column < layout_.count; ++column) {
        const float left = layout_.area.left + static_cast<float>(column) * layout_.side;
        const float top = layout_.area.top + static_cast<float>(row) * layout_.side;
        frame_.scene().add(draw::Fill{Rect{left, top, left + layout_.side - gap, top + layout_.side - gap},
                                      color_at(row, column), gap > 0 ? 2.0F : 0.0F});
      }
    }
  }

  void image() {
    auto pixels = std::make_shared<std::vector<std::uint32_t>>();
    pixels->reserve(input_.cells.size());
    for (std::size_t row = 0; row < layout_.count; ++row) {
      for (std::size_t column = 0; column < layout_.count; ++column) pixels->push_back(rgba(color_at(row, column)));
    }
    const int side = static_cast<int>(layout_.count);
    frame_.scene().add(draw::Image{layout_.area, side, side, std::move(pixels), 1});
  }

  void names() {
    for (std::size_t k = 0; k < layout_.count; ++k) {
      const float middle = (static_cast<float>(k) + 0.5F) * layout_.side - kNameSize * 0.6F;
      const std::string name = shortened(input_.names[k], named_ - 8, kNameSize, FontFace::kText, measure_);
      frame_.scene().add(draw::Text{Point{layout_.area.left - 6, layout_.area.top + middle},
                                    name,
                                    theme_.text,
                                    kNameSize,
                                    FontFace::kText,
                                    TextAlign::kRight,
                                    {},
                                    false});
      frame_.scene().add(draw::Text{Point{layout_.area.left + middle, layout_.area.top - 6},
                                    name,
                                    theme_.text,
                                    kNameSize,
                                    FontFace::kText,
                                    TextAlign::kLeft,
                                    {},
                                    true});
    }
  }

  const MatrixFigureInput& input_;
  const Theme& theme_;
  const TextMeasure& measure_;
  FigureFrame frame_;
  MatrixLayout layout_;
  float named_ = 0;  // pixels of the names; 0: there are none
};

}  // namespace

std::optional<MatrixLayout::Cell> MatrixLayout::at(Point p) const {
  if (side <= 0 || !area.contains(p)) return std::nullopt;
  const auto place = [&](float along) {
    return std::min(count - 1, static_cast<std::size_t>(along / side));
  };
  return Cell{place(p.y - area.top), place(p.x - area.left)};
}

MatrixFigure make_matrix_figure(const MatrixFigureInput& input, const Theme& theme, const TextMeasure& measure) {
  return Matrix(input, theme, measure).draw();
}

}  // namespace stowage
