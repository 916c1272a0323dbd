#include "core/document/edit.h"

#include <random>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;

namespace {

Problem three() {
  ProblemInput input;
  input.add("a", buffer(0, 4, 10));
  Details details;
  details.gaps = {Gap{4, 6, std::nullopt}, Gap{7, 8, Window{2, 18}}};
  input.add("b", buffer(2, 9, 20), details);
  input.add("c", buffer(5, 9, 30));
  return make_problem(std::move(input)).value();
}

Problem edited(const Problem& problem, std::vector<Edit> edits) {
  auto done = apply_edits(problem, edits);
  REQUIRE_MESSAGE(done, done.error().message);
  return std::move(done->problem);
}

std::string refused(const Problem& problem, Edit what) {
  const auto done = apply_edits(problem, std::vector<Edit>{std::move(what)});
  REQUIRE_FALSE(done);
  return done.error().message;
}

}  // namespace

TEST_CASE("each edit changes its field and nothing else") {
  const Problem before = three();
  const Problem after = edited(before, {edit::Lifetime{0, 1, 5}, edit::Size{2, 64}, edit::Alignment{2, 16},
                                        edit::Kind{0, "weight"}, edit::Hint{0, 8}, edit::Pin{2, 32},
                                        edit::Name{0, "first"}, edit::InSpace{0, "host"}, edit::Capacity{4096}});
  CHECK(after[0].start == 1);
  CHECK(after[0].end == 5);
  CHECK(after.id(0) == "first");
  CHECK(after.kind(0) == "weight");
  CHECK(after.spaces()[after[0].space].id == "host");
  CHECK(after.details(0)->hint == 8);
  CHECK(after[2].size == 64);
  CHECK(after[2].alignment == 16);
  CHECK(after[2].fixed == 32);
  CHECK(after.capacity() == 4096);
  Buffer untouched = after[1];
  untouched.details = before[1].details;  // only a place in a list
  CHECK(untouched == before[1]);
  CHECK(*after.details(1) == *before.details(1));
  CHECK(before.id(0) == "a");
}

TEST_CASE("the capacity of one space changes alone, also where it was the problem's") {
  const Problem two = edited(three(), {edit::InSpace{0, "host"}, edit::Capacity{4096}});
  const Problem own = edited(two, {edit::Capacity{64, 1}});
  CHECK(own.capacity(0) == 4096);
  CHECK(own.capacity(1) == 64);
  const Problem without = edited(two, {edit::Capacity{std::nullopt, 0}});
  CHECK_FALSE(without.capacity(0));
  CHECK(without.capacity(1) == 4096);
  CHECK(refused(two, edit::Capacity{64, 7}) == "there is no such space");
}

TEST_CASE("a moved lifetime takes its gaps along, a shortened one cuts them") {
  const Problem before = three();
  const Problem moved = edited(before, {edit::Lifetime{1, 12, 19}});
  CHECK(moved.gaps(1)[0] == Gap{14, 16, std::nullopt});
  CHECK(moved.gaps(1)[1] == Gap{17, 18, Window{2, 18}});
  const Problem cut = edited(before, {edit::Lifetime{1, 5, 8}, edit::Size{1, 10}});
  CHECK(cut.gaps(1)[0] == Gap{5, 6, std::nullopt});
  CHECK(cut.gaps(1)[1] == Gap{7, 8, Window{2, 10}});
  CHECK(edited(before, {edit::Lifetime{1, 2, 4}}).gaps(1).empty());
}

TEST_CASE("what the gate refuses is refused with the buffer's name, and unknown buffers are") {
  CHECK(refused(three(), edit::Lifetime{1, 9, 3}) == "b: lifetime ends at 3, before it starts at 9");
  CHECK(refused(three(), edit::Size{2, -1}) == "c: size -1 is negative");
  CHECK(refused(three(), edit::Alignment{0, 0}) == "a: alignment 0 is below 1");
  CHECK(refused(three(), edit::Pin{0, kMaxInt64}).find("a: fixed offset") == 0);
  CHECK(refused(three(), edit::Size{3, 1}) == "there is no such buffer");
  CHECK(refused(three(), edit::Name{0, "\xff"}) == "a: the name is not UTF-8");
}

TEST_CASE("removed buffers leave constraints and details; plans follow their buffers") {
  ProblemInput input;
  Details details;
  details.gaps = {Gap{1, 2, std::nullopt}};
  input.add("a", buffer(0, 4, 10), details);
  input.add("b", buffer(0, 4, 20));
  input.add("c", buffer(6, 9, 20));
  input.add("d", buffer(6, 9, 20));
  input.constraints.conflicts = {{0, 2}, {1, 3}};
  input.constraints.colocations = {{1, 2}};
  input.constraints.groups = {Group{{0, 3}, 0}};
  const Problem before = make_problem(std::move(input)).value();
  const std::vector<Edit> edits = {edit::Remove{{0}}, edit::Add{"e", "", buffer(0, 1, 5), kNoBuffer, std::nullopt, ""}};
  const auto after = apply_edits(before, edits);
  REQUIRE(after);
  CHECK(after->origin == std::vector<BufferIndex>{1, 2, 3, kNoBuffer});
  CHECK(after->becomes == std::vector<BufferIndex>{kNoBuffer, 0, 1, 2});
  CHECK(after->problem.id(0) == "b");
  CHECK(after->problem.constraints().conflicts == std::vector<ConflictEdge>{{0, 2}});
  CHECK(after->problem.constraints().colocations == std::vector<std::vector<BufferIndex>>{{0, 1}});
  CHECK(after->problem.constraints().groups.empty());
  CHECK_FALSE(after->problem.needs().gaps);

  Plan plan;
  plan.offsets = {1, 2, 2, 3};
  plan.claimed_makespan = 9;
  const Plan carried = carried_over(plan, *after);
  CHECK(carried.offsets == std::vector<std::int64_t>{2, 2, 3, kNoOffset});
  CHECK_FALSE(carried.claimed_makespan);
}

TEST_CASE("indices stay what they were until all edits are applied") {
  const Problem after = edited(three(), {edit::Remove{{0}}, edit::Size{2, 77}, edit::Name{1, "kept"}});
  REQUIRE(after.size() == 2);
  CHECK(after.id(0) == "kept");
  CHECK(after[1].size == 77);
}

TEST_CASE("a duplicate has a free name, the details, and no pin") {
  const Problem before = edited(three(), {edit::Pin{1, 0}, edit::Name{2, "b 2"}});
  const Problem after = edited(before, duplicates(before, std::vector<BufferIndex>{1, 1}));
  REQUIRE(after.size() == 5);
  CHECK(after.id(3) == "b 3");
  CHECK(after.id(4) == "b 4");
  CHECK_FALSE(after[3].is_fixed());
  CHECK(after.gaps(3).size() == 2);
}

TEST_CASE("splitting joins the gaps it touches") {
  const Problem before = three();
  const Problem after = edited(before, {split_lifetime(before, 1, 3, 4)});
  REQUIRE(after.gaps(1).size() == 2);
  CHECK(after.gaps(1)[0] == Gap{3, 6, std::nullopt});
}

TEST_CASE("splitting at an end of the lifetime shortens it, and cuts gaps with a window") {
  const Problem before = three();  // b lives from 2 to 9, with gaps 4-6 and, but for a window, 7-8
  const Problem front = edited(before, {split_lifetime(before, 1, 0, 3)});
  CHECK(front[1].start == 3);
  CHECK(front.gaps(1).size() == 2);
  const Problem joined = edited(before, {split_lifetime(before, 1, 2, 4)});
  CHECK(joined[1].start == 6);
  CHECK(joined.gaps(1).size() == 1);
  const Problem back = edited(before, {split_lifetime(before, 1, 8, 20)});
  CHECK(back[1].end == 8);
  const Problem inside = edited(before, {split_lifetime(before, 1, 6, 8)});
  REQUIRE(inside.gaps(1).size() == 1);
  CHECK(inside.gaps(1)[0] == Gap{4, 8, std::nullopt});
  ProblemInput input;
  Details details;
  details.gaps = {Gap{2, 8, Window{0, 4}}};
  input.add("w", buffer(0, 9, 20), details);
  const Problem wide = make_problem(std::move(input)).value();
  const Problem cut = edited(wide, {split_lifetime(wide, 0, 4, 5)});
  REQUIRE(cut.gaps(0).size() == 3);
  CHECK(cut.gaps(0)[0] == Gap{2, 4, Window{0, 4}});
  CHECK(cut.gaps(0)[1] == Gap{4, 5, std::nullopt});
  CHECK(cut.gaps(0)[2] == Gap{5, 8, Window{0, 4}});
}

TEST_CASE("merging covers exactly the steps in which one of them was alive") {
  const Problem before = three();
  const Problem after = edited(before, merged(before, std::vector<BufferIndex>{2, 0}));
  REQUIRE(after.size() == 2);
  CHECK(after.id(1) == "c");
  CHECK(after[1].start == 0);
  CHECK(after[1].end == 9);
  CHECK(after[1].size == 30);
  REQUIRE(after.gaps(1).size() == 1);
  CHECK(after.gaps(1)[0] == Gap{4, 5, std::nullopt});
}

TEST_CASE(
    "merging keeps what each of the buffers needs: alignments that are no powers of two, pins, explicit conflicts") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 10));
  input.add("b", buffer(4, 6, 12));
  input.add("c", buffer(8, 9, 5));
  input.add("d", buffer(20, 25, 5));
  input.buffers[0].alignment = 4;
  input.buffers[1].alignment = 6;
  input.buffers[1].fixed = 24;
  input.constraints.conflicts = {{2, 3}, {1, 3}, {0, 1}};
  const Problem before = make_problem(std::move(input)).value();
  const std::vector<BufferIndex> chosen = {0, 1, 2};
  CHECK(std::string(why_not_merged(before, chosen)).empty());
  const Problem after = edited(before, merged(before, chosen));
  REQUIRE(after.size() == 2);
  CHECK(after[0].size == 12);
  CHECK(after[0].alignment == 12);
  CHECK(after[0].fixed == 24);
  REQUIRE(after.gaps(0).size() == 1);
  CHECK(after.gaps(0)[0] == Gap{6, 8, std::nullopt});
  // Of the edges to d one is left, and none from the buffer to itself.
  CHECK(after.input().constraints.conflicts == std::vector<ConflictEdge>{{0, 1}});
}

TEST_CASE("merging: an empty lifetime adds no step, and of empty ones alone an empty one is made") {
  ProblemInput input;
  input.add("nothing", buffer(0, 0, 10));
  input.add("a", buffer(5, 9, 12));
  input.add("none either", buffer(3, 3, 1));
  const Problem before = make_problem(std::move(input)).value();
  const Problem after = edited(before, merged(before, std::vector<BufferIndex>{0, 1}));
  CHECK(after[0].start == 5);
  CHECK(after[0].end == 9);
  CHECK(after.gaps(0).empty());
  const Problem empty = edited(before, merged(before, std::vector<BufferIndex>{2, 0}));
  CHECK(empty[1].lifetime() == 0);
}

TEST_CASE("buffers of different spaces, or with vector clocks, are not merged") {
  ProblemInput input;
  input.spaces.push_back(Space{"host", 0, std::nullopt, {}});
  Details details;
  details.clock = Clock{{0, 0}, {2, 1}};
  Buffer away = buffer(0, 2, 10);
  away.space = 1;
  input.add("a", buffer(0, 2, 10));
  input.add("away", away);
  input.add("clock", buffer(0, 2, 10), details);
  const Problem problem = make_problem(std::move(input)).value();
  const auto why = [&](std::vector<BufferIndex> buffers) {
    return std::string(why_not_merged(problem, buffers));
  };
  CHECK(why({0}) == "fewer than two buffers are selected");
  CHECK(why({0, 1}) == "they lie in different memory spaces");
  CHECK(why({0, 2}) == "a lifetime among them is a vector clock");
}

TEST_CASE("names: ten thousand copies of one name are numbered at once") {
  ProblemInput input;
  for (int k = 0; k < 10'000; ++k) input.add("x", buffer(0, 1, 1));
  const Problem before = make_problem(std::move(input)).value();
  std::vector<BufferIndex> all;
  for (BufferIndex i = 0; i < before.size(); ++i) all.push_back(i);
  const std::vector<Edit> edits = duplicates(before, all);
  REQUIRE(edits.size() == 10'000);
  CHECK(std::get<edit::Add>(edits.back()).name == "x 10001");
}

TEST_CASE("a buffer with a clock keeps its lifetime") {
  ProblemInput input;
  Details details;
  details.clock = Clock{{0, 0}, {2, 1}};
  input.add("a", buffer(0, 2, 10), details);
  const Problem before = make_problem(std::move(input)).value();
  CHECK(refused(before, edit::Lifetime{0, 1, 3}) == "a: its lifetime is a vector clock and cannot be set in steps");
}

TEST_CASE("buffers of another problem lie in the space that they name, else in the one that is asked for") {
  ProblemInput two;
  two.spaces.push_back(Space{"host", 0, std::nullopt, {}});
  two.add("a", buffer(0, 4, 10));
  const Problem here = make_problem(std::move(two)).value();
  ProblemInput plain;
  plain.add("b", buffer(0, 4, 10));
  const Problem unsaid = make_problem(std::move(plain)).value();
  CHECK(edited(here, additions(here, unsaid, 1))[1].space == 1);
  ProblemInput named;
  named.spaces = {Space{"scratch", 0, std::nullopt, {}}};
  named.add("c", buffer(0, 4, 10));
  const Problem said = make_problem(std::move(named)).value();
  const Problem after = edited(here, additions(here, said, 1));
  CHECK(after.spaces()[after[1].space].id == "scratch");
}

TEST_CASE("buffers of another problem come with their details and with free names") {
  const Problem here = three();
  ProblemInput input;
  input.spaces.push_back(Space{"host", 0, std::nullopt, {}});
  Details details;
  details.hint = 64;
  Buffer there = buffer(1, 5, 7);
  there.space = 1;
  there.kind = input.kind_index("weight");
  input.add("b", there, details);
  input.add("new", buffer(0, 2, 9));
  input.add("new", buffer(0, 2, 9));
  const Problem from = make_problem(std::move(input)).value();
  const Problem after = edited(here, additions(here, from));
  REQUIRE(after.size() == 6);
  CHECK(after.id(3) == "b 2");
  CHECK(after.kind(3) == "weight");
  CHECK(after.spaces()[after[3].space].id == "host");
  CHECK(after.details(3)->hint == 64);
  CHECK(after.id(4) == "new");
  CHECK(after.id(5) == "new 2");
  CHECK(after[0] == here[0]);
}
