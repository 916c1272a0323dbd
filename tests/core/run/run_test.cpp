#include "core/run/run.h"

#include <doctest/doctest.h>

#include "core/run/params.h"

using namespace stowage;

namespace {

std::vector<ParamSpec> specs() {
  ParamSpec rule;
  rule.key = "rule";
  rule.value = "first";
  rule.choices = {"first", "best"};
  ParamSpec order;
  order.key = "order";
  order.value = "size";
  order.choices = {"size"};
  order.closed = false;
  return {rule, order};
}

}  // namespace

TEST_CASE("parameters: defaults are filled in, open ones take any text") {
  const auto values = complete_params(specs(), {{"order", "TW"}}, "x");
  REQUIRE(values);
  CHECK(*values == ParamValues{{"rule", "first"}, {"order", "TW"}});
}

TEST_CASE("parameters: an unknown key and a value outside closed choices are usage errors that list what there is") {
  const auto key = complete_params(specs(), {{"sort", "size"}}, "x");
  REQUIRE_FALSE(key);
  CHECK(key.error().kind == Error::Kind::kUsage);
  CHECK(key.error().message == "x has no parameter 'sort'; it has: rule, order");
  const auto value = complete_params(specs(), {{"rule", "worst"}}, "x");
  REQUIRE_FALSE(value);
  CHECK(value.error().message == "x: 'worst' is not a value of rule; choose from: first, best");
}

TEST_CASE("a context stops when asked and when its time is over") {
  RunContext context;
  CHECK_FALSE(context.should_stop());
  context.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  CHECK(context.should_stop());
  std::stop_source source;
  RunContext asked;
  asked.stop = source.get_token();
  CHECK_FALSE(asked.should_stop());
  source.request_stop();
  CHECK(asked.should_stop());
}
