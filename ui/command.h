#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/workbench.h"

namespace stowage {

enum class CommandId {
#define STOWAGE_COMMAND(id, title, keys, group, help) id,
#include "ui/commands.def"
#undef STOWAGE_COMMAND
};

/// One line of ui/commands.def.
struct Command {
  CommandId id = CommandId::open;
  std::string_view name;   // stable, for tests: "frame_all"
  std::string_view title;  // for menus and the palette
  std::string_view keys;   // alternatives separated by blanks: "Home 0"; may be empty
  std::string_view group;
  std::string_view help;
};

std::span<const Command> commands();
const Command& command(CommandId id);

/// Empty when the command can run now, else why it cannot ("no file is open").
std::string_view why_disabled(const Workbench::State& state, CommandId id);

/// Does it; nothing when it is disabled. Called while changes are applied, never while views draw.
void run_command(Workbench::State& state, CommandId id);

}  // namespace stowage
