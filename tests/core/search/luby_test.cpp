#include "core/search/luby.h"

#include <vector>

#include <doctest/doctest.h>

using namespace stowage;

TEST_CASE("the lengths of restarts are Luby's") {
  std::vector<std::int64_t> lengths;
  for (std::int64_t k = 1; k <= 16; ++k) lengths.push_back(luby(k));
  CHECK(lengths == std::vector<std::int64_t>{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1});
}
