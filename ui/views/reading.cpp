#include "ui/reading.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostWarnings = 200;

void read_with(State& state, ReadOptions options) {
  state.later([options = std::move(options)](State& s) { read_otherwise(s, options); });
}

/// A choice among a few words; the one that is in force is shown.
template <typename Value>
void rule(State& state, const char* name, const char* label, Value ReadOptions::*member,
          std::initializer_list<std::pair<Value, const char*>> values) {
  Ui& ui = state.ui;
  const ReadOptions& options = state.part<Reading>().options;
  const char* shown = "";
  for (const auto& [value, words] : values) {
    if (value == options.*member) shown = words;
  }
  ImGui::PushID(name);
  text(ui.fonts.text, ui.theme->dim, label);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::BeginCombo("##rule", shown)) {
    for (const auto& [value, words] : values) {
      if (ImGui::Selectable(words, value == options.*member) && value != options.*member) {
        ReadOptions other = options;
        other.*member = value;
        read_with(state, std::move(other));
      }
      record(ui, fmt::format("{}.{}", name, words));
    }
    ImGui::EndCombo();
  }
  record(ui, name);
  ImGui::PopID();
}

/// The questions that the file's format leaves open.
void choices(State& state, const Format& format) {
  Ui& ui = state.ui;
  const ReadOptions& options = state.part<Reading>().options;
  for (const ReadChoice& choice : format.choices) {
    const std::string& value = format.choice(options, choice.key);
    const std::string name = "reading.choice." + choice.key;
    const auto answer = [&](const std::string& other) {
      ReadOptions changed = options;
      changed.choices[choice.key] = other;
      read_with(state, std::move(changed));
    };
    ImGui::PushID(choice.key.c_str());
    paragraph(ui, ui.theme->dim, choice.summary);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (choice.values.empty()) {
      std::string typed = value;
      if (ImGui::InputText("##value", &typed, ImGuiInputTextFlags_EnterReturnsTrue) && typed != value) answer(typed);
    } else if (ImGui::BeginCombo("##value", value.c_str())) {
      for (const std::string& one : choice.values) {
        if (ImGui::Selectable(one.c_str(), one == value) && one != value) answer(one);
        record(ui, name + "." + one);
      }
      ImGui::EndCombo();
    }
    record(ui, name);
    ImGui::PopID();
  }
}

void warnings(State& state, const ReadFacts& facts) {
  Ui& ui = state.ui;
  if (facts.warnings.empty()) return;
  separator(ui);
  text(ui.fonts.semibold, ui.theme->text, "Left out or noticed");
  for (std::size_t k = 0; k < facts.warnings.size() && k < kMostWarnings; ++k) {
    paragraph(ui, ui.theme->warn, printable_utf8(facts.warnings[k]));
  }
  record(ui, "reading.warnings");
  if (facts.warnings.size() > kMostWarnings) {
    paragraph(
        ui, ui.theme->dim,
        fmt::format("and {} more", format_count(static_cast<std::int64_t>(facts.warnings.size() - kMostWarnings))));
  }
}

}  // namespace

void draw_reading(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "reading", at, size);
  const ReadFacts& facts = state.document.facts;
  const Format* format = find_format(facts.format);
  card_title(ui, "Reading", state.loading.running() ? "reading\xE2\x80\xA6" : "");
  if (state.document.path.empty() || format == nullptr) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kFile, "No file is open",
                  "How a file was read, and how else it could be.");
    end_card();
    return;
  }
  ImGui::BeginChild("reading.rows");
  value_row(ui, "format", format->title, format->summary);
  value_row(ui, "times", facts.times);
  value_row(ui, "buffers", format_count(static_cast<std::int64_t>(state.problem().size())));
  if (facts.left_out > 0) {
    value_row(ui, "left out", format_count(static_cast<std::int64_t>(facts.left_out)), {}, &ui.theme->warn);
  }
  separator(ui);
  rule<TimeRule>(state, "reading.times", "Times are meant", &ReadOptions::times,
                 {{TimeRule::kDefault, "as the format says"},
                  {TimeRule::kHalfOpen, "half-open"},
                  {TimeRule::kClosed, "closed"},
                  {TimeRule::kOpen, "open"}});
  rule<OffsetRule>(state, "reading.offsets", "Offsets are", &ReadOptions::offsets,
                   {{OffsetRule::kDefault, "as the format says"},
                    {OffsetRule::kPlan, "a plan"},
                    {OffsetRule::kPins, "fixed places"}});
  bool lenient = state.part<Reading>().options.lenient;
  if (ImGui::Checkbox("Leave bad rows out", &lenient)) {
    ReadOptions other = state.part<Reading>().options;
    other.lenient = lenient;
    read_with(state, std::move(other));
  }
  record(ui, "reading.lenient");
  choices(state, *format);
  warnings(state, facts);
  ImGui::EndChild();
  end_card();
}

}  // namespace stowage
