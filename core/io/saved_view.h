#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// How a document was looked at: the "view" object of its file. Every part may be missing.
struct SavedView {
  /// The visible part of the plane, see Viewport.
  struct Camera {
    double time_low = 0;
    double time_high = 1;
    double byte_low = 0;
    double byte_high = 1;
    std::int64_t time_origin = 0;
    std::int64_t byte_origin = 0;
    bool operator==(const Camera&) const = default;
  };
  std::optional<Camera> camera;  // nothing: everything is shown
  std::string filter;
  std::string plan;                      // id of the shown one
  std::string space;                     // id of the shown one
  std::vector<std::uint32_t> selection;  // rows
  bool operator==(const SavedView&) const = default;
};

/// The object as JSON text; members of `before` that we do not know stay.
std::string write_view(const SavedView& view, const std::string& before);
/// What is missing, of another type or senseless counts as missing.
SavedView read_view(const std::string& text);

}  // namespace stowage
