#include "core/search/item_order.h"

#include <algorithm>
#include <cmath>

#include "core/base/integers.h"
#include "core/search/range_max.h"

namespace stowage {
namespace {

struct Keyed {
  double first = 0;
  double second = 0;
  std::uint32_t item = 0;
};

constexpr double kSteps = 32;
constexpr double kStepsOfSize = 8;

double letter_of(const Instance::Item& item, const RangeMax& loads, double load, char letter) {
  const auto size = static_cast<double>(item.size);
  const auto width = static_cast<double>(item.last - item.first);
  switch (letter) {
    case 'T':
      return static_cast<double>(loads(item.first, item.last));
    case 'W':
      return width;
    case 'Z':
      return size;
    case 'S':
      return -item.first;
    case 'B':
      return std::floor(kSteps * static_cast<double>(loads(item.first, item.last)) / load) +
             kStepsOfSize * std::floor(kSteps * size / load);
    default:
      return size * width;
  }
}

}  // namespace

std::vector<std::uint32_t> item_order(const Instance& instance, std::string_view letters) {
  const RangeMax loads(instance.loads);
  const auto load = static_cast<double>(loads(0, instance.sections));
  std::vector<Keyed> keyed(instance.items.size());
  for (std::uint32_t i = 0; i < keyed.size(); ++i) {
    keyed[i].item = i;
    keyed[i].first = letter_of(instance.items[i], loads, load, letters.front());
    if (letters.size() > 1) keyed[i].second = letter_of(instance.items[i], loads, load, letters[1]);
  }
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    if (a.first != b.first) return a.first > b.first;
    if (a.second != b.second) return a.second > b.second;
    return a.item < b.item;
  });
  std::vector<std::uint32_t> order;
  order.reserve(keyed.size());
  for (const Keyed& k : keyed) order.push_back(k.item);
  return order;
}

}  // namespace stowage
