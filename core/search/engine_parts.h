#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace stowage {

/// A part of the engine that can be left out, to see what it buys; the plan stays sound, only higher or later.
enum class EnginePart {
  kNone,
  kPresolve,  // presolve.h
  kCore,      // core_first.h
  kGrease,    // what failed moves forward: large_fit.h
  kRepair,    // window_repair.h
  kPasses,    // greedy passes after the first plan: large_fit.h
  kSearch,    // exact search: descent.h
  kFollow,    // searches try first what is much like the best plan: priorities.h
  kBound      // window_bound.h
};

inline constexpr std::array<std::pair<std::string_view, EnginePart>, 9> kEngineParts = {{
    {"nothing", EnginePart::kNone},
    {"presolve", EnginePart::kPresolve},
    {"core", EnginePart::kCore},
    {"grease", EnginePart::kGrease},
    {"repair", EnginePart::kRepair},
    {"passes", EnginePart::kPasses},
    {"search", EnginePart::kSearch},
    {"following", EnginePart::kFollow},
    {"bound", EnginePart::kBound},
}};

}  // namespace stowage
