// Every registered allocator with any of its parameters, on problems with any constraints: it plans what the checker
// accepts, or refuses in words.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/core/allocators/soundness.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// For parameters that take more than their choices: values that small problems feel.
const std::map<std::string, std::vector<std::string>>& more_values() {
  static const std::map<std::string, std::vector<std::string>> kValues = {
      {"attempts", {"1", "20"}},
      {"backtracks", {"1", "30"}},
      {"iterations", {"1", "40"}},
      {"limit", {"0", "30", "100"}},
      {"lives", {"1", "3"}},
      {"memory-pressure", {"0", "80"}},
      {"nodes", {"1", "300"}},
      {"order", {"TW", "OCLUZ", "A"}},
      {"part", {"1", "4"}},
      {"partition", {"0", "16"}},
      {"persistent", {"state", "state+weight"}},
      {"playouts", {"1", "5"}},
      {"rounds", {"3", "100"}},
      {"single-object-gain", {"0", "7"}},
      {"start", {"given", "ZT", "area"}},
      {"threads", {"1", "2"}},
  };
  return kValues;
}

std::string any_value(Random& random, const ParamSpec& spec) {
  const auto more = more_values().find(spec.key);
  const bool open = !spec.closed && more != more_values().end();
  const std::vector<std::string>& values = open ? more->second : spec.choices;
  if (values.empty() || (!spec.closed && !open)) return spec.value;
  return values[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(values.size()) - 1))];
}

/// About half of the parameters are set.
ParamValues any_params(Random& random, const Allocator& allocator) {
  ParamValues params;
  for (const ParamSpec& spec : allocator.params) {
    if (random.uniform(0, 1) == 0) params[spec.key] = any_value(random, spec);
  }
  return params;
}

/// Each constraint by itself is rare enough that many allocators can honour the whole.
RandomShape any_shape(Random& random) {
  const auto now_and_then = [&] {
    return random.uniform(0, 6) == 0;
  };
  RandomShape shape;
  shape.buffers = random.uniform(2, 14);
  shape.horizon = random.uniform(2, 30);
  shape.largest = random.uniform(0, 3) == 0 ? 4 : 40;
  shape.alignments = random.uniform(0, 2) == 0;
  shape.empty_ones = now_and_then();
  shape.gaps = now_and_then();
  shape.edges = now_and_then();
  shape.only_edges = now_and_then();
  shape.clocks = now_and_then();
  shape.colocations = now_and_then();
  shape.groups = now_and_then();
  shape.slices = now_and_then();
  shape.candidates = now_and_then();
  shape.spaces = !shape.candidates && now_and_then();
  shape.fixed = !shape.candidates && now_and_then();  // they would lie above the limit
  return shape;
}

/// STOWAGE_RANDOM_PROBLEMS asks for more of them.
std::uint64_t problems_for_each() {
  const char* wanted = std::getenv("STOWAGE_RANDOM_PROBLEMS");
  return wanted == nullptr ? 100 : static_cast<std::uint64_t>(std::atoll(wanted));
}

}  // namespace

TEST_CASE("every allocator: a valid plan or words, whatever its parameters and the constraints") {
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    std::uint64_t planned = 0;
    for (std::uint64_t seed = 1; seed <= problems_for_each(); ++seed) {
      CAPTURE(seed);
      Random random(1'000'000 + seed);
      const RandomShape shape = any_shape(random);
      const ParamValues params = any_params(random, allocator);
      std::string said;
      for (const auto& [key, value] : params) said += key + "=" + value + " ";
      CAPTURE(said);
      if (check_sound(allocator, random_problem(seed, shape), params)) ++planned;
    }
    CHECK(planned * 5 > problems_for_each());
  }
}
