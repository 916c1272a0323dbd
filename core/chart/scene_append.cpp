#include "core/chart/scene_append.h"

#include <utility>

namespace stowage {
namespace {

class Mover {
 public:
  explicit Mover(Point by) : by_(by) {}

  void operator()(draw::Line& line) const {
    move(line.from);
    move(line.to);
  }
  void operator()(draw::Polyline& line) const {
    for (Point& point : line.points) move(point);
    line.base_y += by_.y;
  }
  void operator()(draw::Text& text) const {
    move(text.at);
    if (text.clip.width() > 0 && text.clip.height() > 0) move(text.clip);  // an empty one means none
  }
  void operator()(draw::PopClip&) const {}
  template <typename Rectangular>
  void operator()(Rectangular& item) const {
    move(item.rect);
  }

 private:
  void move(Point& point) const {
    point.x += by_.x;
    point.y += by_.y;
  }
  void move(Rect& rect) const {
    rect.left += by_.x;
    rect.right += by_.x;
    rect.top += by_.y;
    rect.bottom += by_.y;
  }

  Point by_;
};

}  // namespace

void append_scene(Scene& to, Scene part, Point by) {
  to.items.reserve(to.items.size() + part.items.size());
  for (DrawItem& item : part.items) {
    std::visit(Mover(by), item);
    to.items.push_back(std::move(item));
  }
}

}  // namespace stowage
