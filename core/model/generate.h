#pragma once

#include <cstddef>
#include <cstdint>

#include "core/model/problem.h"

namespace stowage {

/// The synthetic family in which our speed is stated: horizon 2n, start uniform, lifetime geometric of mean 64 (at
/// least 1), size floor(exp(U(ln 64, ln 2^20))) rounded to 64: about 32 live on average. Deterministic for a seed.
ProblemInput synthetic_family(std::size_t buffers, std::uint64_t seed);

}  // namespace stowage
