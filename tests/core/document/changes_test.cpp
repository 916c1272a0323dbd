#include "core/document/changes.h"

#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;

namespace {

Problem four() {
  ProblemInput input;
  input.add("a", buffer(0, 4, 10));
  input.add("b", buffer(2, 9, 20));
  input.add("c", buffer(5, 9, 30));
  input.add("d", buffer(6, 7, 5));
  return make_problem(std::move(input)).value();
}

Plan at(std::vector<std::int64_t> offsets) {
  Plan plan;
  plan.offsets = std::move(offsets);
  return plan;
}

}  // namespace

TEST_CASE("changes: nothing between a state and itself") {
  const Problem problem = four();
  const Plan plan = at({0, 10, 30, 60});
  CHECK(changes_between(problem, &plan, problem, &plan).none());
  CHECK(changes_between(problem, nullptr, problem, &plan).none());
}

TEST_CASE("changes: edited, added, removed and moved buffers are told apart, whatever happens to the rows") {
  const Problem before = four();
  const std::vector<Edit> edits = {edit::Remove{{0}}, edit::Size{2, 31}, edit::Lifetime{2, 5, 10},
                                   edit::Add{"e", "", buffer(0, 1, 1), kNoBuffer, std::nullopt, ""}};
  const auto edited = apply_edits(before, edits);
  REQUIRE(edited);
  const Plan old_plan = at({0, 10, 30, 60});
  const Plan new_plan = at({10, 0, 60, 99});  // b, c, d, e
  const Changes changes = changes_between(before, &old_plan, edited->problem, &new_plan);
  CHECK(changes.edited == 1);
  CHECK(changes.added == 1);
  CHECK(changes.removed == 1);
  CHECK(changes.moved == 0);
  REQUIRE(changes.list.size() == 3);
  const BufferChange& c = changes.list[0];
  CHECK(c.kind == BufferChange::Kind::kEdited);
  CHECK(c.before == 2);
  CHECK(c.after == 1);
  CHECK(c.size);
  CHECK(c.lifetime);
  CHECK_FALSE(c.alignment);
  CHECK_FALSE(c.rest);
  CHECK(c.offset_before == 30);
  CHECK(c.offset_after == 0);
  CHECK(changes.list[1].after == 3);
  CHECK(changes.list[2].before == 0);
  const Plan moved = at({11, 0, 60, 99});
  const Changes with_move = changes_between(before, &old_plan, edited->problem, &moved);
  CHECK(with_move.moved == 1);
  CHECK(with_move.list.back().kind == BufferChange::Kind::kMoved);
  CHECK(with_move.list.back().after == 0);
}

TEST_CASE("changes: buffers with the same name are matched in their order") {
  ProblemInput input;
  input.add("x", buffer(0, 4, 10));
  input.add("x", buffer(2, 9, 20));
  const Problem before = make_problem(input).value();
  input.add("x", buffer(3, 9, 30));
  const Problem after = make_problem(input).value();
  const Changes grown = changes_between(before, nullptr, after, nullptr);
  CHECK(grown.added == 1);
  CHECK(grown.list.size() == 1);
  CHECK(grown.list[0].after == 2);
  const Changes shrunk = changes_between(after, nullptr, before, nullptr);
  CHECK(shrunk.removed == 1);
  CHECK(shrunk.list.size() == 1);
  ProblemInput single;
  single.add("x", buffer(0, 4, 10));
  const Problem one = make_problem(single).value();
  const Changes doubled = changes_between(one, nullptr, before, nullptr);
  CHECK(doubled.added == 1);
  CHECK(doubled.list.size() == 1);
}
