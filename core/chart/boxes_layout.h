#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/box.h"
#include "core/model/problem.h"
#include "core/steps/step_player.h"

namespace stowage {

/// A box or a buffer in one, at the address at which it is drawn.
struct BoxShape {
  enum class State {
    kAbsent,   // a box that is yet to come: its contents keep their places
    kWaiting,  // a buffer that is yet to be put into its box
    kOpen,
    kDone,
  };
  BoxMember what;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;  // bytes, of rows
  std::int64_t high = 0;
  std::int64_t height = 0;                // bytes, as the box itself says
  int depth = 0;                          // boxes around it
  int level = 0;                          // of a box
  BoxingRange rows;                       // in BoxesLayout::rows: between the rows of its contents
  BoxingRange points;                     // in BoxesLayout::points: critical points of its contents
  std::optional<BoxingSet::Kind> origin;  // of a box, where it is known: a strip or rows
  State state = State::kDone;

  bool is_box() const { return what.box != BoxMember::kNone; }
};

/// Boxes with their contents, outer ones before inner ones.
struct BoxesLayout {
  std::vector<BoxShape> shapes;
  std::vector<std::int64_t> rows;        // addresses
  std::vector<std::int64_t> outer_rows;  // between the rows of the outer boxes
  std::vector<std::int64_t> points;      // times
  std::int64_t start = 0;                // hull of all
  std::int64_t end = 0;
  std::int64_t height = 0;  // bytes

  // What is being boxed at a step: one call of Theorem 2. Without points: nothing.
  std::int64_t call_start = 0;
  std::int64_t call_end = 0;
  std::vector<std::int64_t> call_points;

  std::size_t count(BoxShape::State state) const;  // of the boxes
};

/// Lays out the boxes of one space: the outer ones, and in each box its contents, in the rows of an interval colouring;
/// a row is as high as its highest member. Buffers are to scale. Boxes are drawn as high as their rows: they really are
/// higher, so much that to scale one would see nothing else. Boxes are numbered by their place in the list.
BoxesLayout layout_boxes(const Problem& problem, std::span<const Box> boxes, std::uint16_t space);
/// The same for boxes of a log. One that was never closed is as high as its rows.
BoxesLayout layout_boxes(const Problem& problem, std::span<const ReplayBox> boxes, std::uint16_t space);

/// Adds what the boxes were made of and their critical points; the report must be of these boxes.
void add_origins(BoxesLayout& layout, const BoxingReport& report);

/// The boxes of a log at any of its steps. Each box lies from the first where it will lie when all are there.
class BoxesStory {
 public:
  /// Everything must outlive it. `boxes` and `reports` of the run; empty when they are not known.
  BoxesStory(const Problem& problem, std::span<const Step> steps, std::span<const Box> boxes,
             std::span<const BoxingReport> reports, std::uint16_t space);

  /// After exactly the first `position` steps.
  BoxesLayout at(std::size_t position);

 private:
  std::size_t end_of_attempt(std::size_t position) const;
  void lay_out_attempt(std::size_t end);
  bool is_of(const BoxingReport& report, std::span<const ReplayBox> boxes) const;
  std::uint32_t current_box(std::size_t position) const;
  void add_call(BoxesLayout& layout, std::size_t position) const;

  const Problem& problem_;
  std::span<const Step> steps_;
  std::span<const Box> boxes_;
  std::span<const BoxingReport> reports_;
  std::uint16_t space_;
  StepPlayer player_;
  std::vector<std::size_t> attempts_;    // positions at which the boxing begins anew; the last one is the end
  std::optional<std::size_t> laid_out_;  // the end of the attempt whose layout it is
  BoxesLayout complete_;
  const BoxingReport* report_ = nullptr;  // of that attempt
};

}  // namespace stowage
