#include "core/document/document.h"

#include <doctest/doctest.h>

using namespace stowage;

TEST_CASE("put_plan replaces the plan with the same id and keeps the order") {
  Document document;
  for (const char* id : {"a", "b"}) {
    Plan plan;
    plan.id = id;
    document.put_plan(plan);
  }
  Plan again;
  again.id = "a";
  again.seed = 5;
  CHECK(document.put_plan(again).seed == 5);
  REQUIRE(document.plans.size() == 2);
  CHECK(document.plans[0].seed == 5);
  CHECK(document.find_plan("b") == &document.plans[1]);
  CHECK(document.find_plan("c") == nullptr);
}

TEST_CASE("the title is the name of the file, as it is") {
  Document document;
  CHECK(title_of(document) == "untitled");
  CHECK(stem_of(document) == "untitled");
  document.facts.title = "model 1.5 after in-place";  // without a file: no part of it is an ending
  CHECK(title_of(document) == "model 1.5 after in-place");
  CHECK(stem_of(document) == "model 1.5 after in-place");
  document.path = "/some/folder/58 spaces & ünïcode %20.csv";
  CHECK(title_of(document) == "58 spaces & ünïcode %20.csv");
  document.path = "plain.json";
  CHECK(title_of(document) == "plain.json");
  CHECK(stem_of(document) == "plain");
  document.path = "-";
  CHECK(title_of(document) == "standard input");
}
