#include "core/steps/step_index.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/steps/step_player.h"

using namespace stowage;

namespace {

Step consider(BufferIndex i) {
  return {step::Consider{i}, {}};
}
Step reject(BufferIndex i, BufferIndex by, std::int64_t at) {
  return {step::Reject{i, by, at, 0, 1}, {}};
}
Step place(BufferIndex i, std::int64_t at) {
  return {step::Place{i, at}, {}};
}

}  // namespace

TEST_CASE("a moment knows whom the run is busy with, what failed for it, and who comes next") {
  const std::vector<Step> steps = {
      {step::Phase{"p"}, {}}, consider(0),  place(0, 0),           consider(1), reject(1, 0, 0),
      reject(1, 0, 8),        place(1, 16), {step::Note{"n"}, {}}, consider(2), place(2, 0)};
  const StepIndex index(steps);
  CHECK(index.moment(0, 9).buffer == kNoBuffer);
  CHECK(index.moment(0, 9).next == std::vector<BufferIndex>{0, 1, 2});
  CHECK(index.moment(1, 9).buffer == kNoBuffer);
  const Moment looking = index.moment(4, 9);
  CHECK(looking.buffer == 1);
  CHECK(looking.tried.empty());
  CHECK(looking.next == std::vector<BufferIndex>{2});
  const Moment placed = index.moment(7, 9);
  CHECK(placed.buffer == 1);
  REQUIRE(placed.tried.size() == 2);
  CHECK(placed.tried[0].offset == 0);
  CHECK(placed.tried[1].offset == 8);
  CHECK(placed.place == 16);
  CHECK(index.moment(8, 9).tried.size() == 2);  // a remark does not end the story
  CHECK(index.moment(9, 9).tried.empty());
  CHECK(index.moment(10, 9).next.empty());
  const Moment few = index.moment(6, 1);
  REQUIRE(few.tried.size() == 1);
  CHECK(few.tried[0].offset == 8);  // the latest ones
  CHECK(few.tried_before == 1);
  CHECK(index.moment(0, 2).next == std::vector<BufferIndex>{0, 1});
}

TEST_CASE("a run that does not say whom it considers tells its queue by what it places") {
  const std::vector<Step> steps = {place(0, 0), reject(1, 0, 0), place(1, 8), place(2, 0)};
  const StepIndex index(steps);
  CHECK(index.moment(1, 9).next == std::vector<BufferIndex>{1, 2});
  CHECK(index.moment(2, 9).buffer == 1);
  CHECK(index.moment(2, 9).next == std::vector<BufferIndex>{2});
}

TEST_CASE("steps are counted and filtered by kind") {
  std::vector<Step> steps;
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const auto which = random.uniform(0, 2);
    steps.push_back(which == 0 ? consider(0) : which == 1 ? place(0, 1) : Step{step::Incumbent{i}, {}});
  }
  const StepIndex index(steps);
  for (const std::size_t position : {std::size_t{0}, std::size_t{1}, std::size_t{77}, std::size_t{500}}) {
    const auto expected = std::count_if(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(position),
                                        [](const Step& s) { return kind_of(s) == StepKind::kPlace; });
    CHECK(index.count(StepKind::kPlace, position) == static_cast<std::size_t>(expected));
  }
  const auto rows = index.filtered({StepKind::kConsider, StepKind::kIncumbent});
  CHECK(rows.size() + index.all(StepKind::kPlace).size() == steps.size());
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  for (const std::uint32_t row : rows) CHECK(kind_of(steps[row]) != StepKind::kPlace);
  REQUIRE(!index.incumbents().empty());
  const StepValue first = index.incumbents().front();
  CHECK(std::get<step::Incumbent>(steps[first.position - 1].fact).makespan == first.value);
}

TEST_CASE("levels are the phases in which boxes come to be") {
  const Step phase{step::Phase{"p"}, {}};
  const Step open{step::OpenBox{}, {}};
  const std::vector<Step> steps = {open, phase, place(0, 0), phase, open, open, phase, phase, place(0, 1), open};
  CHECK(StepIndex(steps).levels() == std::vector<std::uint32_t>{3, 7});
  CHECK(StepIndex().levels().empty());
}

TEST_CASE("the names of kinds are those of steps") {
  for (const Step& step :
       {Step{step::Phase{}, {}}, Step{step::Consider{}, {}}, Step{step::Reject{}, {}}, Step{step::Place{}, {}},
        Step{step::Unplace{}, {}}, Step{step::OpenBox{}, {}}, Step{step::PutInBox{}, {}}, Step{step::CloseBox{}, {}},
        Step{step::OpenRow{}, {}}, Step{step::TakeTag{}, {}}, Step{step::ReturnTag{}, {}}, Step{step::Incumbent{}, {}},
        Step{step::Bound{}, {}}, Step{step::Note{}, {}}}) {
    CHECK(op_of(kind_of(step)) == op_of(step));
  }
}

TEST_CASE("any of a million steps is a keyframe and at most an interval away") {
  constexpr std::size_t kSteps = 1'000'000;
  constexpr std::size_t kBuffers = 500;
  std::vector<Step> steps;
  steps.reserve(kSteps);
  for (std::size_t i = 0; i < kSteps; ++i) {
    steps.push_back(place(static_cast<BufferIndex>(i % kBuffers), static_cast<std::int64_t>(i)));
  }
  StepPlayer player(steps, kBuffers);
  player.seek(kSteps);
  CHECK(player.applied() == kSteps);
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    const auto to = static_cast<std::size_t>(random.uniform(0, kSteps));
    const std::size_t before = player.applied();
    player.seek(to);
    CHECK(player.applied() - before <= player.interval());
    CHECK(player.interval() <= 1024);
    if (to > 0) CHECK(player.state().offsets[(to - 1) % kBuffers] == static_cast<std::int64_t>(to - 1));
  }
}
