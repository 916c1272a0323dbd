#include "core/document/losses.h"

#include <doctest/doctest.h>

#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;
using Words = std::vector<std::string>;

namespace {

/// Three buffers with one of nearly everything, and two plans.
ProblemInput rich() {
  ProblemInput input;
  input.capacity = 100;
  input.add("a", buffer(0, 4, 8));
  input.add("b", buffer(2, 6, 8));
  Details details;
  details.gaps = {{6, 7, {}}};
  details.op = "conv";
  input.add("c", buffer(5, 9, 16), details);
  input.buffers[0].kind = input.kind_index("weight");
  input.buffers[1].alignment = 4;
  input.buffers[1].fixed = 8;
  input.constraints.conflicts = {{0, 2}};
  return input;
}

Document document_of(ProblemInput input, std::vector<std::vector<std::int64_t>> plans) {
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  for (std::vector<std::int64_t>& offsets : plans) {
    Plan plan;
    plan.id = "p" + std::to_string(document.plans.size());
    plan.offsets = std::move(offsets);
    document.plans.push_back(std::move(plan));
  }
  return document;
}

}  // namespace

TEST_CASE("nothing is lost between equal documents, nor by another order of rows") {
  const Document before = document_of(rich(), {{0, 8, 16}});
  CHECK(losses(before, before).empty());
  ProblemInput turned;
  turned.add("b", buffer(2, 6, 8));
  turned.add("a", buffer(0, 4, 8));
  ProblemInput plain;
  plain.add("a", buffer(0, 4, 8));
  plain.add("b", buffer(2, 6, 8));
  CHECK(losses(document_of(plain, {{0, 8}}), document_of(turned, {{8, 0}})).empty());
  CHECK(losses(document_of(plain, {{0, 8}}), document_of(turned, {{0, 8}})) == Words{"1 of 1 plans"});
}

TEST_CASE("each thing that is gone is named once, with its number") {
  const Document before = document_of(rich(), {{0, 8, 16}, {16, 8, 0}});
  ProblemInput less;
  less.add("a", buffer(0, 4, 8));
  less.add("b", buffer(2, 6, 8));
  less.add("c", buffer(5, 9, 16));
  CHECK(losses(before, document_of(less, {{0, 8, 16}})) ==
        Words{"alignments of 1 buffer", "pins of 1 buffer", "kinds of 1 buffer", "gaps of 1 buffer",
              "operations of 1 buffer", "1 of 1 conflict edges", "the capacity", "1 of 2 plans"});
  ProblemInput fewer;
  fewer.add("a", buffer(0, 5, 8));
  CHECK(losses(before, document_of(fewer, {}))[0] == "2 of 3 buffers");
  CHECK(losses(before, document_of(fewer, {}))[1] == "lifetimes of 1 buffer");
  ProblemInput others;
  others.add("x", buffer(0, 5, 8));
  CHECK(losses(before, document_of(others, {})) == Words{"the buffers as they are (it opens as 1 of another kind)"});
}
