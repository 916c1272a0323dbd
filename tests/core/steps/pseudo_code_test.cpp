#include "core/steps/pseudo_code.h"

#include <set>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/generate.h"
#include "core/transforms/transform.h"

using namespace stowage;

namespace {

std::vector<std::string_view> words(std::string_view ids) {
  std::vector<std::string_view> found;
  while (!ids.empty()) {
    const std::size_t end = std::min(ids.find(' '), ids.size());
    found.push_back(ids.substr(0, end));
    ids.remove_prefix(std::min(end + 1, ids.size()));
  }
  return found;
}

}  // namespace

TEST_CASE("every allocator has pseudo-code, and every kind of step that it says leads to a line") {
  const Problem problem = make_problem(synthetic_family(60, 4)).value();
  for (const Allocator& allocator : allocators()) {
    INFO(allocator.id, ": its family is a line of core/steps/pseudo_code.def");
    const PseudoCode* code = pseudo_code_of(allocator.id);
    CHECK(code != nullptr);
    if (code == nullptr) continue;
    CHECK(code->lines.size() >= 3);
    StepLog log;
    RunContext context;
    context.steps = &log;
    REQUIRE(run_allocator(allocator, problem, {}, context));
    const StepIndex index(log.steps());
    std::set<StepKind> lost;
    for (std::size_t position = 1; position <= log.steps().size(); ++position) {
      const StepKind kind = index.kind(position - 1);
      if (!active_line(*code, log.steps(), index, position) && kind != StepKind::kNote) lost.insert(kind);
    }
    for (const StepKind kind : lost) FAIL_CHECK(op_of(kind), " leads to no line");
  }
}

TEST_CASE("every transform has pseudo-code") {
  for (const Transform& transform : transforms()) {
    INFO(transform.id, ": its family is a line of core/steps/pseudo_code.def");
    CHECK(pseudo_code_of(transform.id) != nullptr);
  }
}

TEST_CASE("families name allocators or transforms that are there, each once, and every line has a text") {
  std::set<std::string_view> seen;
  for (const PseudoCode& code : pseudo_codes()) {
    CHECK(!code.title.empty());
    CHECK(!code.lines.empty());
    for (const std::string_view id : words(code.allocators)) {
      INFO(id);
      CHECK((find_allocator(id) != nullptr || find_transform(id) != nullptr));
      CHECK(seen.insert(id).second);
    }
    for (const CodeLine& line : code.lines) {
      CHECK(!line.text.empty());
      CHECK(line.text.size() <= 52);  // a side column is no wider
    }
  }
  CHECK(pseudo_code_of("first") == nullptr);
  CHECK(pseudo_code_of("hand") == nullptr);
  CHECK(pseudo_code_of("") == nullptr);
}

TEST_CASE("a line that names the phase is active before one for all phases") {
  const PseudoCode* code = pseudo_code_of("first-fit");
  REQUIRE(code != nullptr);
  const auto fixed = line_of(*code, StepKind::kPlace, "fixed buffers");
  const auto other = line_of(*code, StepKind::kPlace, "one buffer after the other");
  REQUIRE((fixed && other));
  CHECK(*fixed != *other);
  CHECK(code->lines[*fixed].phase == "fixed");
  CHECK_FALSE(line_of(*code, StepKind::kOpenBox, "one buffer after the other"));
}
