#include "core/document/history.h"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using stowage::History;

TEST_CASE("undo and redo give back exactly what was there") {
  History<std::string> history;
  std::string now = "0";
  history.commit(now, 1, "one");
  now = "1";
  history.commit(now, 1, "two");
  now = "2";
  CHECK_FALSE(history.can_redo());
  now = history.move_to(0, now, 1);
  CHECK(now == "0");
  CHECK(history.can_redo());
  now = history.move_to(2, now, 1);
  CHECK(now == "2");
  now = history.move_to(1, now, 1);
  history.commit(now, 1, "other");
  CHECK(history.size() == 3);
  CHECK(history[2].label == "other");
  CHECK(history.bytes() == 2);
}

TEST_CASE("revoke takes the last commit back without a trace") {
  History<std::string> history;
  history.commit("0", 1, "drag");
  CHECK(history.dirty());
  CHECK(history.revoke() == "0");
  CHECK(history.size() == 1);
  CHECK(history.bytes() == 0);
  CHECK_FALSE(history.dirty());
}

TEST_CASE("dirty follows the saved entry through undo, redo and new branches") {
  History<int> history;
  history.commit(0, 1, "one");
  history.mark_saved();
  CHECK_FALSE(history.dirty());
  history.move_to(0, 1, 1);
  CHECK(history.dirty());
  history.commit(0, 1, "branch");
  CHECK(history.dirty());
  history.move_to(0, 2, 1);
  CHECK(history.dirty());
  history.mark_unsaved();
  CHECK(history.dirty());
}

TEST_CASE("above the bytes the farthest snapshots are forgotten, one step back always works") {
  History<int> history(10);
  for (int step = 0; step < 100; ++step) {
    history.commit(step, 4, "step");
    CHECK(history.bytes() <= 10);
    CHECK(history.can_undo());
  }
  CHECK(history.move_to(history.position() - 1, 100, 4) == 99);
  CHECK(history.bytes() <= 10);
  History<int> big(1);
  big.commit(7, 1'000, "larger than everything");
  CHECK(big.can_undo());
  CHECK(big.move_to(0, 8, 1'000) == 7);
}

TEST_CASE("a random session always finds the snapshot of each entry") {
  std::mt19937 random(7);
  History<int> history;
  std::vector<int> expected = {0};
  std::size_t at = 0;
  int now = 0;
  for (int step = 1; step <= 2'000; ++step) {
    if (random() % 3 == 0) {
      const std::size_t to = random() % history.size();
      if (to == at) continue;
      now = history.move_to(to, now, 1);
      at = to;
    } else {
      history.commit(now, 1, "edit");
      now = step;
      expected.resize(at + 1);
      expected.push_back(now);
      ++at;
    }
    CHECK(history.position() == at);
    CHECK(history.size() == expected.size());
    CHECK(now == expected[at]);
  }
}
