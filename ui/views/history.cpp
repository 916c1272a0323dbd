#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "ui/comparing.h"
#include "ui/history_compare.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;
using Entry = History<std::shared_ptr<Snapshot>>::Entry;

constexpr float kEntry = 42;
constexpr float kChange = 24;

/// A word in a rounded frame; returns its width.
float pill(const Ui& ui, ImVec2 right_top, std::string_view word, Color color) {
  const float width = text_width(ui.fonts.small, word) + ui.px(12);
  const float high = font_height(ui.fonts.small) + ui.px(2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(right_top.x - width, right_top.y), ImVec2(right_top.x, right_top.y + high),
                     u32(with_alpha(color, 0.15)), ui.px(4));
  draw_text(ui, ui.fonts.small, ImVec2(right_top.x - width + ui.px(6), right_top.y + ui.px(1)), color, word);
  return width + ui.px(6);
}

/// "makespan +4 KiB   load ±0", against the entry before; the first has nothing before it. Returns the words.
std::string deltas(const State& state, ImVec2 at, const Entry& entry, const Entry* before, double alpha) {
  const Ui& ui = state.ui;
  if (before == nullptr) {
    std::string words = entry.makespan > 0 ? "load " + state.bytes(entry.load) : std::string("nothing planned");
    draw_text(ui, ui.fonts.small, at, with_alpha(ui.theme->dim, alpha), words);
    return words;
  }
  std::string all;
  const auto part = [&](std::string_view name, std::int64_t delta) {
    draw_text(ui, ui.fonts.small, at, with_alpha(ui.theme->dim, alpha), name);
    at.x += text_width(ui.fonts.small, name) + ui.px(5);
    const std::string words = signed_bytes(delta, state.byte_unit());
    draw_text(ui, ui.fonts.small, at, with_alpha(delta_color(*ui.theme, delta), alpha), words);
    at.x += text_width(ui.fonts.small, words) + ui.px(12);
    all += fmt::format("{}{} {}", all.empty() ? "" : "  ", name, words);
  };
  part("makespan", entry.makespan - before->makespan);
  part("load", entry.load - before->load);
  return all;
}

void draw_entry(State& state, std::size_t k) {
  Ui& ui = state.ui;
  const auto& history = state.editing.history;
  const Entry& entry = history[k];
  const bool present = k == history.position();
  const bool ahead = k > history.position();
  const double alpha = ahead ? 0.5 : 1.0;
  const bool compared = state.part<ComparedEntry>().entry == entry.id;
  const float aside = present ? 0 : ui.px(30);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ListRow row = list_row(ui, fmt::format("history.{}", k), static_cast<int>(k), kEntry, present);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  bool over_button = false;
  if (!present) {
    const ImVec2 low(at.x + width - aside, at.y);
    const ImVec2 high(at.x + width, at.y + row.size.y);
    over_button = row.hovered && ImGui::IsMouseHoveringRect(low, high);
    record(ui, fmt::format("history.compare.{}", k), low, high);
    const Color color = over_button || compared ? ui.theme->accent : with_alpha(ui.theme->dim, 0.7);
    draw_text(ui, ui.fonts.text, ImVec2(low.x + ui.px(8), row.text_y(ui.fonts.text)), color, icon::kColumns);
    if (over_button) tooltip(ui, compared ? "End the comparison" : "Compare the present with this");
  }
  const float pad = ui.px(10);
  const float right = at.x + width - std::max(aside, pad);
  const float y = at.y + ui.px(5);
  const std::string makespan = entry.makespan > 0 ? state.bytes(entry.makespan) : std::string("\u2013");
  draw_text_right(ui, ui.fonts.mono, ImVec2(right, y + ui.px(1)), with_alpha(ui.theme->text, alpha), makespan);
  ImFont* font = present ? ui.fonts.semibold : ui.fonts.text;
  const float room = right - text_width(ui.fonts.mono, makespan) - ui.px(10) - at.x - pad;
  draw_text(ui, font, ImVec2(at.x + pad, y), with_alpha(ui.theme->text, alpha),
            fitted(font, printable_utf8(entry.label), room));
  const float second = at.y + ui.px(23);
  float used = 0;
  if (entry.id == history.saved_id()) used += pill(ui, ImVec2(right, second), "saved", ui.theme->good);
  if (present) pill(ui, ImVec2(right - used, second), "now", ui.theme->accent);
  const std::string effect = deltas(state, ImVec2(at.x + pad, second), entry, k > 0 ? &history[k - 1] : nullptr, alpha);
  record_words(ui, fmt::format("history.{}", k), makespan + "  " + effect);
  if (row.hovered && !over_button) {
    tooltip(ui, fmt::format("{}\nmakespan {}\nload {}{}", printable_utf8(entry.label),
                            format_exact_bytes(entry.makespan), format_exact_bytes(entry.load),
                            present ? ""
                            : ahead ? "\n\nClick to do it again."
                                    : "\n\nClick to go back to it."));
  }
  ImGui::SetCursorScreenPos(below);
  if (!row.clicked) return;
  if (over_button) {
    state.later([k](State& s) { compare_with_entry(s, k); });
  } else {
    state.push(action::GoToEntry{k});
  }
}

/// What happened to one buffer, in words.
std::string words_of(const State& state, const Problem& before, const BufferChange& change) {
  const auto moved = [&] {
    return fmt::format("{} \u2192 {}", state.address(change.offset_before), state.address(change.offset_after));
  };
  switch (change.kind) {
    case BufferChange::Kind::kAdded:
      return "added";
    case BufferChange::Kind::kRemoved:
      return "removed";
    case BufferChange::Kind::kMoved:
      return moved();
    case BufferChange::Kind::kEdited:
      break;
  }
  const Buffer& a = before[change.before];
  const Buffer& b = state.problem()[change.after];
  std::string words;
  const auto add = [&](const std::string& more) {
    words += (words.empty() ? "" : ", ") + more;
  };
  if (change.size) add(fmt::format("{} \u2192 {}", state.bytes(a.size), state.bytes(b.size)));
  if (change.lifetime) add(fmt::format("{}\u2013{} \u2192 {}\u2013{}", a.start, a.end, b.start, b.end));
  if (change.alignment) add("alignment " + state.bytes(b.alignment));
  if (change.fixed) add(b.is_fixed() ? "pinned" : "freed");
  if (change.rest) add("details");
  return words;
}

void draw_change(State& state, const Problem& before, const BufferChange& change, int number) {
  Ui& ui = state.ui;
  const bool gone = change.after == kNoBuffer;
  const std::string name = printable_utf8(gone ? before.id(change.before) : state.problem().id(change.after));
  const ListRow row = list_row(ui, fmt::format("history.change.{}", number), number, kChange);
  const std::string words = words_of(state, before, change);
  const float pad = ui.px(10);
  const float room = row.size.x - 2 * pad;
  const Color color = change.kind == BufferChange::Kind::kAdded     ? ui.theme->good
                      : change.kind == BufferChange::Kind::kRemoved ? ui.theme->bad
                                                                    : ui.theme->dim;
  const std::string shown = fitted(ui.fonts.small, words, room * 0.62F);
  const float used = text_width(ui.fonts.small, shown);
  draw_text_right(ui, ui.fonts.small, ImVec2(row.right() - pad, row.text_y(ui.fonts.small)), color, shown);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, name, room - used - ui.px(10)));
  if (row.hovered) tooltip(ui, name + "\n" + words);
  if (!row.clicked || gone) return;
  state.push(action::Select{{change.after}, SelectMode::kReplace});
  state.push(action::FrameBuffers{{change.after}});
}

std::string counts(const Changes& changes) {
  std::string words;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) {
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", format_count(static_cast<std::int64_t>(count)), what);
    }
  };
  add(changes.edited, "edited");
  add(changes.added, "added");
  add(changes.removed, "removed");
  add(changes.moved, "moved");
  return words.empty() ? "the same buffers at the same addresses" : words;
}

std::string_view unit_of(std::string_view bytes) {
  return bytes.substr(std::min(bytes.size(), bytes.rfind(' ')));
}

std::string without_unit(const std::string& bytes) {
  return bytes.substr(0, bytes.rfind(' '));
}

/// "23.08 \u2192 24.89 MiB (+1.81)": a unit that comes twice is written once, for the panel is narrow.
void compared_row(State& state, std::string_view name, std::int64_t before, std::int64_t now) {
  const Color color = delta_color(*state.ui.theme, now - before);
  const std::string new_bytes = state.bytes(now);
  std::string old_bytes = state.bytes(before);
  std::string delta = signed_bytes(now - before, state.byte_unit());
  if (unit_of(old_bytes) == unit_of(new_bytes)) old_bytes = without_unit(old_bytes);
  if (unit_of(delta) == unit_of(new_bytes)) delta = without_unit(delta);
  value_row(state.ui, name, fmt::format("{} \u2192 {} ({})", old_bytes, new_bytes, delta),
            fmt::format("{}, now {}", format_exact_bytes(before), format_exact_bytes(now)), &color);
}

void draw_comparison(State& state, float height) {
  Ui& ui = state.ui;
  const ComparedEntry& compared = state.part<ComparedEntry>();
  separator(ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float close = button_width(ui, icon::kClose, "");
  const float beside = button_width(ui, icon::kColumns, "");
  draw_text(ui, ui.fonts.semibold, ImVec2(at.x, at.y + ui.px(5)), ui.theme->text,
            fitted(ui.fonts.semibold, "Since: " + printable_utf8(compared.label), width - close - beside - ui.px(12)));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - close - beside - ui.px(4), at.y));
  const std::string key = entry_key(compared.entry);
  const bool planned = side_of_key(state, key).has_value();
  if (button(ui, "history.compare.beside", icon::kColumns, "", ButtonLook::kQuiet,
             planned ? "Draw it side by side with the present" : "It has no plan", planned)) {
    state.later([key](State& s) { show_beside(s, key); });
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - close, at.y));
  if (button(ui, "history.compare.close", icon::kClose, "", ButtonLook::kQuiet, "End the comparison")) {
    state.later([](State& s) { stop_comparing(s); });
  }
  const PlanFacts* facts = state.shown_facts();
  compared_row(state, "Makespan", compared.makespan, facts != nullptr ? facts->metrics.makespan : 0);
  record(ui, "history.compare.makespan");
  compared_row(state, "Load", compared.load, state.analysis.facts.load);
  if (!compared.changes || compared.work.running()) {
    text(ui.fonts.small, ui.theme->dim, "Comparing\u2026");
    return;
  }
  text(ui.fonts.small, ui.theme->dim, counts(*compared.changes));
  record(ui, "history.compare.counts");
  const float left = height - (ImGui::GetCursorScreenPos().y - at.y);
  if (left < ui.px(kChange) || compared.changes->none()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("history.changes", ImVec2(0, left));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(compared.changes->list.size()), ui.px(kChange));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
      draw_change(state, *compared.problem, compared.changes->list[static_cast<std::size_t>(k)], k);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void draw_entries(State& state, float height) {
  Ui& ui = state.ui;
  const auto& history = state.editing.history;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("history.list", ImVec2(0, height));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(history.size()), ui.px(kEntry));
  while (clipper.Step()) {
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) draw_entry(state, static_cast<std::size_t>(k));
  }
  // The present stays in sight after a change, wherever one has scrolled.
  auto& seen = state.part<HistoryScroll>();
  if (seen.present != history.present_id()) {
    seen.present = history.present_id();
    ImGui::SetScrollY(std::max(0.0F, static_cast<float>(history.position()) * ui.px(kEntry) - height / 2));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_history(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "history", at, size);
  const auto& history = state.editing.history;
  const std::size_t changes = history.position();
  card_title(ui, "History",
             changes == 0   ? std::string("nothing changed")
             : changes == 1 ? std::string("1 change")
                            : format_count(static_cast<std::int64_t>(changes)) + " changes");
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  const float foot = font_height(ui.fonts.small) + ui.px(8);
  const float room = ImGui::GetContentRegionAvail().y - foot;
  const bool comparing = state.part<ComparedEntry>().entry != 0;
  const float list = comparing ? std::floor(room * 0.45F) : room;
  draw_entries(state, std::max(list, ui.px(kEntry)));
  if (comparing) draw_comparison(state, room - list - ui.px(30));
  const ImVec2 end(at.x + ui.px(12), at.y + size.y - foot - ui.px(4));
  const std::string kept = fmt::format("{} kept for undo", format_bytes(static_cast<std::int64_t>(history.bytes())));
  draw_text(ui, ui.fonts.small, end, ui.theme->dim, kept);
  record(ui, "history.bytes", end,
         ImVec2(end.x + text_width(ui.fonts.small, kept), end.y + font_height(ui.fonts.small)));
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace stowage
