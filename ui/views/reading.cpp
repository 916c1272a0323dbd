#include "ui/reading.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/base/text.h"
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

/// What was answered to a choice that takes "batch=32,seq=128", in its order.
std::vector<std::pair<std::string, std::string>> answers_in(const std::string& value) {
  std::vector<std::pair<std::string, std::string>> answers;
  for (const std::string& part : split(value, ',')) {
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos && equals > 0)
      answers.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  return answers;
}

std::string answers_out(const std::vector<std::pair<std::string, std::string>>& answers) {
  std::string value;
  for (const auto& [name, number] : answers) {
    if (!number.empty()) value += fmt::format("{}{}={}", value.empty() ? "" : ",", name, number);
  }
  return value;
}

/// A field for each size that the file leaves open, and for those that have been given a value.
void open_sizes(State& state, const ReadChoice& choice, const std::string& value) {
  Ui& ui = state.ui;
  constexpr std::size_t most = 32;
  auto answers = answers_in(value);
  std::size_t still_open = 0;
  for (const OpenSize& open : state.document.facts.open) {
    if (open.choice != choice.key) continue;
    ++still_open;
    const bool there =
        std::any_of(answers.begin(), answers.end(), [&](const auto& one) { return one.first == open.name; });
    if (!there) answers.emplace_back(open.name, "");
  }
  if (still_open == 0 && answers.empty()) return;
  if (still_open > 0) {
    paragraph(ui, ui.theme->warn,
              "These have no value, so what is made of them is left out. Type a number, then Enter:");
  }
  for (std::size_t k = 0; k < answers.size() && k < most; ++k) {
    ImGui::PushID(static_cast<int>(k));
    std::string number = answers[k].second;
    text(ui.fonts.text, ui.theme->dim,
         answers[k].first == "?" ? "all without a name" : printable_utf8(answers[k].first));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsDecimal;
    if (ImGui::InputTextWithHint("##size", "a number", &number, flags) && number != answers[k].second) {
      ReadOptions changed = state.part<Reading>().options;
      answers[k].second = number;
      changed.choices[choice.key] = answers_out(answers);
      read_with(state, std::move(changed));
    }
    record(ui, fmt::format("reading.open.{}", answers[k].first));
    ImGui::PopID();
  }
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
    open_sizes(state, choice, value);
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
