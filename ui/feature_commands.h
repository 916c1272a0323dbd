#pragma once

#include <string_view>

#include "ui/command.h"
#include "ui/workbench.h"

namespace stowage {

/// Commands of one feature, in a source of their own: `run` and `why_disabled` answer for their own commands and leave
/// the others alone.
struct FeatureCommands {
  /// True when it was one of its commands.
  bool (*run)(Workbench::State& state, CommandId id) = nullptr;
  /// Null when it is none of its commands, else why it cannot be run now; "" when it can.
  const char* (*why_disabled)(const Workbench::State& state, CommandId id) = nullptr;
};

FeatureCommands chart_commands();
FeatureCommands compare_commands();
FeatureCommands edit_commands();
FeatureCommands filter_commands();
FeatureCommands guide_commands();
FeatureCommands hand_commands();
FeatureCommands inspect_commands();
FeatureCommands look_commands();
FeatureCommands panel_commands();
FeatureCommands player_commands();
FeatureCommands replay_commands();

void run_feature_command(Workbench::State& state, CommandId id);
std::string_view why_feature_disabled(const Workbench::State& state, CommandId id);

}  // namespace stowage
