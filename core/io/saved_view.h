#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/problem.h"

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
  std::string plan;   // id of the shown one
  std::string space;  // id of the shown one
  std::vector<BufferIndex> selection;
  bool operator==(const SavedView&) const = default;
};

/// The object as JSON text; members of `before` that we do not know stay. Buffers are named by their ids, so that a
/// file that is edited by hand keeps the right ones: "b1", or {"id":"b1","occurrence":2} for the second of that id; by
/// their row where the id is no valid text.
std::string write_view(const SavedView& view, const Problem& problem, const std::string& before);
/// What is missing, of another type or senseless counts as missing; so do buffers that the problem does not have. Older
/// files name buffers by their rows.
SavedView read_view(const std::string& text, const Problem& problem);

}  // namespace stowage
