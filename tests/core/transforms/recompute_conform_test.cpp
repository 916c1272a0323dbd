#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/conform/recompute_cases.h"
#include "tests/support/shared_data.h"

using namespace stowage;

TEST_CASE("recompute, swap and compression: the cases of other systems hold") {
  STOWAGE_NEED_SHARED(shared);
  std::ifstream stream(shared / "conformance" / "graphs.json");
  REQUIRE(stream.is_open());
  std::size_t judged = 0;
  for (const nlohmann::json& from : nlohmann::json::parse(stream)) {
    const auto verdict = conform::judge_recompute(from);
    if (!verdict) continue;
    ++judged;
    CHECK_MESSAGE(verdict->is_held(), from["name"].get<std::string>(), ": ", verdict->why);
  }
  CHECK(judged >= 14);
}

TEST_CASE("recompute cases: a wrong expectation fails, an unknown one is not expressible") {
  const auto judge = [](const char* text) {
    return conform::judge_recompute(nlohmann::json::parse(text));
  };
  CHECK(judge(R"({"name":"gist_binarize","formula_inputs":{"bytes":1024,"bits":1},"expected":{"encoded_bytes":33}})")
            ->kind == conform::Verdict::Kind::kFailed);
  CHECK(judge(R"({"name":"gist_binarize","formula_inputs":{"bytes":1024,"bits":1},"expected":{"colour":1}})")->kind ==
        conform::Verdict::Kind::kNotExpressible);
  CHECK_FALSE(judge(R"({"name":"bfc_zero","expected":{"result":null}})").has_value());
}
