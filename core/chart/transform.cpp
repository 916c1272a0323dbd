#include "core/chart/transform.h"

namespace stowage {

namespace {

class Zoom {
 public:
  explicit Zoom(float factor) : factor_(factor) {}

  void operator()(draw::Fill& item) const {
    apply(item.rect);
    item.radius *= factor_;
  }
  void operator()(draw::Border& item) const {
    apply(item.rect);
    item.width *= factor_;
    item.radius *= factor_;
  }
  void operator()(draw::Hatch& item) const {
    apply(item.rect);
    item.spacing *= factor_;
  }
  void operator()(draw::Line& item) const {
    apply(item.from);
    apply(item.to);
    item.width *= factor_;
    item.dash *= factor_;
  }
  void operator()(draw::Polyline& item) const {
    for (Point& point : item.points) apply(point);
    item.width *= factor_;
    item.base_y *= factor_;
  }
  void operator()(draw::Text& item) const {
    apply(item.at);
    item.size *= factor_;
    apply(item.clip);
  }
  void operator()(draw::Image& item) const { apply(item.rect); }
  void operator()(draw::PushClip& item) const { apply(item.rect); }
  void operator()(draw::PopClip&) const {}

 private:
  void apply(Point& point) const {
    point.x *= factor_;
    point.y *= factor_;
  }
  void apply(Rect& rect) const {
    rect.left *= factor_;
    rect.top *= factor_;
    rect.right *= factor_;
    rect.bottom *= factor_;
  }

  float factor_;
};

}  // namespace

Scene zoomed(Scene scene, float factor) {
  scene.width *= factor;
  scene.height *= factor;
  for (DrawItem& item : scene.items) std::visit(Zoom(factor), item);
  return scene;
}

}  // namespace stowage
