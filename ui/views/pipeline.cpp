#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/graph/schedule.h"
#include "core/transforms/transform.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/pipeline_panel.h"
#include "ui/pipeline_point.h"
#include "ui/pipeline_results.h"
#include "ui/stage_controls.h"
#include "ui/stage_replay.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The recipe with a change to it, for the history.
void edit_recipe(State& state, std::string label, const std::function<void(GraphRecipe&)>& change) {
  state.later([label = std::move(label), change](State& s) {
    GraphRecipe recipe = s.document.recipe;
    change(recipe);
    change_recipe(s, label, std::move(recipe));
  });
}

void schedule_part(State& state) {
  Ui& ui = state.ui;
  const GraphRecipe& recipe = state.document.recipe;
  const Scheduler* chosen = find_scheduler(recipe.schedule);
  text(ui.fonts.text, ui.theme->dim, "Order of the ops");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::BeginCombo("##schedule", chosen == nullptr ? recipe.schedule.c_str() : chosen->title.c_str())) {
    for (const Scheduler& scheduler : schedulers()) {
      if (ImGui::Selectable(scheduler.title.c_str(), scheduler.id == recipe.schedule)) {
        edit_recipe(state, "Order: " + scheduler.title, [id = scheduler.id](GraphRecipe& r) { r.schedule = id; });
      }
      record(ui, "pipeline.schedule." + scheduler.id);
      if (ImGui::IsItemHovered()) tooltip(ui, scheduler.summary);
    }
    ImGui::EndCombo();
  }
  record(ui, "pipeline.schedule");
}

void include_part(State& state) {
  Ui& ui = state.ui;
  const auto box = [&](const char* name, const char* label, bool LowerOptions::*member) {
    bool on = state.document.recipe.lowering.*member;
    if (ImGui::Checkbox(label, &on)) {
      edit_recipe(state, fmt::format("{} {}", label, on ? "become buffers" : "left out"),
                  [member, on](GraphRecipe& r) { r.lowering.*member = on; });
    }
    record(ui, name);
  };
  box("pipeline.inputs", "Inputs", &LowerOptions::inputs);
  const float second = ui.px(120);  // two columns: three do not fit into a narrow slot
  ImGui::SameLine(second);
  box("pipeline.weights", "Weights", &LowerOptions::weights);
  box("pipeline.outputs", "Outputs", &LowerOptions::outputs);
  ImGui::SameLine(second);
  // Weights bring the optimizer's state along; the box is for the state alone.
  box("pipeline.state", "State", &LowerOptions::state);
  if (ImGui::IsItemHovered()) tooltip(ui, "What the optimizer keeps from one run to the next");
}

/// "load 12 MiB  plan 12.5 MiB" and how it has changed.
void numbers_line(State& state, const StageNumbers& now, const StageNumbers* before, const std::string& allocator) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  float x = at.x + ui.px(26);
  const auto add = [&](std::string_view words, Color color) {
    draw_text(ui, ui.fonts.small, ImVec2(x, at.y), color, words);
    x += text_width(ui.fonts.small, words) + ui.px(6);
  };
  // A name with its value, or neither.
  const auto value = [&](const char* name, std::int64_t bytes, std::int64_t old) {
    const std::string shown = state.bytes(bytes);
    if (x + text_width(ui.fonts.small, name) + ui.px(6) + text_width(ui.fonts.small, shown) > right) return;
    add(name, ui.theme->dim);
    add(shown, ui.theme->text);
    if (before != nullptr && bytes != old) {
      const std::string change = signed_bytes(bytes - old, state.byte_unit());
      if (x + text_width(ui.fonts.small, change) <= right) add(change, delta_color(*ui.theme, bytes - old));
    }
    x += ui.px(8);
  };
  value("load", now.load, before == nullptr ? 0 : before->load);
  value("plan", now.makespan, before == nullptr ? 0 : before->makespan);
  value("no reuse", now.naive, before == nullptr ? 0 : before->naive);
  if (ImGui::IsMouseHoveringRect(at, ImVec2(right, at.y + ui.px(18)))) {
    tooltip(ui, fmt::format("load {}\nmakespan {} ({})\nwithout reuse {}\n{} ops, {} buffers",
                            format_exact_bytes(now.load), format_exact_bytes(now.makespan), allocator,
                            format_exact_bytes(now.naive), format_count(static_cast<std::int64_t>(now.ops)),
                            format_count(static_cast<std::int64_t>(now.buffers))));
  }
  ImGui::Dummy(ImVec2(1, ui.px(18)));
}

/// What a stage has done, in the fewest words.
std::string report_words(const State& state, const TransformReport& report) {
  std::string words;
  const auto add = [&](std::string part) {
    words += (words.empty() ? "" : "  \u2022  ") + part;
  };
  const auto count = [](std::int64_t n, std::string_view what) {
    return fmt::format("{} {}", format_count(n), what);
  };
  if (report.copies_removed != 0) add(count(report.copies_removed, "copies less"));
  if (report.bytes_saved != 0) add(state.bytes(report.bytes_saved) + " saved");
  if (report.extra_ops != 0) add(count(report.extra_ops, "ops more"));
  if (report.extra_flops != 0) add(count(report.extra_flops, "operations more"));
  if (report.bytes_moved != 0) add(state.bytes(report.bytes_moved) + " moved");
  if (report.stall != 0) add(fmt::format("stall {:.4g}", report.stall));
  if (report.padding != 0) add(state.bytes(report.padding) + " padding");
  if (report.messages_saved != 0) add(count(report.messages_saved, "messages less"));
  if (report.communication_saved != 0) add(format_seconds(report.communication_saved) + " of sending saved");
  if (!report.implied.empty()) add(count(static_cast<std::int64_t>(report.implied.size()), "orders taken for granted"));
  if (words.empty()) {
    const auto done = std::count_if(report.remarks.begin(), report.remarks.end(),
                                    [](const Remark& remark) { return remark.kind == Remark::Kind::kDone; });
    if (done > 0) add(count(done, "placed"));
  }
  // What concerns the whole stands first: where two ends meet, a capacity that is not kept.
  const bool told = !report.remarks.empty() && report.remarks.front().tensor == kNoTensor;
  if (told) add(printable_utf8(report.remarks.front().text));
  return words.empty() ? std::string("nothing to do here") : words;
}

void parameters(State& state, std::size_t index, const Transform& transform) {
  Ui& ui = state.ui;
  const PipelineStage& stage = state.document.recipe.pipeline[index];
  const auto set = [&](const std::string& key, const std::string& value) {
    edit_recipe(state, fmt::format("{}: {} {}", transform.title, key, value),
                [index, key, value](GraphRecipe& r) { r.pipeline[index].params[key] = value; });
  };
  for (const ParamSpec& spec : transform.params) {
    const auto given = stage.params.find(spec.key);
    const std::string value = given == stage.params.end() ? spec.value : given->second;
    ImGui::PushID(spec.key.c_str());
    ImGui::Indent(ui.px(26));
    text(ui.fonts.small, ui.theme->dim, spec.key);
    if (ImGui::IsItemHovered()) tooltip(ui, spec.summary);
    ImGui::SameLine(ui.px(150));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const std::string name = fmt::format("pipeline.{}.{}", index, spec.key);
    if (spec.closed && !spec.choices.empty()) {
      if (ImGui::BeginCombo("##value", value.c_str())) {
        for (const std::string& choice : spec.choices) {
          if (ImGui::Selectable(choice.c_str(), choice == value)) set(spec.key, choice);
          record(ui, name + "." + choice);
        }
        ImGui::EndCombo();
      }
    } else {
      std::string typed = value;
      if (ImGui::InputText("##value", &typed, ImGuiInputTextFlags_EnterReturnsTrue) && typed != value)
        set(spec.key, typed);
    }
    record(ui, name);
    ImGui::Unindent(ui.px(26));
    ImGui::PopID();
  }
}

void remarks(State& state, const TransformReport& report) {
  constexpr std::size_t kShown = 60;
  Ui& ui = state.ui;
  std::size_t shown = 0;
  for (const Remark& remark : report.remarks) {
    if (shown++ == kShown) break;
    const Color color = remark.kind == Remark::Kind::kDone      ? ui.theme->good
                        : remark.kind == Remark::Kind::kRefused ? ui.theme->warn
                                                                : ui.theme->dim;
    ImGui::Indent(ui.px(26));
    paragraph(ui, color, printable_utf8(remark.text));
    ImGui::Unindent(ui.px(26));
  }
  if (report.remarks.size() > kShown) {
    text(ui.fonts.small, ui.theme->dim,
         fmt::format("and {} more", format_count(static_cast<std::int64_t>(report.remarks.size() - kShown))));
  }
}

void stage_row(State& state, std::size_t index) {
  Ui& ui = state.ui;
  auto& panel = state.part<PipelinePanel>();
  const PipelineStage& stage = state.document.recipe.pipeline[index];
  const Transform* transform = find_transform(stage.transform);
  const std::string name = fmt::format("pipeline.{}", index);
  ImGui::PushID(static_cast<int>(index));
  separator(ui);
  bool on = stage.on;
  if (ImGui::Checkbox("##on", &on)) {
    edit_recipe(state, fmt::format("{} {}", title_of(stage), on ? "on" : "off"),
                [index, on](GraphRecipe& r) { r.pipeline[index].on = on; });
  }
  record(ui, name + ".on");
  ImGui::SameLine(0, ui.px(6));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float buttons = ui.px(4 * 32);
  const float width = std::max(ui.px(40), ImGui::GetContentRegionAvail().x - buttons);
  if (ImGui::InvisibleButton("##open", ImVec2(width, ui.px(24)))) {
    state.later([index](State& s) {
      auto& p = s.part<PipelinePanel>();
      p.open_stage = p.open_stage == index ? static_cast<std::size_t>(-1) : index;
    });
  }
  record(ui, name);
  if (ImGui::IsItemHovered() && transform != nullptr) tooltip(ui, transform->summary);
  draw_text(ui, stage.on ? ui.fonts.semibold : ui.fonts.text, ImVec2(at.x, at.y + ui.px(3)),
            stage.on ? ui.theme->text : ui.theme->dim, fitted(ui.fonts.semibold, title_of(stage), width));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width, at.y - ui.px(3)));
  const auto act = [&](const char* suffix, const char* icon, const char* words, bool enabled, auto&& change) {
    if (button(ui, name + suffix, icon, "", ButtonLook::kQuiet, words, enabled))
      edit_recipe(state, fmt::format("{}: {}", title_of(stage), words), change);
    ImGui::SameLine(0, 0);
  };
  if (button(ui, name + ".steps", icon::kPlay, "", ButtonLook::kQuiet, "Play its steps", transform != nullptr))
    state.later([index](State& s) { record_stage(s, index, true); });
  ImGui::SameLine(0, 0);
  act(".up", icon::kSortUp, "earlier", index > 0,
      [index](GraphRecipe& r) { std::swap(r.pipeline[index], r.pipeline[index - 1]); });
  act(".down", icon::kSortDown, "later", index + 1 < state.document.recipe.pipeline.size(),
      [index](GraphRecipe& r) { std::swap(r.pipeline[index], r.pipeline[index + 1]); });
  act(".remove", icon::kTrash, "removed", true,
      [index](GraphRecipe& r) { r.pipeline.erase(r.pipeline.begin() + static_cast<std::ptrdiff_t>(index)); });
  ImGui::NewLine();
  const bool known = panel.measured && index < panel.measured->reports.size();
  if (known && stage.on) {
    numbers_line(state, panel.measured->numbers[index + 1], &panel.measured->numbers[index], panel.measured->allocator);
    ImGui::Indent(ui.px(26));
    paragraph(ui, ui.theme->dim, report_words(state, panel.measured->reports[index]));
    ImGui::Unindent(ui.px(26));
    record(ui, name + ".report");
  }
  if (stage.on) stage_controls(state, name, index + 1);
  if (panel.open_stage == index && transform != nullptr) {
    parameters(state, index, *transform);
    if (known) remarks(state, panel.measured->reports[index]);
  }
  ImGui::PopID();
}

/// What goes into the pipeline, before any of its stages.
void given_part(State& state) {
  const auto& panel = state.part<PipelinePanel>();
  separator(state.ui);
  text(state.ui.fonts.semibold, state.ui.theme->text, "The graph as given");
  if (panel.measured) numbers_line(state, panel.measured->numbers.front(), nullptr, panel.measured->allocator);
  record(state.ui, "pipeline.before");
  stage_controls(state, "pipeline.given", 0);
}

/// What comes out of it: liveness makes buffers of the tensors.
void buffers_part(State& state) {
  const auto& panel = state.part<PipelinePanel>();
  separator(state.ui);
  text(state.ui.fonts.semibold, state.ui.theme->text, "Buffers by liveness");
  if (panel.measured) numbers_line(state, panel.measured->numbers.back(), nullptr, panel.measured->allocator);
  record(state.ui, "pipeline.buffers");
  stage_controls(state, "pipeline.buffers", state.document.recipe.pipeline.size(), true);
}

void add_part(State& state) {
  Ui& ui = state.ui;
  separator(ui);
  if (button(ui, "pipeline.add", icon::kPlus, "Add a transform", ButtonLook::kRaised)) ImGui::OpenPopup("##add");
  if (!ImGui::BeginPopup("##add")) return;
  for (const Transform& transform : transforms()) {
    if (ImGui::Selectable(transform.title.c_str())) {
      edit_recipe(state, "Added " + transform.title, [id = transform.id](GraphRecipe& r) {
        r.pipeline.push_back(PipelineStage{id, true, {}});
      });
    }
    record(ui, "pipeline.add." + transform.id);
    if (ImGui::IsItemHovered()) tooltip(ui, transform.summary);
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_pipeline(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  follow_pipeline(state);
  const auto& panel = state.part<PipelinePanel>();
  begin_card(ui, "pipeline", at, size);
  const bool working =
      panel.work.running() || state.editing.work.running() || state.part<PipelineResults>().work.running();
  card_title(ui, "Pipeline", working ? "working\u2026" : "");
  if (state.document.graph == nullptr) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kSliders, "No operator graph",
                  "A graph goes through transforms on its way to buffers; this file holds buffers only.");
    end_card();
    return;
  }
  ImGui::BeginChild("pipeline.rows");
  schedule_part(state);
  include_part(state);
  given_part(state);
  if (!panel.failure.empty()) paragraph(ui, ui.theme->bad, panel.failure);
  for (std::size_t index = 0; index < state.document.recipe.pipeline.size(); ++index) stage_row(state, index);
  add_part(state);
  buffers_part(state);
  ImGui::EndChild();
  end_card();
}

}  // namespace stowage
