#pragma once

#include <string>

#include "core/document/document.h"

namespace stowage::testing {

/// The first difference of what two documents hold, in words; empty when they hold the same. Numbers of kinds, spaces
/// and details are compared by what they stand for.
inline std::string difference(const Problem& a, const Problem& b) {
  if (a.size() != b.size()) return "number of buffers";
  static const Details none;
  for (BufferIndex i = 0; i < a.size(); ++i) {
    const std::string at = " of buffer " + std::to_string(i);
    const Buffer& x = a[i];
    const Buffer& y = b[i];
    if (a.id(i) != b.id(i)) return "id" + at;
    if (x.start != y.start || x.end != y.end || x.size != y.size) return "lifetime or size" + at;
    if (x.alignment != y.alignment || x.fixed != y.fixed) return "alignment or fixed offset" + at;
    if (a.kind(i) != b.kind(i)) return "kind" + at;
    if (a.spaces()[x.space].id != b.spaces()[y.space].id) return "space" + at;
    const Details& d = a.details(i) != nullptr ? *a.details(i) : none;
    const Details& e = b.details(i) != nullptr ? *b.details(i) : none;
    if (d.gaps != e.gaps) return "gaps" + at;
    if (d.hint != e.hint || d.requested != e.requested) return "hint or requested size" + at;
    if (d.op != e.op || d.source != e.source) return "op or source" + at;
  }
  return "";
}

/// The same for all that native JSON keeps and CSV cannot.
inline std::string full_difference(const Document& a, const Document& b) {
  const std::string buffers = difference(*a.problem, *b.problem);
  if (!buffers.empty()) return buffers;
  const ProblemInput& x = a.problem->input();
  const ProblemInput& y = b.problem->input();
  if (x.name != y.name || x.capacity != y.capacity || x.time_unit != y.time_unit) return "name, capacity or time unit";
  if (x.spaces != y.spaces) return "spaces";
  if (x.extra != y.extra) return "unknown keys of the problem";
  if (!(x.constraints == y.constraints)) return "constraints";
  static const Details none;
  for (BufferIndex i = 0; i < a.problem->size(); ++i) {
    const Details& d = a.problem->details(i) != nullptr ? *a.problem->details(i) : none;
    const Details& e = b.problem->details(i) != nullptr ? *b.problem->details(i) : none;
    if (!(d == e)) return "details of buffer " + std::to_string(i);
  }
  if (!(a.plans == b.plans)) return "plans";
  if (a.view != b.view || a.extra != b.extra) return "view or unknown keys";
  return "";
}

}  // namespace stowage::testing
