#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/workbench.h"

namespace stowage {

/// A key with its modifiers, as written in ui/commands.def.
struct Shortcut {
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
  std::string key;  // "A".."Z", "0".."9", "F1".."F12", "Escape", "Left", "Comma", "Plus", ... or "?"
  bool operator==(const Shortcut&) const = default;
};

Shortcut parse_shortcut(std::string_view text);
std::vector<Shortcut> parse_shortcuts(std::string_view alternatives);
/// For people: "Ctrl+,", "Esc", arrows as signs.
std::string printed(const Shortcut& shortcut);
/// The first alternative of a command for people; empty when it has none.
std::string printed_keys(std::string_view alternatives);

/// Dear ImGui's number for a key, or -1. Before 1.87 these are GLFW's numbers with letters and digits by what is
/// printed on the key (the window maps them), from 1.87 on ImGuiKey.
int key_number(std::string_view key);

/// Pushes an Invoke for each command whose key went down in this frame, unless a text field or a popup wants it.
void read_shortcuts(Workbench::State& state);

}  // namespace stowage
