#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <CLI/CLI.hpp>

#include "core/base/result.h"

namespace stowage {

/// How the program ends.
enum class Exit : int {
  kFine = 0,
  kFound = 1,          // issues, a plan that does not fit, a constraint that is refused
  kUsage = 2,          // the command line is wrong
  kFailed = 3,         // input or output failed
  kInterrupted = 130,  // Ctrl+C before there was a result; nothing has been written
};

/// What is left to do once the whole command line has been understood.
using Action = std::function<Exit()>;

/// A subcommand declares its options on the program; when the user chose it, it sets the action.
using AddCommand = void (*)(CLI::App& program, Action& action);

/// Every subcommand, in the order of commands.def.
std::span<const AddCommand> subcommands();

// plan.cpp defines add_plan, check.cpp defines add_check, ...
#define STOWAGE_COMMAND(name) void add_##name(CLI::App& program, Action& action);
#include "app/commands/commands.def"
#undef STOWAGE_COMMAND

/// A line for people, to standard error: results alone go to standard output.
void say(std::string_view line);

/// Says the error and tells how the program ends with it.
Exit end_with(const Error& error);

}  // namespace stowage
