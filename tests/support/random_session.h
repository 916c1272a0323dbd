#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/model/problem.h"
#include "tests/support/ui_driver.h"
#include "ui/panels.h"

namespace stowage::testing {

/// A problem as the text of a file.
std::string csv_of(const ProblemInput& input);

/// Somebody who does anything at any time: edits, undoes, runs allocators, moves panels, zooms, drags, clicks on
/// whatever is there, types into fields, searches, opens, reloads, saves and closes files, and goes on while files are
/// read and plans are made. The same seed gives the same actions, as far as threads finish alike.
class RandomSession {
 public:
  /// `saved`: the file that is written; nothing is saved without one.
  RandomSession(UiDriver& ui, std::vector<std::string> files, std::uint64_t seed, std::string saved = {})
      : ui_(ui), files_(std::move(files)), saved_(std::move(saved)), random_(seed) {}

  /// One action; returns its name.
  std::string act();
  /// Opens a file whatever is unsaved; it is there when this returns.
  std::string load(const std::string& path);

 private:
  Workbench::State& state() { return ui_.state(); }
  template <typename Range>
  auto& any_of(Range& range) {
    return range[static_cast<std::size_t>(random_.uniform(0, static_cast<std::int64_t>(range.size()) - 1))];
  }
  BufferIndex any_buffer();
  ImVec2 any_point();

  std::string edit();
  std::string run();
  std::string select();
  std::string command();
  std::string move_panel();
  std::string place_by_hand();
  std::string wheel();
  std::string drag();
  std::string jump();
  std::string click_anything();
  std::string show_plan();
  std::string file_work();
  std::string type_into_field();
  std::string find();
  std::string save();
  std::string reload();
  std::string begin_loading(const std::string& path);
  std::string give_up();
  std::string close();
  void answer(std::string_view button);

  UiDriver& ui_;
  std::vector<std::string> files_;
  std::string saved_;
  Random random_;
  std::vector<LayoutFile> layouts_ = std::vector<LayoutFile>(layouts().begin(), layouts().end());
};

}  // namespace stowage::testing
