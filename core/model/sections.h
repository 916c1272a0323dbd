#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/bodies.h"
#include "core/model/buffer.h"

namespace stowage {

struct ProblemInput;

/// Sections [first, last) of a buffer, and the bytes [low, high) that it needs there.
struct Span {
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool operator==(const Span&) const = default;
};

/// The hull of a buffer's spans; empty (first == last) for a buffer that takes no memory.
struct SectionRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int32_t length() const { return last - first; }
  bool overlaps(const SectionRange& other) const { return first < other.last && other.first < last; }
  bool operator==(const SectionRange&) const = default;
};

/// A maximal range of time with an unchanging live set, just before something in it ends.
struct Section {
  std::int64_t start = 0;  // the last arrival before `end`
  std::int64_t end = 0;    // the departure that closes it
  std::int64_t load = 0;   // bytes needed during it
  bool operator==(const Section&) const = default;
};

/// Buffers connected through conflicts: they can be planned alone, on the sections [first, last).
struct Partition {
  std::vector<BufferIndex> buffers;  // in order of arrival
  std::int32_t first = 0;
  std::int32_t last = 0;
  bool operator==(const Partition&) const = default;
};

/// Time cut into sections by one sweep (rule of google/minimalloc src/sweeper.cc): a section is closed by each distinct
/// time at which something ends. Sections are numbered from 0 and lie within one space; those of the next space follow,
/// so that buffers of different spaces share none and two buffers without gaps conflict exactly when their ranges
/// overlap.
class Sections {
 public:
  Sections() = default;
  Sections(const ProblemInput& input, const Bodies& bodies);

  std::size_t count() const { return sections_.size(); }
  const Section& operator[](std::size_t i) const { return sections_[i]; }
  std::span<const Section> all() const { return sections_; }

  SectionRange range(BufferIndex i) const { return ranges_[i]; }
  std::span<const SectionRange> ranges() const { return ranges_; }
  /// The spans of a buffer in time order; one for a buffer without gaps. Calls visit(Span).
  template <typename Visit>
  void for_each_span(const Buffer& buffer, BufferIndex i, Visit&& visit) const;

  /// Sections of one space: [first_of_space(s), first_of_space(s + 1)).
  std::int32_t first_of_space(std::size_t space) const { return first_of_space_[space]; }

  /// The largest sum of needed bytes: no plan can have a lower makespan. 0 without sections.
  std::int64_t load() const { return load_; }
  /// The earliest section with that load, or -1 when there is none.
  std::int32_t peak() const { return peak_; }
  std::int64_t load_of_space(std::size_t space) const;
  /// The earliest section of a space with the space's load, or -1 when it has none.
  std::int32_t peak_of_space(std::size_t space) const;

 private:
  std::vector<Section> sections_;
  std::vector<SectionRange> ranges_;
  std::vector<std::int32_t> first_of_space_;
  // Spans of the buffers with gaps only: span_begin_[i] .. span_begin_[i + 1]; empty when no buffer has gaps.
  std::vector<std::uint32_t> span_begin_;
  std::vector<Span> spans_;
  std::int64_t load_ = 0;
  std::int32_t peak_ = -1;
};

template <typename Visit>
void Sections::for_each_span(const Buffer& buffer, BufferIndex i, Visit&& visit) const {
  if (!span_begin_.empty() && span_begin_[i] != span_begin_[i + 1]) {
    for (std::uint32_t k = span_begin_[i]; k < span_begin_[i + 1]; ++k) visit(spans_[k]);
  } else if (ranges_[i].first != ranges_[i].last) {
    visit(Span{ranges_[i].first, ranges_[i].last, 0, buffer.size});
  }
}

/// Buffers grouped by the partitions of time, ascending; buffers that take no memory belong to none. O(n log n).
std::vector<Partition> partitions(std::span<const Buffer> buffers, const Sections& sections);

/// cuts[i]: the buffers whose hull spans both section i and section i + 1; count() - 1 numbers.
std::vector<std::int32_t> cuts(std::span<const Buffer> buffers, const Sections& sections);

}  // namespace stowage
