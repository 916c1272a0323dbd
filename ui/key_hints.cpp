#include "ui/key_hints.h"

#include <algorithm>
#include <cctype>

#include <imgui_internal.h>

#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr int kClickFrames = 4;

void end_hints(State& state, KeyHints& keys) {
  keys.asked = false;
  keys.hints.clear();
  keys.typed.clear();
  state.settle_frames = std::max(state.settle_frames, kClickFrames + 2);
}

/// A letter that begins no hint is not taken.
void type_letter(State& state, KeyHints& keys, char letter) {
  const std::string typed = keys.typed + static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const auto found = std::find_if(keys.hints.begin(), keys.hints.end(),
                                  [&](const KeyHints::Hint& hint) { return hint.letters.starts_with(typed); });
  if (found == keys.hints.end()) return;
  keys.typed = typed;
  if (found->letters != typed) return;
  keys.chosen = found->widget;
  keys.click.button = std::isupper(static_cast<unsigned char>(letter)) != 0 ? 1 : 0;
  keys.click.frames_left = kClickFrames;
  end_hints(state, keys);
}

bool went_down(ImGuiKey key) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
}

}  // namespace

void ask_for_key_hints(State& state) {
  KeyHints& keys = state.part<KeyHints>();
  end_hints(state, keys);
  keys.asked = true;
  ImGui::ClearActiveID();  // a text field would take the letters
}

bool read_key_hints(State& state) {
  KeyHints& keys = state.part<KeyHints>();
  if (!keys.on()) return false;
  if (keys.hints.empty()) return true;  // what is typed now was typed before they are seen
  if (went_down(ImGuiKey_Escape) || ImGui::IsMouseClicked(0)) {
    end_hints(state, keys);
    return true;
  }
  if (went_down(ImGuiKey_Backspace) && !keys.typed.empty()) keys.typed.pop_back();
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (keys.on() && c < 128 && std::isalpha(static_cast<int>(c)) != 0) type_letter(state, keys, static_cast<char>(c));
  }
  return true;
}

void feed_key_hints(State& state) {
  KeyHints::Click& click = state.part<KeyHints>().click;
  if (click.frames_left == 0 || !state.part<KeyHints>().chosen.empty()) return;
  const bool down = click.frames_left == kClickFrames - 1;
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(click.at.x, click.at.y);
  io.AddMouseButtonEvent(click.button, down);
#else
  io.MousePos = click.at;
  io.MouseDown[click.button] = down;
#endif
  --click.frames_left;
}

}  // namespace stowage
