#pragma once

namespace stowage {

/// The spaces of a double-ended memory, each counted from its own end.
inline constexpr const char* kWeightsSpace = "weights";
inline constexpr const char* kValuesSpace = "memory";  // of everything that names none

}  // namespace stowage
