#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/state.h"

namespace stowage {

/// Something that only the user can decide, asked in a dialog over the window. Closing it is the answer "nothing".
struct Question {
  struct Answer {
    std::string name;  // of the button: "question.save"
    std::string label;
    bool accent = false;
    std::function<void(Workbench::State&)> then;
  };
  std::string title;
  std::string words;
  std::vector<Answer> answers;
};

/// Shows the question in place of whatever popup is open.
void ask(Workbench::State& state, Question question);

}  // namespace stowage
