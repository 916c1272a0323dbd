#include "core/base/integers.h"

#include <numeric>
#include <utility>

namespace stowage {
namespace {

/// x with a * x = gcd(a, m) (mod m).
Int128 inverse(std::int64_t a, std::int64_t m) {
  Int128 x = 1;
  Int128 y = 0;
  while (m != 0) {
    const std::int64_t quotient = a / m;
    a = std::exchange(m, a % m);
    x = std::exchange(y, x - quotient * y);
  }
  return x;
}

}  // namespace

std::optional<Grid> intersect(const Grid& a, const Grid& b) {
  const std::int64_t divisor = std::gcd(a.step, b.step);
  const Int128 apart = Int128{b.phase} - a.phase;
  if (apart % divisor != 0) return std::nullopt;
  const Int128 step = Int128{a.step} / divisor * b.step;
  if (step > kMaxInt64) return std::nullopt;
  // Chinese remainder: how many steps of `a` lead from its phase to an offset of `b`.
  const std::int64_t turn = b.step / divisor;
  const Int128 steps = apart / divisor % turn * (inverse(a.step, b.step) % turn) % turn;
  const Int128 phase = ((a.phase + steps * a.step) % step + step) % step;
  return Grid{static_cast<std::int64_t>(step), static_cast<std::int64_t>(phase)};
}

}  // namespace stowage
