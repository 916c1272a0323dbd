#pragma once

#include <cstdint>
#include <span>

#include "core/allocators/idealloc/instance.h"
#include "core/model/box.h"

namespace stowage::idealloc {

/// Writes down how boxes come to be; without a report it does nothing.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Instance& instance, BoxingReport& report) : instance_(&instance), report_(&report) {}

  explicit operator bool() const { return report_ != nullptr; }

  void level(const BoxingLevel& level);
  void bucket(std::int64_t job_height, std::int64_t stacked, std::span<const ItemIndex> jobs);
  /// The number of the call. Points are 2 rank or 2 rank + 1.
  std::uint32_t call(std::uint32_t parent, std::uint32_t slot, std::span<const std::int64_t> points, std::size_t jobs);
  void set(BoxingSet::Kind kind, std::span<const ItemIndex> members, std::int64_t point = 0);
  /// The set said last has become part of this box.
  void box(ItemIndex box);

 private:
  const Instance* instance_ = nullptr;
  BoxingReport* report_ = nullptr;
};

}  // namespace stowage::idealloc
