#include "ui/workbench.h"

#include <algorithm>
#include <utility>

#include "ui/key_hints.h"
#include "ui/layout.h"
#include "ui/presentation.h"
#include "ui/services.h"
#include "ui/shortcuts.h"
#include "ui/state.h"
#include "ui/style.h"
#include "ui/tabs.h"
#include "ui/text_fields.h"
#include "ui/unsaved.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

void prepare(State& state, const Fonts& fonts) {
  Ui& ui = state.ui;
  ui.fonts = fonts;
  ui.scale = state.host.display_scale() * static_cast<float>(interface_scale(state));
  const Theme* theme = find_theme(state.settings.theme);
  ui.theme = theme != nullptr ? theme : &dark_theme();
  ui.widgets.clear();
  ui.words.clear();
  if (state.known_font != fonts.text) ++state.font_revision;
  state.known_font = fonts.text;
  apply_style(*ui.theme, ui.scale);
  forget_left_field();
}

void draw_workplace(State& state, ImVec2 display) {
  const Layout layout = lay_out(state, display);
  for (const View& view : views()) {
    if (view.place == ViewPlace::kToolbar) view.draw(state, layout.toolbar.at, layout.toolbar.size);
    if (view.place == ViewPlace::kStatus) view.draw(state, layout.status.at, layout.status.size);
  }
  for (const LaidRow& row : layout.rows) draw_row(state, row);
}

void draw_presentation(State& state, ImVec2 display) {
  const float line = draw_presented_step(state, display);
  for (const View& view : views()) {
    if (view.name == "chart") view.draw(state, ImVec2(0, 0), ImVec2(display.x, display.y - line));
  }
}

void draw_views(State& state) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(display);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("##stowage", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (state.part<Presentation>().on) {
    draw_presentation(state, display);
  } else {
    draw_workplace(state, display);
  }
  ImGui::End();
  for (const View& view : views()) {
    if (view.place == ViewPlace::kOverlay) view.draw(state, ImVec2(0, 0), display);
  }
}

/// Applies what the views asked for; an action may ask for more.
void apply_pending(State& state) {
  for (std::size_t k = 0; k < state.pending.size(); ++k) {
    const Action what = std::move(state.pending[k]);
    apply(state, what);
  }
  state.pending.clear();
}

}  // namespace

Workbench::Workbench(Host& host, std::string config_folder)
    : state_(std::make_unique<State>(host, std::move(config_folder))) {
  State& state = *state_;
  if (state.config_folder.empty()) return;
  if (auto settings = read_settings(state.config_folder)) {
    state.settings = std::move(*settings);
  } else {
    state.complain(settings.error().message);
    state.keep_settings = false;
  }
  state.stored_settings = state.settings;
}

Workbench::~Workbench() = default;

void Workbench::open(const std::string& path) {
  apply(*state_, action::OpenPath{path});
}

bool Workbench::ask_to_close() {
  return may_close(*state_);
}

void Workbench::before_frame() {
  feed_key_hints(*state_);
}

void Workbench::frame(const Fonts& fonts) {
  State& state = *state_;
  prepare(state, fonts);
  poll_services(state);
  refresh_derived(state);
  state.popup_before = state.popup;
  ImGui::PushFont(fonts.text);
  read_shortcuts(state);
  draw_views(state);
  ImGui::PopFont();
  apply_pending(state);
  if (!ImGui::IsMouseDown(0)) store_settings(state);  // not at each pixel of a dragged splitter
  if (state.settle_frames > 0) --state.settle_frames;
}

bool Workbench::animating() const {
  const State& state = *state_;
  const bool fading = std::any_of(state.notices.begin(), state.notices.end(), [](const Notice& n) { return !n.error; });
  return state.settle_frames > 0 || fading || any_service_busy(state);
}

float Workbench::font_scale() const {
  return state_->host.display_scale() * static_cast<float>(interface_scale(*state_));
}

const Settings& Workbench::settings() const {
  return state_->settings;
}

const Document& Workbench::document() const {
  return state_->document;
}

}  // namespace stowage
