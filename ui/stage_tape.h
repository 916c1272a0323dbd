#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/staged.h"
#include "core/model/buffer.h"
#include "core/transforms/step_subjects.h"

namespace stowage {

/// What the player knows of a transform whose steps it plays.
struct StageTape {
  std::string title;                     // of the transform
  std::shared_ptr<const Staged> before;  // the steps speak of its tensors
  Staged after;
  std::vector<Event> implied;          // as in TransformReport
  std::vector<StepSubject> subjects;   // by step
  std::vector<BufferIndex> buffer_of;  // by tensor: where it lies at the end of the pipeline; kNoBuffer: nowhere
  bool gives_tags = false;             // and takes them back: the lecture's pictures

  /// Of the step applied last.
  StepSubject subject_at(std::size_t position) const {
    return position == 0 || position > subjects.size() ? StepSubject{} : subjects[position - 1];
  }
  BufferIndex buffer_at(std::size_t position) const {
    const TensorIndex t = subject_at(position).tensor;
    return t < buffer_of.size() ? buffer_of[t] : kNoBuffer;
  }
};

}  // namespace stowage
