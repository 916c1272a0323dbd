#include "app/commands/command.h"

#include <array>

#include <fmt/core.h>

namespace stowage {

std::span<const AddCommand> subcommands() {
  static constexpr std::array kCommands = {
#define STOWAGE_COMMAND(name) &add_##name,
#include "app/commands/commands.def"
#undef STOWAGE_COMMAND
  };
  return kCommands;
}

void say(std::string_view line) {
  fmt::print(stderr, "{}\n", line);
}

Exit end_with(const Error& error) {
  switch (error.kind) {
    case Error::Kind::kInput:
      say("stowage: " + error.message);
      return Exit::kFailed;
    case Error::Kind::kUsage:
      say("stowage: " + error.message);
      return Exit::kUsage;
    case Error::Kind::kRefused:
      say("stowage: refused: " + error.message);
      return Exit::kFound;
    case Error::Kind::kCancelled:
      say("stowage: cancelled: " + error.message);
      return Exit::kInterrupted;
  }
  return Exit::kFailed;
}

}  // namespace stowage
