#include "ui/feature_commands.h"

#include <array>

namespace stowage {
namespace {

const std::array<FeatureCommands, 11>& features() {
  static const std::array<FeatureCommands, 11> all = {
      panel_commands(), player_commands(), chart_commands(),   compare_commands(), edit_commands(),  filter_commands(),
      guide_commands(), hand_commands(),   inspect_commands(), look_commands(),    replay_commands()};
  return all;
}

}  // namespace

void run_feature_command(Workbench::State& state, CommandId id) {
  for (const FeatureCommands& feature : features()) {
    if (feature.run(state, id)) return;
  }
}

std::string_view why_feature_disabled(const Workbench::State& state, CommandId id) {
  for (const FeatureCommands& feature : features()) {
    if (const char* why = feature.why_disabled(state, id)) return why;
  }
  return "";
}

}  // namespace stowage
