#include "core/render/gif_palette.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace stowage {
namespace {

int channel_of(std::uint32_t colour, unsigned shift) {
  return static_cast<int>(colour >> shift & 0xFFU);
}

int distance_between(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (const unsigned shift : {0U, 8U, 16U}) {
    const int difference = channel_of(a, shift) - channel_of(b, shift);
    sum += difference * difference;
  }
  return sum;
}

std::size_t nearest_of(const std::vector<std::uint32_t>& palette, std::uint32_t colour) {
  std::size_t best = 0;
  int least = std::numeric_limits<int>::max();
  for (std::size_t k = 0; k < palette.size(); ++k) {
    const int distance = distance_between(palette[k], colour);
    if (distance >= least) continue;
    least = distance;
    best = k;
  }
  return best;
}

/// Each colour with its number of pixels, the most frequent first; the order is the same for the same picture.
std::vector<std::pair<std::uint32_t, std::size_t>> by_frequency(const std::vector<std::uint32_t>& colours) {
  std::unordered_map<std::uint32_t, std::size_t> counts;
  for (std::size_t begin = 0; begin < colours.size();) {
    std::size_t end = begin + 1;
    while (end < colours.size() && colours[end] == colours[begin]) ++end;
    counts[colours[begin]] += end - begin;
    begin = end;
  }
  std::vector<std::pair<std::uint32_t, std::size_t>> ordered(counts.begin(), counts.end());
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return ordered;
}

}  // namespace

IndexedPixels index_colours(const std::vector<std::uint32_t>& colours) {
  IndexedPixels indexed;
  std::unordered_map<std::uint32_t, unsigned char> places;
  for (const auto& [colour, count] : by_frequency(colours)) {
    std::size_t place = indexed.palette.size();
    if (place < kMostGifColours) {
      indexed.palette.push_back(colour);
    } else {
      place = nearest_of(indexed.palette, colour);
    }
    places[colour] = static_cast<unsigned char>(place);
  }
  indexed.pixels.resize(colours.size());
  for (std::size_t k = 0; k < colours.size(); ++k) {
    indexed.pixels[k] = k > 0 && colours[k] == colours[k - 1] ? indexed.pixels[k - 1] : places[colours[k]];
  }
  return indexed;
}

}  // namespace stowage
