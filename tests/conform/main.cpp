// conform FILE...: runs the cases of conformance files and says of each whether it is held.
// Exit 0: all are held; 1: some are not; 2: no file was given; 3: a file cannot be read.

#include <cstdio>

#include <fmt/format.h>

#include "tests/conform/judge.h"

int main(int count, char** words) {
  using namespace stowage;
  if (count < 2) {
    std::fputs("usage: conform FILE...\n", stderr);
    return 2;
  }
  conform::Tally tally;
  bool readable = true;
  for (int i = 1; i < count; ++i) {
    const auto judged = conform::judge_file(words[i]);
    if (!judged) {
      fmt::print(stderr, "{}\n", judged.error().message);
      readable = false;
      continue;
    }
    for (const conform::Judged& one : *judged) {
      fmt::print("{}: {}\n", one.name, conform::describe(one.verdict));
      tally.count(one.verdict);
    }
  }
  fmt::print("{} held, {} failed, {} not expressible\n", tally.held, tally.failed, tally.not_expressible);
  if (!readable) return 3;
  return tally.all_held() ? 0 : 1;
}
