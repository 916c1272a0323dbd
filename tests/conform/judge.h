#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Runs a case and compares everything that it expects. A key or parameter that means nothing here makes the case not
/// expressible, never held.
Verdict judge(const json& from);

struct Judged {
  std::string name;
  Verdict verdict;
};
/// Every case of a conformance file. Error: input, when it cannot be read or is no such file.
Result<std::vector<Judged>> judge_file(const std::filesystem::path& file);

/// "held", "failed (makespan: expected 4, got 5)", "not expressible: unknown key 'x' in expected".
std::string describe(const Verdict& verdict);

/// How many of each kind.
struct Tally {
  std::size_t held = 0;
  std::size_t failed = 0;
  std::size_t not_expressible = 0;

  void count(const Verdict& verdict);
  bool all_held() const { return failed == 0 && not_expressible == 0; }
};

}  // namespace stowage::conform
