#pragma once

#include <cstdint>
#include <string>

#include "core/document/document.h"
#include "core/io/format.h"
#include "core/model/metrics.h"

namespace stowage::testing {

inline std::int64_t load_of(const Document& document) {
  return measure(*document.problem).load;
}

inline std::int64_t makespan_of(const Document& document) {
  return measure(*document.problem, measure(*document.problem), document.plans.at(0)).makespan;
}

/// An answer to what a format leaves open.
inline ReadOptions choose(const std::string& key, const std::string& value) {
  ReadOptions options;
  options.choices[key] = value;
  return options;
}

}  // namespace stowage::testing
