#include <string>

#include "core/chart/curves.h"
#include "core/networks/network.h"
#include "ui/icons.h"
#include "ui/painter.h"
#include "ui/studies_panel.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

const StudyKind* find_kind(std::string_view id) {
  for (const StudyKind& kind : study_kinds()) {
    if (kind.id == id) return &kind;
  }
  return nullptr;
}

void ask(State& state, std::string kind, std::string network) {
  state.later([kind = std::move(kind), network = std::move(network)](State& s) { start_study(s, kind, network); });
}

/// Which comparison, and of which network where that is free.
void choices(State& state, const StudiesPanel& panel) {
  Ui& ui = state.ui;
  const StudyKind* chosen = find_kind(panel.kind);
  ImGui::SetNextItemWidth(ui.px(300));
  if (ImGui::BeginCombo("##kind", chosen == nullptr ? "Choose a study\xE2\x80\xA6" : chosen->title.c_str())) {
    for (const StudyKind& kind : study_kinds()) {
      if (ImGui::Selectable(kind.title.c_str(), &kind == chosen)) ask(state, kind.id, panel.network);
      record(ui, "studies.kind." + kind.id);
      if (ImGui::IsItemHovered()) tooltip(ui, kind.summary);
    }
    ImGui::EndCombo();
  }
  record(ui, "studies.kind");
  if (chosen != nullptr && chosen->any_network) {
    ImGui::SameLine(0, ui.px(8));
    const Network* network = find_network(panel.network);
    ImGui::SetNextItemWidth(ui.px(180));
    if (ImGui::BeginCombo("##network", network == nullptr ? panel.network.c_str() : network->title.c_str())) {
      for (const Network& one : networks()) {
        if (ImGui::Selectable(one.title.c_str(), &one == network)) ask(state, panel.kind, one.id);
        record(ui, "studies.network." + one.id);
      }
      ImGui::EndCombo();
    }
    record(ui, "studies.network");
  }
  if (panel.work.running()) {
    ImGui::SameLine(0, ui.px(8));
    if (button(ui, "studies.cancel", icon::kClose, "Cancel", ButtonLook::kRaised, "Stop computing")) {
      state.later([](State& s) { cancel_study(s); });
    }
  }
}

Scene picture(const State& state, const Study& study, float width, float height) {
  CurvesInput input;
  input.title = study.title;
  input.note = study.note;
  input.axis = study.axis;
  input.logarithmic = study.logarithmic;
  input.places = study.places;
  for (const StudyCurve& curve : study.curves) input.curves.push_back({curve.name, curve.memory, curve.extra_work});
  input.width = width;
  input.height = height;
  return make_curves(input, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
}

}  // namespace

void draw_studies(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  auto& panel = state.part<StudiesPanel>();
  begin_card(ui, "studies", at, size);
  card_title(ui, "Studies", panel.work.running() ? "working\xE2\x80\xA6" : "");
  choices(state, panel);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (panel.study != nullptr) {
    draw_figure(state, panel.figure, "studies.figure", panel.revision, low, room,
                [&](float width, float height) { return picture(state, *panel.study, width, height); });
  } else {
    const bool running = panel.work.running();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kBars,
                  running ? "Training is laid out again and again\xE2\x80\xA6" : "Memory of training, as curves",
                  !panel.failure.empty() ? panel.failure
                  : running              ? "Each place on the axis is a network of its own."
                                         : "Choose what grows: depth, length, batch, checkpoints or bandwidth.");
  }
  end_card();
}

}  // namespace stowage
