#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

/// A buffer or another box, inside a box.
struct BoxMember {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  BufferIndex buffer = kNoBuffer;
  std::uint32_t box = kNone;
  bool operator==(const BoxMember&) const = default;
};

/// Buffers packed into one rectangle, which from then on is planned like a buffer; boxes nest.
struct Box {
  int level = 0;
  std::uint16_t space = 0;
  std::int64_t start = 0;  // hull of the members' lifetimes, [start, end)
  std::int64_t end = 0;
  std::int64_t height = 0;  // bytes; at least the load of the members
  std::uint32_t row = 0;    // of whatever holds it, from below
  // Where unboxing puts it, in bytes above 0: an order of what lies below what, not yet a place. kNoOffset: unknown.
  std::int64_t offset = kNoOffset;
  std::vector<BoxMember> members;
  bool operator==(const Box&) const = default;
};

/// Part of a list of the report: its elements [first, last).
struct BoxingRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t size() const { return last - first; }
  bool operator==(const BoxingRange&) const = default;
};

/// How hard a problem is for placing without waste: spread of the sizes, density of the conflicts, spread of the ends,
/// and (1 + h)(1 + c)(1 + d). (Lamprakos et al., arXiv 2504.04874.)
struct Hardness {
  double sizes = 0;      // h: standard deviation / mean
  double conflicts = 0;  // c: pairs in conflict / all pairs
  double ends = 0;       // d: standard deviation / mean
  double compound = 1;
};

/// Buffers or boxes that are treated as one.
struct BoxingSet {
  enum class Kind {
    kGroup,            // live at a critical point
    kUnresolved,       // a group too small for strips
    kOuterVertical,    // strips of Lemma 1; the outer ones stay unresolved
    kOuterHorizontal,  //
    kInnerVertical,    //
    kInnerHorizontal,  //
    kRow,              // of the unresolved ones of all groups, after interval colouring
  };
  Kind kind = Kind::kGroup;
  std::int64_t time = 0;  // of a group: its critical point
  BoxingRange members;    // in BoxingReport::members
  BoxingRange boxes;      // made of it, or with a row: of it and the rows before it
};

/// "group", "unresolved", "outer vertical strip", ... "row".
std::string_view name_of(BoxingSet::Kind kind);

/// One application of Theorem 2 to jobs that count as equally high.
struct BoxingCall {
  static constexpr std::uint32_t kRoot = 0xFFFFFFFFU;
  std::uint32_t parent = kRoot;  // the call whose sub-problem X it solves
  std::uint32_t slot = 0;        // between which of the parent's critical points
  std::int64_t start = 0;        // bounding interval
  std::int64_t end = 0;
  BoxingRange points;  // in BoxingReport::points: critical points, ends included
  BoxingRange sets;    // in BoxingReport::sets, in the order in which they come up
  std::uint32_t jobs = 0;
};

/// Jobs of about one size: Corollary 15.
struct BoxingBucket {
  std::int64_t job_height = 0;  // bytes; all of its jobs count as this high
  std::int64_t stacked = 0;     // so many of them fit into a box
  BoxingRange members;
  BoxingRange calls;
};

/// One round of boxing. The last one puts everything into boxes of one height.
struct BoxingLevel {
  bool converges = false;  // the last one
  std::uint32_t jobs = 0;
  std::uint32_t small = 0;    // of them boxed, the others stay as they are
  double ratio = 1;           // r: the largest size / the smallest
  double mu = 0;              //
  std::int64_t height = 0;    // of its boxes, bytes: the floor of H
  std::int64_t smallest = 0;  // bytes, of its jobs
  std::int64_t largest = 0;
  std::int64_t threshold = 0;  // a job up to this size is small
  BoxingRange buckets;
};

/// How the boxes of one space came to be. Flat lists; the ranges point into the next one.
struct BoxingReport {
  std::uint16_t space = 0;
  Hardness hardness;
  std::int64_t dummy = 0;  // bytes of the job added to widen the ratio of sizes; 0: none
  double epsilon = 0;
  double mu = 0;                // of the last level
  std::uint32_t first_box = 0;  // its boxes in the run: [first_box, first_box + boxes)
  std::uint32_t boxes = 0;
  std::vector<BoxingLevel> levels;
  std::vector<BoxingBucket> buckets;
  std::vector<BoxingCall> calls;
  std::vector<BoxingSet> sets;
  std::vector<std::int64_t> points;
  std::vector<BoxMember> members;   // neither buffer nor box: the dummy
  std::vector<std::int64_t> loose;  // by buffer of the problem: where unboxing puts it; kNoOffset in other spaces
  std::int64_t bootstrap_makespan = 0;
  std::int64_t boxed_makespan = 0;  // kMaxInt64: none was found
};

}  // namespace stowage
