#include "ui/shortcuts.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "core/base/text.h"
#include "ui/command.h"
#include "ui/key_hints.h"
#include "ui/replay.h"
#include "ui/state.h"

namespace stowage {
namespace {

struct NamedKey {
  std::string_view name;
  int imgui;           // ImGuiKey
  int glfw;            // number before 1.87
  const char* people;  // UTF-8
};

constexpr NamedKey kNamed[] = {
    {"Escape", ImGuiKey_Escape, 256, "Esc"},
    {"Enter", ImGuiKey_Enter, 257, "Enter"},
    {"Backspace", ImGuiKey_Backspace, 259, "Backspace"},
    {"Insert", ImGuiKey_Insert, 260, "Ins"},
    {"Delete", ImGuiKey_Delete, 261, "Del"},
    {"Right", ImGuiKey_RightArrow, 262, "\u2192"},
    {"Left", ImGuiKey_LeftArrow, 263, "\u2190"},
    {"Down", ImGuiKey_DownArrow, 264, "\u2193"},
    {"Up", ImGuiKey_UpArrow, 265, "\u2191"},
    {"PageUp", ImGuiKey_PageUp, 266, "Page Up"},
    {"PageDown", ImGuiKey_PageDown, 267, "Page Down"},
    {"Home", ImGuiKey_Home, 268, "Home"},
    {"End", ImGuiKey_End, 269, "End"},
    {"Tab", ImGuiKey_Tab, 258, "Tab"},
    {"Space", ImGuiKey_Space, 32, "Space"},
};

struct SignKey {
  std::string_view name;
  char sign;  // also GLFW's number
  const char* people;
};
constexpr SignKey kSigns[] = {{"Comma", ',', ","}, {"Period", '.', "."}, {"Minus", '-', "\u2212"}, {"Plus", '=', "+"}};

bool typed(char letter) {
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c == static_cast<ImWchar>(letter)) return true;
  }
  return false;
}

bool repeats(CommandId id) {
  switch (id) {
    case CommandId::pan_up:
    case CommandId::pan_left:
    case CommandId::pan_down:
    case CommandId::pan_right:
    case CommandId::zoom_in:
    case CommandId::zoom_out:
    case CommandId::select_left:
    case CommandId::select_right:
    case CommandId::select_up:
    case CommandId::select_down:
    case CommandId::find_next:
    case CommandId::place_higher:
    case CommandId::place_lower:
    case CommandId::end_earlier:
    case CommandId::end_later:
    case CommandId::begin_earlier:
    case CommandId::begin_later:
    case CommandId::splitter_back:
    case CommandId::splitter_on:
      return true;
    default:
      return false;
  }
}

bool went_down(const Shortcut& shortcut, bool repeat) {
  if (shortcut.key == "?") return typed('?');
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl != shortcut.ctrl || io.KeyShift != shortcut.shift || io.KeyAlt != shortcut.alt) return false;
  const int number = key_number(shortcut.key);
  if (number < 0) return false;
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(number), repeat);
#else
  return ImGui::IsKeyPressed(number, repeat);
#endif
}

/// Keys that a text field does not need itself.
bool works_while_typing(const Shortcut& shortcut) {
  if (shortcut.key == "Escape") return true;
  if (shortcut.key.size() > 1 && shortcut.key[0] == 'F') return true;
  if (shortcut.alt) return false;
  const bool editing = shortcut.key == "C" || shortcut.key == "A" || shortcut.key == "V" || shortcut.key == "X" ||
                       shortcut.key == "Z" || shortcut.key == "Y" || shortcut.key == "Left" || shortcut.key == "Right";
  return shortcut.ctrl && !editing;
}

}  // namespace

Shortcut parse_shortcut(std::string_view text) {
  Shortcut shortcut;
  for (const std::string& part : split(text, '+')) {
    if (part == "Ctrl") {
      shortcut.ctrl = true;
    } else if (part == "Shift") {
      shortcut.shift = true;
    } else if (part == "Alt") {
      shortcut.alt = true;
    } else {
      shortcut.key = part;
    }
  }
  return shortcut;
}

std::vector<Shortcut> parse_shortcuts(std::string_view alternatives) {
  std::vector<Shortcut> shortcuts;
  for (const std::string& one : split(alternatives, ' ')) {
    if (!one.empty()) shortcuts.push_back(parse_shortcut(one));
  }
  return shortcuts;
}

std::string printed(const Shortcut& shortcut) {
  std::string text;
  if (shortcut.ctrl) text += "Ctrl+";
  if (shortcut.alt) text += "Alt+";
  if (shortcut.shift) text += "Shift+";
  for (const NamedKey& key : kNamed) {
    if (key.name == shortcut.key) return text + key.people;
  }
  for (const SignKey& key : kSigns) {
    if (key.name == shortcut.key) return text + key.people;
  }
  return text + shortcut.key;
}

std::string printed_keys(std::string_view alternatives) {
  const auto shortcuts = parse_shortcuts(alternatives);
  return shortcuts.empty() ? std::string() : printed(shortcuts.front());
}

int key_number(std::string_view key) {
#if IMGUI_VERSION_NUM >= 18700
  if (key.size() == 1 && key[0] >= 'A' && key[0] <= 'Z') return ImGuiKey_A + (key[0] - 'A');
  if (key.size() == 1 && key[0] >= '0' && key[0] <= '9') return ImGuiKey_0 + (key[0] - '0');
  if (key == "Comma") return ImGuiKey_Comma;
  if (key == "Period") return ImGuiKey_Period;
  if (key == "Minus") return ImGuiKey_Minus;
  if (key == "Plus") return ImGuiKey_Equal;
  constexpr int first_function_key = ImGuiKey_F1;
#else
  if (key.size() == 1 && std::isalnum(static_cast<unsigned char>(key[0])) != 0) return key[0];
  for (const SignKey& one : kSigns) {
    if (one.name == key) return one.sign;
  }
  constexpr int first_function_key = 290;
#endif
  if (key.size() > 1 && key[0] == 'F') {
    if (const auto number = parse_int(key.substr(1))) return first_function_key + static_cast<int>(*number) - 1;
  }
  for (const NamedKey& one : kNamed) {
    if (one.name != key) continue;
#if IMGUI_VERSION_NUM >= 18700
    return one.imgui;
#else
    const int mapped = ImGui::GetKeyIndex(one.imgui);
    return mapped >= 0 ? mapped : one.glfw;
#endif
  }
  return -1;
}

void read_shortcuts(Workbench::State& state) {
  if (read_key_hints(state)) return;
  const bool typing = ImGui::GetIO().WantTextInput;
  const bool free = !typing && state.popup == Popup::kNone;
  const std::span<const PanelKey> panel_keys = free ? player_keys(state) : std::span<const PanelKey>();
  for (const PanelKey& key : panel_keys) {
    if (went_down(key.shortcut, true)) state.push(action::Invoke{key.command});
  }
  const auto taken = [&](const Shortcut& shortcut) {
    return std::any_of(panel_keys.begin(), panel_keys.end(),
                       [&](const PanelKey& key) { return key.shortcut == shortcut; });
  };
  for (const Command& command : commands()) {
    for (const Shortcut& shortcut : parse_shortcuts(command.keys)) {
      if (taken(shortcut)) continue;
      const bool anywhere = command.id == CommandId::escape || command.id == CommandId::key_hints;
      if (state.popup != Popup::kNone && !anywhere) continue;
      if (typing && !works_while_typing(shortcut)) continue;
      if (went_down(shortcut, repeats(command.id))) state.push(action::Invoke{command.id});
    }
  }
}

}  // namespace stowage
