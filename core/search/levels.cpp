#include "core/search/levels.h"

#include <algorithm>
#include <bit>

namespace stowage {
namespace {

constexpr std::int64_t kMostUnits = 1 << 20;
/// Items times words that are worth a bound.
constexpr std::int64_t kMostWork = 4'000'000;
constexpr std::int64_t kWord = 64;

/// bits |= bits << by, within their number of words.
void add_shifted(std::vector<std::uint64_t>& bits, std::int64_t by) {
  const auto words = static_cast<std::size_t>(by / kWord);
  const auto rest = static_cast<unsigned>(by % kWord);
  for (std::size_t k = bits.size(); k-- > words;) {
    std::uint64_t moved = bits[k - words] << rest;
    if (rest > 0 && k > words) moved |= bits[k - words - 1] >> (64U - rest);
    bits[k] |= moved;
  }
}

}  // namespace

Levels::Levels(const Instance& instance) {
  std::int64_t sum = 0;
  for (const Instance::Item& item : instance.items) {
    sum += item.size;
    if (sum > kMostUnits) return;
  }
  const std::int64_t words = sum / kWord + 1;
  if (!instance.plain || words * static_cast<std::int64_t>(instance.items.size()) > kMostWork) return;
  reached_.assign(static_cast<std::size_t>(words), 0);
  reached_[0] = 1;
  for (const Instance::Item& item : instance.items) add_shifted(reached_, item.size);
}

std::int64_t Levels::at_least(std::int64_t height) const {
  if (height <= 0 || height >= static_cast<std::int64_t>(reached_.size()) * kWord)
    return std::max<std::int64_t>(height, 0);
  auto word = static_cast<std::size_t>(height / kWord);
  std::uint64_t bits = reached_[word] >> static_cast<unsigned>(height % kWord) << static_cast<unsigned>(height % kWord);
  while (bits == 0 && ++word < reached_.size()) bits = reached_[word];
  if (bits == 0) return height;  // above the sum of all sizes
  return static_cast<std::int64_t>(word) * kWord + std::countr_zero(bits);
}

}  // namespace stowage
