#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/best_curve.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/replay.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kCurveLeast = 24;  // logical pixels high; below, the panel beside it has the curve alone
constexpr float kCurveMost = 110;

std::string speed_words(double speed) {
  return speed < 1 ? fmt::format("{:.2g}\u00D7", speed) : fmt::format("{:.0f}\u00D7", speed);
}

void command_button(State& state, const char* name, const char* icon, CommandId id, const char* words,
                    bool enabled = true) {
  const bool pressed = button(state.ui, name, icon, "", ButtonLook::kQuiet, words, enabled);
  if (pressed) state.push(action::Invoke{id});
  ImGui::SameLine(0, state.ui.px(2));
}

/// The title, where one is, and the phase; the way out on the right.
void heading(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(ui, ui.fonts.semibold, at, ui.theme->text, "Player");
  float x = at.x + text_width(ui.fonts.semibold, "Player") + ui.px(12);
  const float right = at.x + width - ui.px(30);
  const std::string position = position_words(replay);
  draw_text(ui, ui.fonts.mono, ImVec2(x, at.y + (font_height(ui.fonts.text) - font_height(ui.fonts.mono)) / 2),
            ui.theme->text, position);
  record(ui, "player.position", ImVec2(x, at.y), ImVec2(x + text_width(ui.fonts.mono, position), at.y + ui.px(16)));
  x += text_width(ui.fonts.mono, position) + ui.px(14);
  std::string words = replay.title;
  if (const std::string_view phase = phase_at(replay, replay.position); !phase.empty()) {
    words += "  \u2022  " + printable_utf8(phase);
  }
  if (replay.recording->log.truncated()) {
    const std::string cut =
        fmt::format("cut after {} steps: the end is missing", format_count(static_cast<std::int64_t>(replay.limit)));
    const float wide = text_width(ui.fonts.small, cut);
    draw_text(ui, ui.fonts.small, ImVec2(right - wide, at.y + ui.px(2)), ui.theme->warn, cut);
    record(ui, "player.cut", ImVec2(right - wide, at.y), ImVec2(right, at.y + ui.px(16)));
    draw_text(ui, ui.fonts.text, ImVec2(x, at.y), ui.theme->dim,
              fitted(ui.fonts.text, words, std::max(0.0F, right - wide - ui.px(12) - x)));
  } else {
    draw_text(ui, ui.fonts.text, ImVec2(x, at.y), ui.theme->dim,
              fitted(ui.fonts.text, words, std::max(0.0F, right - x)));
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - ui.px(28), at.y - ui.px(7)));
  if (button(ui, "player.close", icon::kClose, "", ButtonLook::kQuiet,
             "Close the player: the chart shows the plan again")) {
    state.push(action::MovePanel{"player", "hidden"});
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(24)));
}

void speed_menu(State& state, Replay& replay) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + std::floor((ui.px(30) - ImGui::GetFrameHeight()) / 2)));
  ImGui::SetNextItemWidth(ui.px(74));
  if (ImGui::BeginCombo("##speed", speed_words(replay.speed).c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const double speed : Replay::kSpeeds) {
      const std::string words = fmt::format("{} step{} a second", speed, speed == 1 ? "" : "s");
      if (ImGui::Selectable(words.c_str(), speed == replay.speed)) {
        state.later([speed](State& s) { s.part<Replay>().speed = speed; });
      }
      record(ui, fmt::format("player.speed.{}", speed));
    }
    ImGui::EndCombo();
  }
  record(ui, "player.speed");
  if (ImGui::IsItemHovered()) tooltip(ui, "Steps a second");
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(80), at.y));
}

void range_buttons(State& state, Replay& replay) {
  Ui& ui = state.ui;
  if (button(ui, "player.loop", icon::kLoop, "", replay.loop ? ButtonLook::kActive : ButtonLook::kQuiet,
             "Loop the range, or everything (Shift+L)")) {
    state.push(action::Invoke{CommandId::loop_steps});
  }
  ImGui::SameLine(0, ui.px(2));
  if (button(ui, "player.in", nullptr, "From", ButtonLook::kQuiet,
             "The range begins here (Shift+I); Shift and a drag on the bar set both ends")) {
    state.push(action::Invoke{CommandId::range_begin});
  }
  ImGui::SameLine(0, ui.px(2));
  if (button(ui, "player.out", nullptr, "To", ButtonLook::kQuiet, "The range ends here (Shift+O)")) {
    state.push(action::Invoke{CommandId::range_end});
  }
  if (!replay.range_from) return;
  ImGui::SameLine(0, ui.px(2));
  if (button(ui, "player.whole", icon::kClose, "", ButtonLook::kQuiet, "No range: everything is played")) {
    state.push(action::Invoke{CommandId::range_whole});
  }
}

/// Buttons on the left, the caption of the step on the right, in two lines if it must.
void controls(State& state, Replay& replay) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const bool begun = replay.position > 0;
  const bool over = replay.position >= replay.recording->size();
  command_button(state, "player.phase_back", icon::kPhaseBack, CommandId::phase_back, "Previous phase (Shift+\u2190)",
                 begun);
  command_button(state, "player.step_back", icon::kStepBack, CommandId::step_back, "One step back (\u2190)", begun);
  if (button(ui, "player.play", replay.playing ? icon::kPause : icon::kPlay, "", ButtonLook::kAccent,
             replay.playing ? "Pause (Space)" : "Play (Space)")) {
    state.push(action::Invoke{CommandId::play});
  }
  ImGui::SameLine(0, ui.px(2));
  command_button(state, "player.step_on", icon::kStepOn, CommandId::step_on, "One step (\u2192)", !over);
  command_button(state, "player.phase_on", icon::kPhaseOn, CommandId::phase_on, "Next phase (Shift+\u2192)", !over);
  ImGui::SameLine(0, ui.px(6));
  speed_menu(state, replay);
  range_buttons(state, replay);
  ImGui::SameLine(0, ui.px(14));
  const ImVec2 from(ImGui::GetCursorScreenPos().x, at.y);
  const float room = right - from.x;
  const std::string words = caption_at(replay, replay.position);
  if (room > ui.px(80)) {
    ImFont* font = text_width(ui.fonts.semibold, words) <= room ? ui.fonts.semibold : ui.fonts.text;
    const bool two = text_width(font, words) > room;
    std::string shown = two ? fitted(font, words, room * 1.8F) : words;
    const float high = font_height(font) * (two ? 2.0F : 1.0F);
    ImGui::GetWindowDrawList()->AddText(font, font_height(font),
                                        ImVec2(std::floor(from.x), std::floor(at.y + (ui.px(30) - high) / 2)),
                                        u32(ui.theme->text), shown.c_str(), nullptr, room);
    record(ui, "player.caption", from, ImVec2(right, at.y + ui.px(30)));
    record_words(ui, "player.caption", words);
    if (shown != words && ImGui::IsMouseHoveringRect(from, ImVec2(right, at.y + ui.px(30)))) tooltip(ui, words);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(38)));
}

/// The bar: a position for each pixel, ticks where phases begin, the range, the knob.
class ScrubBar {
 public:
  ScrubBar(State& state, Replay& replay, ImVec2 at, ImVec2 size)
      : state_(state), ui_(state.ui), replay_(replay), at_(at), size_(size) {}

  void draw() {
    ImGui::SetCursorScreenPos(at_);
    ImGui::InvisibleButton("##scrub", size_);
    record(ui_, "player.scrub");
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered();
    drive(active);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = at_.y + size_.y - ui_.px(9);
    const float half = ui_.px(3);
    list.AddRectFilled(ImVec2(at_.x, middle - half), ImVec2(at_.x + size_.x, middle + half), u32(ui_.theme->raised),
                       half);
    const Color done = with_alpha(ui_.theme->accent, 0.55);
    list.AddRectFilled(ImVec2(at_.x, middle - half), ImVec2(x_of(replay_.position), middle + half), u32(done), half);
    if (replay_.range_from) {
      const ImVec2 low(x_of(replay_.from()), middle - ui_.px(7));
      const ImVec2 high(x_of(replay_.to()), middle + ui_.px(7));
      list.AddRectFilled(low, high, u32(with_alpha(ui_.theme->warn, 0.22)), ui_.px(2));
      list.AddRect(low, high, u32(ui_.theme->warn), ui_.px(2));
    }
    phases(list, middle);
    list.AddCircleFilled(ImVec2(x_of(replay_.position), middle), ui_.px(active ? 8 : 7), u32(ui_.theme->card), 24);
    list.AddCircleFilled(ImVec2(x_of(replay_.position), middle), ui_.px(active ? 7 : 6), u32(ui_.theme->accent), 24);
    if (hovered && !active) hint();
  }

 private:
  float x_of(std::size_t position) const {
    const double all = static_cast<double>(std::max<std::size_t>(1, replay_.recording->size()));
    return at_.x + static_cast<float>(static_cast<double>(position) / all) * size_.x;
  }
  std::size_t position_at(float x) const {
    const double share = static_cast<double>(std::clamp((x - at_.x) / size_.x, 0.0F, 1.0F));
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(replay_.recording->size())));
  }

  void drive(bool active) {
    if (!active) {
      replay_.range_anchor.reset();
      return;
    }
    const std::size_t to = position_at(ImGui::GetIO().MousePos.x);
    const bool pressed = ImGui::IsMouseClicked(0);
    if (pressed && ImGui::GetIO().KeyShift) replay_.range_anchor = to;
    if (replay_.range_anchor) {
      state_.later([from = *replay_.range_anchor, to](State& s) { set_range(s, from, to); });
    } else if (to != replay_.position || pressed) {
      state_.later([to](State& s) {
        s.part<Replay>().playing = false;
        go_to_step(s, to);
      });
    }
  }

  /// A tick for each phase, as far apart as pixels; names where there is room for them.
  void phases(ImDrawList& list, float middle) {
    float last_tick = at_.x - 10;
    float last_name = at_.x - 10;
    const auto steps = replay_.recording->index.all(StepKind::kPhase);
    for (std::size_t k = 0; k < steps.size();) {
      const float x = x_of(steps[k]);
      if (x >= last_tick + 2) {
        list.AddRectFilled(ImVec2(x, middle - ui_.px(6)), ImVec2(x + std::max(1.0F, ui_.px(1)), middle + ui_.px(6)),
                           u32(with_alpha(ui_.theme->text, 0.55)));
        last_tick = x;
      }
      name(steps, k, last_name);
      // With a phase for every few steps only the next pixel matters.
      const std::size_t beyond = position_at(x + 1);
      ++k;
      if (k < steps.size() && steps[k] < beyond) {
        k = static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), beyond) - steps.begin());
      }
    }
  }

  void name(std::span<const std::uint32_t> steps, std::size_t k, float& last) {
    if (size_.y < ui_.px(32)) return;
    const float x = x_of(steps[k]);
    const float next = k + 1 < steps.size() ? x_of(steps[k + 1]) : at_.x + size_.x;
    if (x < last || next - x < ui_.px(40)) return;
    const auto& phase = std::get<step::Phase>(replay_.recording->log.steps()[steps[k]].fact);
    const std::string shown = fitted(ui_.fonts.small, printable_utf8(phase.name), next - x - ui_.px(8));
    draw_text(ui_, ui_.fonts.small, ImVec2(x, at_.y), ui_.theme->dim, shown);
    last = x + text_width(ui_.fonts.small, shown) + ui_.px(6);
  }

  void hint() {
    const std::size_t position = position_at(ImGui::GetIO().MousePos.x);
    std::string words = fmt::format("step {}", format_count(static_cast<std::int64_t>(position)));
    if (const auto phase = phase_at(replay_, position); !phase.empty()) words += "  \u2022  " + printable_utf8(phase);
    tooltip(ui_, words + "\n" + caption_at(replay_, position));
  }

  State& state_;
  Ui& ui_;
  Replay& replay_;
  ImVec2 at_;
  ImVec2 size_;
};

void recording_message(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  text(ui.fonts.text, ui.theme->text, "Recording the steps of " + replay.title + "\u2026");
  progress_bar(ui, "player.progress", replay.share != nullptr ? replay.share->load() : 0);
  ImGui::Dummy(ImVec2(1, ui.px(4)));
  if (button(ui, "player.cancel", icon::kClose, "Cancel", ButtonLook::kRaised, "Stop recording")) {
    state.later([](State& s) { cancel_recording(s); });
  }
}

/// Nothing to play: why, and the button that changes it.
void nothing_message(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const char* why = why_no_steps(state);
  const bool can = *why == '\0';
  if (!replay.failure.empty()) {
    paragraph(ui, ui.theme->warn, replay.failure);
  } else if (can) {
    paragraph(
        ui, ui.theme->dim,
        fmt::format("Watch how {} comes to its plan: each buffer it looks at, each place that is too small, and why.",
                    State::title_of_plan(state.shown_plan)));
  } else {
    paragraph(ui, ui.theme->dim, fmt::format("There are no steps to play: {}.", why));
  }
  ImGui::Dummy(ImVec2(1, ui.px(4)));
  if (button(ui, "player.record", icon::kPlay, "Record the steps", ButtonLook::kAccent,
             can ? "Runs the allocator once more and keeps what it says" : why, can)) {
    state.push(action::Invoke{CommandId::record_steps});
  }
}

}  // namespace

void draw_player(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  Replay& replay = state.part<Replay>();
  begin_card(ui, "player", at, size);
  const bool in_popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (ImGui::IsMouseClicked(0) && !in_popup) {
    replay.focused = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  }
  if (!replay.ready()) {
    card_title(ui, "Player");
    if (replay.work.running()) {
      recording_message(state, replay);
    } else {
      nothing_message(state, replay);
    }
    end_card();
    return;
  }
  heading(state, replay);
  controls(state, replay);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float left = at.y + size.y - ui.px(10) - low.y;
  if (left >= ui.px(14)) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float bar = std::min(left, ui.px(36));
    const float curve = std::min(left - bar - ui.px(6), ui.px(kCurveMost));
    const bool drawn = curve >= ui.px(kCurveLeast) && has_best_curve(*replay.recording);
    // The same steps above each other.
    if (drawn) draw_best_curve(state, "player.curve", low, ImVec2(width, curve));
    ScrubBar(state, replay, ImVec2(low.x, drawn ? low.y + curve + ui.px(6) : low.y), ImVec2(width, bar)).draw();
  }
  if (replay.focused) {
    ImGui::GetWindowDrawList()->AddRect(at, ImVec2(at.x + size.x, at.y + size.y),
                                        u32(with_alpha(ui.theme->accent, 0.7)), ui.px(8));
  }
  end_card();
}

}  // namespace stowage
