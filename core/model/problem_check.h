#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/model/problem.h"

namespace stowage {

/// What is odd about a problem before anything is planned. The first three make every plan break a rule; the others are
/// legal, and mostly not meant.
enum class ProblemIssueKind { kLoadOverCapacity, kLargerThanCapacity, kPin, kEmptyLifetime, kZeroSize, kDuplicateName };
/// "load-over-capacity", "larger-than-capacity", "pin", "empty-lifetime", "zero-size", "duplicate-name".
std::string_view name_of(ProblemIssueKind kind);
bool breaks_every_plan(ProblemIssueKind kind);

struct ProblemIssue {
  ProblemIssueKind kind = ProblemIssueKind::kEmptyLifetime;
  BufferIndex buffer = kNoBuffer;  // kNoBuffer: the whole problem
  Issue pin;                       // of kPin: the rule that the pinned offsets break
  std::uint16_t space = 0;         // of kLoadOverCapacity
  std::int64_t bytes = 0;          // the load, or the size
  std::int64_t capacity = 0;
  std::int64_t time_low = 0;  // where the load is highest
  std::int64_t time_high = 0;
};

struct ProblemReport {
  static constexpr std::size_t kListed = 10'000;
  std::vector<ProblemIssue> issues;  // at most kListed, in the order of their kinds
  std::uint64_t count = 0;           // all of them
  std::uint64_t breaking = 0;        // those that break every plan
};

/// `spaces` are the metrics of each space. O(n log n). Pins are looked at where lifetimes alone say who conflicts; tied
/// buffers may share their memory and are left out.
ProblemReport check_problem(const Problem& problem, std::span<const ProblemMetrics> spaces);

/// The issue in words, with the names.
std::string describe(const ProblemIssue& issue, const Problem& problem);

}  // namespace stowage
