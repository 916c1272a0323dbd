#include "core/model/problem_check.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/radix_sort.h"

namespace stowage {
namespace {

void report(ProblemReport& to, const ProblemIssue& issue) {
  ++to.count;
  to.breaking += breaks_every_plan(issue.kind) ? 1U : 0U;
  if (to.issues.size() < ProblemReport::kListed) to.issues.push_back(issue);
}

/// What the pinned buffers break among themselves, as the checker of plans sees it.
void report_pins(ProblemReport& to, const Problem& problem) {
  if (!problem.has_fixed() || !problem.needs().only_lifetimes()) return;
  const ProblemInput& whole = problem.input();
  ProblemInput pinned;
  pinned.capacity = whole.capacity;
  pinned.time_unit = whole.time_unit;
  pinned.spaces = whole.spaces;
  pinned.kinds = whole.kinds;
  std::vector<BufferIndex> rows;
  Plan plan;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    if (!buffer.is_fixed() || problem.bodies().of(i) != Bodies::kNone) continue;
    const Details* details = problem.details(i);
    if (details != nullptr) {
      pinned.add(problem.id(i), buffer, *details);
    } else {
      pinned.add(problem.id(i), buffer);
    }
    rows.push_back(i);
    plan.offsets.push_back(buffer.fixed);
  }
  const auto among_pins = make_problem(std::move(pinned));
  if (!among_pins) return;
  const CheckReport found = check_plan(*among_pins, plan);
  for (const Issue& one : found.issues) {
    ProblemIssue issue;
    issue.kind = ProblemIssueKind::kPin;
    issue.pin = one;
    if (one.first != kNoBuffer) issue.buffer = issue.pin.first = rows[one.first];
    if (one.second != kNoBuffer) issue.pin.second = rows[one.second];
    report(to, issue);
  }
  const std::uint64_t unlisted = found.count - found.issues.size();
  to.count += unlisted;
  to.breaking += unlisted;
}

/// By hashes: this happens with each edit, and to sort names takes many times as long.
void report_duplicates(ProblemReport& to, const Problem& problem) {
  std::vector<KeyedIndex> hashes(problem.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) hashes[i] = {std::hash<std::string_view>()(problem.id(i)), i};
  radix_sort(hashes);
  std::vector<BufferIndex> again;
  std::vector<BufferIndex> firsts;  // of the names with one hash
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    if (k == 0 || hashes[k].key != hashes[k - 1].key) firsts.clear();
    const BufferIndex i = hashes[k].index;
    const bool known = std::any_of(firsts.begin(), firsts.end(),
                                   [&](BufferIndex first) { return problem.id(first) == problem.id(i); });
    (known ? again : firsts).push_back(i);
  }
  std::sort(again.begin(), again.end());
  for (const BufferIndex i : again) {
    ProblemIssue issue;
    issue.kind = ProblemIssueKind::kDuplicateName;
    issue.buffer = i;
    report(to, issue);
  }
}

}  // namespace

std::string_view name_of(ProblemIssueKind kind) {
  switch (kind) {
    case ProblemIssueKind::kLoadOverCapacity:
      return "load-over-capacity";
    case ProblemIssueKind::kLargerThanCapacity:
      return "larger-than-capacity";
    case ProblemIssueKind::kPin:
      return "pin";
    case ProblemIssueKind::kEmptyLifetime:
      return "empty-lifetime";
    case ProblemIssueKind::kZeroSize:
      return "zero-size";
    case ProblemIssueKind::kDuplicateName:
      return "duplicate-name";
  }
  return "";
}

bool breaks_every_plan(ProblemIssueKind kind) {
  return kind == ProblemIssueKind::kLoadOverCapacity || kind == ProblemIssueKind::kLargerThanCapacity ||
         kind == ProblemIssueKind::kPin;
}

ProblemReport check_problem(const Problem& problem, std::span<const ProblemMetrics> spaces) {
  ProblemReport found;
  for (std::size_t k = 0; k < spaces.size() && k < problem.spaces().size(); ++k) {
    const auto space = static_cast<std::uint16_t>(k);
    const auto capacity = problem.capacity(space);
    if (!capacity || spaces[k].load <= *capacity) continue;
    ProblemIssue issue;
    issue.kind = ProblemIssueKind::kLoadOverCapacity;
    issue.space = space;
    issue.bytes = spaces[k].load;
    issue.capacity = *capacity;
    issue.time_low = spaces[k].peak_start;
    issue.time_high = spaces[k].peak_end;
    report(found, issue);
  }
  const auto each = [&](ProblemIssueKind kind, auto holds) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (!holds(problem[i])) continue;
      ProblemIssue issue;
      issue.kind = kind;
      issue.buffer = i;
      issue.bytes = problem[i].size;
      issue.capacity = problem.capacity(problem[i].space).value_or(0);
      report(found, issue);
    }
  };
  each(ProblemIssueKind::kLargerThanCapacity, [&](const Buffer& buffer) {
    const auto capacity = problem.capacity(buffer.space);
    return capacity && buffer.takes_memory() && buffer.size > *capacity;
  });
  report_pins(found, problem);
  each(ProblemIssueKind::kEmptyLifetime, [](const Buffer& buffer) { return buffer.start == buffer.end; });
  each(ProblemIssueKind::kZeroSize, [](const Buffer& buffer) { return buffer.size == 0; });
  report_duplicates(found, problem);
  return found;
}

std::string describe(const ProblemIssue& issue, const Problem& problem) {
  const auto name = [&] {
    return issue.buffer != kNoBuffer ? std::string(problem.id(issue.buffer)) : std::string("the problem");
  };
  switch (issue.kind) {
    case ProblemIssueKind::kLoadOverCapacity:
      return fmt::format("the load of {} is {} bytes during [{}, {}), above the capacity of {}",
                         problem.spaces()[issue.space].id, issue.bytes, issue.time_low, issue.time_high,
                         issue.capacity);
    case ProblemIssueKind::kLargerThanCapacity:
      return fmt::format("{}: its {} bytes are more than the capacity of {}", name(), issue.bytes, issue.capacity);
    case ProblemIssueKind::kPin:
      return "pinned: " + describe(issue.pin, problem);
    case ProblemIssueKind::kEmptyLifetime:
      return name() + ": its lifetime is empty, so it takes no memory";
    case ProblemIssueKind::kZeroSize:
      return name() + ": its size is zero, so it takes no memory";
    case ProblemIssueKind::kDuplicateName:
      return name() + ": another buffer before it has the same name";
  }
  return "";
}

}  // namespace stowage
