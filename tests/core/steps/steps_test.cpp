#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/steps/step.h"
#include "core/steps/step_player.h"

using namespace stowage;

namespace {

Problem two_buffers() {
  ProblemInput input;
  Buffer b;
  b.end = 4;
  b.size = 16384;
  input.add("b17", b);
  b.size = 12288;
  input.add("b3", b);
  return make_problem(input).value();
}

std::vector<Step> random_steps(std::uint64_t seed, std::size_t count, std::int64_t buffers) {
  Random random(seed);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < count; ++i) {
    const auto buffer = static_cast<BufferIndex>(random.uniform(0, buffers - 1));
    switch (random.uniform(0, 5)) {
      case 0:
        steps.push_back({step::Phase{"p"}, {}});
        break;
      case 1:
        steps.push_back({step::Consider{buffer}, {}});
        break;
      case 2:
        steps.push_back({step::Unplace{buffer}, {}});
        break;
      case 3:
        steps.push_back({step::Incumbent{random.uniform(0, 99)}, {}});
        break;
      case 4:
        steps.push_back({step::Bound{random.uniform(0, 99)}, {}});
        break;
      default:
        steps.push_back({step::Place{buffer, random.uniform(0, 99)}, {}});
        break;
    }
  }
  return steps;
}

}  // namespace

TEST_CASE("captions say what happened, with names and both byte counts of a reject") {
  const Problem problem = two_buffers();
  CHECK(caption({step::Reject{0, 1, 4096, 12288, 16384}, {}}, problem) ==
        "b17 does not fit below b3 at offset 4096: 12,288 B free, 16,384 B needed");
  CHECK(caption({step::Place{1, 4096}, "the lowest place"}, problem) ==
        "b3 is placed at offset 4096 (4 KiB): the lowest place");
  CHECK(caption({step::Unplace{1}, {}}, problem) == "b3 is taken out again");
}

TEST_CASE("seeking anywhere gives the state of playing from the start") {
  const std::size_t buffers = 7;
  const std::vector<Step> steps = random_steps(5, 9000, buffers);
  StepPlayer player(steps, buffers);
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const auto position = static_cast<std::size_t>(random.uniform(0, 9000));
    player.seek(position);
    StepPlayer fresh(std::span<const Step>(steps).first(position), buffers);
    fresh.seek(position);
    CHECK(player.position() == position);
    CHECK(player.state() == fresh.state());
  }
  player.seek(1'000'000);
  CHECK(player.position() == steps.size());
}

TEST_CASE("a full log keeps phases, incumbents and bounds, and says that it was cut") {
  StepLog log(3);
  for (int i = 0; i < 5; ++i) log.add({step::Consider{0}, {}});
  CHECK(log.truncated());
  log.add({step::Phase{"end"}, {}});
  log.add({step::Incumbent{5}, {}});
  log.add({step::Bound{5}, {}});
  log.add({step::Note{"not kept"}, {}});
  REQUIRE(log.steps().size() == 6);
  CHECK(op_of(log.steps()[3]) == "phase");
  CHECK(op_of(log.steps()[4]) == "incumbent");
  CHECK(op_of(log.steps()[5]) == "bound");
}

TEST_CASE("the player knows the boxes at any step: open ones, closed ones, and what is in them") {
  std::vector<Step> steps;
  steps.push_back({step::OpenBox{0, 0}, {}});
  steps.push_back({step::PutInBox{0, BoxMember{1, BoxMember::kNone}}, {}});
  steps.push_back({step::CloseBox{0, 0, 2, 9, 64}, {}});
  steps.push_back({step::OpenBox{1, 1}, {}});
  steps.push_back({step::PutInBox{1, BoxMember{kNoBuffer, 0}}, {}});
  steps.push_back({step::OpenBox{0, 0}, "once more"});
  StepPlayer player(steps, 2);
  CHECK(player.boxes().empty());
  player.seek(2);
  REQUIRE(player.boxes().size() == 1);
  CHECK_FALSE(player.boxes()[0].closed);
  CHECK(player.boxes()[0].members.size() == 1);
  player.seek(5);
  REQUIRE(player.boxes().size() == 2);
  CHECK(player.boxes()[0].closed);
  CHECK(player.boxes()[0].height == 64);
  CHECK(player.boxes()[1].level == 1);
  CHECK(player.boxes()[1].members[0].box == 0);
  player.seek(6);
  REQUIRE(player.boxes().size() == 1);
  CHECK(player.boxes()[0].members.empty());
  player.seek(1);
  CHECK(player.boxes()[0].members.empty());
  CHECK_FALSE(player.boxes()[0].closed);
}
