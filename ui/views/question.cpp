#include "ui/question.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ui/dialog.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

}  // namespace

void ask(State& state, Question question) {
  state.part<Question>() = std::move(question);
  state.popup = Popup::kQuestion;
  state.settle_frames = 3;
}

void draw_question(State& state, ImVec2, ImVec2) {
  const Question& question = state.part<Question>();
  if (!begin_dialog(state, Popup::kQuestion, question.title.c_str(), ImVec2(480, 190))) return;
  Ui& ui = state.ui;
  ImGui::PushTextWrapPos(0);
  text(ui.fonts.text, ui.theme->text, question.words);
  ImGui::PopTextWrapPos();
  record(ui, "question.words");
  float width = 0;
  for (const Question::Answer& answer : question.answers) width += button_width(ui, nullptr, answer.label) + ui.px(8);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x - ui.px(18);
  ImGui::SetCursorScreenPos(
      ImVec2(right - width + ui.px(8), ImGui::GetWindowPos().y + ImGui::GetWindowSize().y - ui.px(48)));
  // The most likely answer is the rightmost.
  for (auto answer = question.answers.rbegin(); answer != question.answers.rend(); ++answer) {
    const ButtonLook look = answer->accent ? ButtonLook::kAccent : ButtonLook::kRaised;
    if (button(ui, answer->name, nullptr, answer->label, look)) {
      state.push(action::ShowPopup{Popup::kNone});
      state.later(answer->then);
    }
    ImGui::SameLine(0, ui.px(8));
  }
  end_dialog();
}

}  // namespace stowage
