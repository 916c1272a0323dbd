#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/base/result.h"
#include "core/model/objects.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// Shared objects while a planner binds buffers to them. Each binding is a step; an object is shown as a box.
class SharedObjects {
 public:
  /// Boxes are numbered from `first_box` on, so that a run can show several plans.
  SharedObjects(const Problem& problem, RunContext& context, std::uint32_t first_box = 0);

  std::size_t count() const { return objects_.sizes.size(); }
  std::int64_t size(std::uint32_t object) const { return objects_.sizes[object]; }
  const Objects& objects() const { return objects_; }

  /// A new object of the buffer's size (or of `size` bytes) with this buffer in it.
  std::uint32_t open(BufferIndex i, std::string why);
  std::uint32_t open(BufferIndex i, std::int64_t size, std::string why);
  /// One more buffer for an object, which grows when it is too small.
  void put(BufferIndex i, std::uint32_t object, std::string why);
  /// One more buffer at a place inside an object that is large enough.
  void put_at(BufferIndex i, std::uint32_t object, std::int64_t inner, std::string why);

  /// From now on each binding says of which other objects of its space it could not be, since a buffer of theirs lives
  /// at the same time: for planners that choose among all objects.
  void tell_what_is_passed_over() { tells_rejects_ = context_.records(); }

  /// Reasons need only be put into words then.
  bool records() const { return context_.records(); }
  void note(std::string text);
  /// True when the run was asked to stop: planners ask before each buffer or some hundred units of work, and return.
  bool should_stop();
  bool stopped() const { return stopped_; }

  /// Nothing is added any more: all boxes are complete.
  void close();

 private:
  void bind(BufferIndex i, std::uint32_t object, std::string why);
  void say_passed_over(BufferIndex i, std::uint32_t chosen) const;

  const Problem& problem_;
  RunContext& context_;
  std::uint32_t first_box_;
  Objects objects_;
  std::size_t asked_ = 0;
  std::size_t bound_ = 0;
  bool stopped_ = false;
  bool tells_rejects_ = false;
  std::vector<std::vector<BufferIndex>> members_;  // by object, while rejects are told
};

/// Binds the buffers of one space, all of which take memory, to objects of their own. `rows` ascend.
using BindSpace = std::function<void(const Problem&, std::span<const BufferIndex> rows, SharedObjects&)>;

/// Binds all buffers, one space after the other, and closes the objects. A buffer that takes no memory has no object.
/// Error: cancelled.
Result<SharedObjects> bind_to_objects(const Problem& problem, RunContext& context, const BindSpace& bind,
                                      std::uint32_t first_box = 0);

/// The plan in which the objects lie one above the other. Error: refused when an object can lie nowhere.
Result<RunResult> stack_objects(const Problem& problem, RunContext& context, const SharedObjects& objects);

/// Both of the above: what a planner of shared objects does.
Result<RunResult> plan_objects(const Problem& problem, RunContext& context, const BindSpace& bind);

/// What planners of shared objects honour: alignment, through the place of each object.
Capabilities object_planner_capabilities();

/// Rows by rising start, equal ones as they were.
std::vector<BufferIndex> by_start(const Problem& problem, std::span<const BufferIndex> rows);

/// "reuses object 3: all of its 64 bytes are free again, 16 stay unused".
std::string reuse_reason(const SharedObjects& objects, std::uint32_t object, std::int64_t size);

}  // namespace stowage
