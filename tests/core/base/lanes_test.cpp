#include "core/base/lanes.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace stowage;

TEST_CASE_TEMPLATE("lanes: blocks of a range cover it and nothing else", Value, std::int16_t, std::int32_t,
                   std::int64_t) {
  using L = Lanes<Value>;
  CHECK(L::block_of(L::kCount + 1) == L::kCount);
  CHECK(L::room(0) == 0);
  CHECK(L::room(1) == L::kCount);
  CHECK(L::room(L::kCount) == L::kCount);
  for (std::size_t first = 0; first < 20; ++first) {
    for (std::size_t last = first + 1; last <= 40; ++last) {
      std::vector<Value> numbers(L::room(40), 0);
      for_blocks<Value>(first, last, [&](std::size_t k, typename L::Type mask) {
        L::store(numbers.data() + k, L::load(numbers.data() + k) + (L::all(5) & mask));
      });
      for (std::size_t k = 0; k < numbers.size(); ++k) REQUIRE(numbers[k] == (first <= k && k < last ? 5 : 0));
    }
  }
}

TEST_CASE_TEMPLATE("lanes: minimum, maximum, sum and comparison", Value, std::int16_t, std::int32_t, std::int64_t) {
  using L = Lanes<Value>;
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Value> a;
    std::vector<Value> b;
    for (std::size_t k = 0; k < L::kCount; ++k) {
      a.push_back(static_cast<Value>(random.uniform(-50, 50)));
      b.push_back(static_cast<Value>(random.uniform(-50, 50)));
    }
    const auto min = L::min(L::load(a.data()), L::load(b.data()));
    const auto max = L::max(L::load(a.data()), L::load(b.data()));
    Value sum = 0;
    for (std::size_t k = 0; k < L::kCount; ++k) {
      CHECK(min[k] == std::min(a[k], b[k]));
      CHECK(max[k] == std::max(a[k], b[k]));
      sum = static_cast<Value>(sum + a[k]);
    }
    CHECK(L::least(L::load(a.data())) == *std::min_element(a.begin(), a.end()));
    CHECK(L::sum(L::load(a.data())) == sum);
    CHECK(L::any(L::load(a.data()) == L::all(b[0])) == (std::find(a.begin(), a.end(), b[0]) != a.end()));
  }
}
