#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "ui/board.h"
#include "ui/icons.h"
#include "ui/leaderboard.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;
using Stage = AllocatorRun::Stage;

constexpr const char* kPinned = "pinned.";  // in Settings::layout, before the id

bool pinned(const State& state, const std::string& id) {
  const auto found = state.settings.layout.find(kPinned + id);
  return found != state.settings.layout.end() && found->second != 0;
}

void toggle_pinned(State& state, const std::string& id) {
  Settings to = state.settings;
  double& on = to.layout[kPinned + id];
  on = on != 0 ? 0 : 1;
  apply(state, action::ChangeSettings{std::move(to)});
}

double seconds_of(const State& state, const std::string& id) {
  const PlanFacts* facts = state.facts_of(id);
  return facts != nullptr && facts->seconds >= 0 ? facts->seconds : 1e300;
}

std::size_t issues_of(const State& state, const std::string& id) {
  const PlanFacts* facts = state.facts_of(id);
  return facts != nullptr ? facts->report.count : 0;
}

/// Finished plans in the chosen order, while something runs in the order of the registry so that nothing jumps; then
/// the other allocators. Pinned ones are above all.
std::vector<std::string> rows_of(State& state) {
  std::vector<std::string> ids;
  if (state.tasks.idle()) {
    ids = state.ranked_plans();
    const Leaderboard::Sort sort = state.part<Leaderboard>().sort;
    std::stable_sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
      if (sort == Leaderboard::Sort::kTime) return seconds_of(state, a) < seconds_of(state, b);
      if (sort == Leaderboard::Sort::kIssues) return issues_of(state, a) < issues_of(state, b);
      return sort == Leaderboard::Sort::kName && State::title_of_plan(a) < State::title_of_plan(b);
    });
  } else {
    for (const Plan& plan : state.document.plans) {
      if (find_allocator(plan.id) == nullptr) ids.push_back(plan.id);
    }
  }
  for (const Allocator& allocator : allocators()) {
    if (std::find(ids.begin(), ids.end(), allocator.id) == ids.end()) ids.push_back(allocator.id);
  }
  std::stable_partition(ids.begin(), ids.end(), [&](const std::string& id) { return pinned(state, id); });
  return ids;
}

std::int64_t largest_makespan(const State& state) {
  std::int64_t largest = state.analysis.facts.load;
  for (const auto& [id, facts] : state.plan_facts) largest = std::max(largest, facts.metrics.makespan);
  // One hopeless plan must not squeeze the others together: its bar is simply full.
  const std::int64_t load = state.analysis.facts.load;
  if (load > 0 && load < kMaxInt64 / 2) largest = std::min(largest, load + load / 2);
  return std::max<std::int64_t>(largest, 1);
}

/// The makespan as a bar with a tick at the load; while it runs, the progress.
void draw_bar(const State& state, ImVec2 at, float width, const PlanFacts* facts, const AllocatorRun& run,
              std::int64_t largest) {
  const Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float high = ui.px(5);
  const auto piece = [&](double share, Color color) {
    const float w = static_cast<float>(std::clamp(share, 0.0, 1.0)) * width;
    if (w >= 1) list.AddRectFilled(at, ImVec2(at.x + w, at.y + high), u32(color), high / 2);
  };
  piece(1, ui.theme->raised);
  if (run.stage == Stage::kRunning || run.stage == Stage::kWaiting) {
    piece(run.share, with_alpha(ui.theme->accent, 0.55));
    return;
  }
  if (facts == nullptr) return;
  const Color color = !facts->report.valid()   ? ui.theme->bad
                      : facts->metrics.optimal ? ui.theme->good
                                               : ui.theme->accent;
  piece(static_cast<double>(facts->metrics.makespan) / static_cast<double>(largest), color);
  const float x =
      at.x + static_cast<float>(static_cast<double>(state.analysis.facts.load) / static_cast<double>(largest)) * width;
  list.AddRectFilled(ImVec2(x - ui.px(1), at.y - ui.px(3)), ImVec2(x + ui.px(1), at.y + high + ui.px(3)),
                     u32(ui.theme->text));
}

struct RowWords {
  std::string time;
  std::string value;
  Color color;
};

RowWords words_of(const State& state, const PlanFacts* facts, const AllocatorRun& run) {
  const Theme& theme = *state.ui.theme;
  switch (run.stage) {
    case Stage::kWaiting:
      return {"", "waiting", theme.dim};
    case Stage::kRunning:
      return {"", fmt::format("{:.0f} %", run.share * 100), theme.accent};
    case Stage::kFailed:
      return {"", "refused", theme.warn};
    default:
      break;
  }
  if (facts == nullptr) return {"", "not run", theme.dim};
  const Color color = !facts->report.valid() ? theme.bad : facts->metrics.optimal ? theme.good : theme.text;
  return {facts->seconds >= 0 ? format_seconds(facts->seconds) : std::string(), state.bytes(facts->metrics.makespan),
          color};
}

std::string tooltip_of(const std::string& id, const PlanFacts* facts, const AllocatorRun& run) {
  std::string words;
  if (const Allocator* allocator = find_allocator(id)) words = allocator->summary + "\n" + allocator->id;
  if (run.stage == Stage::kFailed) return words + "\n\n" + run.message;
  if (facts == nullptr) return words + "\n\nClick to run it.";
  words += fmt::format("\n\nmakespan {}\noverhead {}", format_exact_bytes(facts->metrics.makespan),
                       overhead_text(facts->metrics.overhead));
  if (facts->metrics.optimal) words += "\noptimal: no plan can be smaller";
  if (!facts->report.valid()) {
    words += fmt::format("\n{} issues", format_count(static_cast<std::int64_t>(facts->report.count)));
  }
  return words;
}

void draw_entry(State& state, const std::string& id, float width, std::int64_t largest) {
  Ui& ui = state.ui;
  const PlanFacts* facts = state.facts_of(id);
  const auto found = state.runs.find(id);
  const AllocatorRun run = found == state.runs.end() ? AllocatorRun{} : found->second;
  const bool active = run.stage == Stage::kRunning || run.stage == Stage::kWaiting;
  const bool shown = state.shown_plan == id;
  const bool kept = pinned(state, id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(width, ui.px(43));
  ImDrawList& list = *ImGui::GetWindowDrawList();

  const float cancel = active ? ui.px(30) : 0;
  ImGui::PushID(id.c_str());
  const bool clicked = ImGui::InvisibleButton("##entry", ImVec2(size.x - cancel, size.y));
  record(ui, "allocators." + id);
  const bool hovered = ImGui::IsItemHovered();
  const bool menu = ImGui::IsItemClicked(1);
  if (shown || hovered) {
    list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y - ui.px(2)),
                       u32(with_alpha(ui.theme->accent, shown ? 0.16 : 0.08)), ui.px(6));
  }
  if (shown) {
    list.AddRectFilled(ImVec2(at.x, at.y + ui.px(6)), ImVec2(at.x + ui.px(2), at.y + size.y - ui.px(8)),
                       u32(ui.theme->accent));
  }
  if (active) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + size.x - cancel, at.y));
    if (ImGui::InvisibleButton("##cancel", ImVec2(cancel, size.y))) state.push(action::CancelRun{id});
    record(ui, "allocators.cancel." + id);
    const Color color = ImGui::IsItemHovered() ? ui.theme->text : ui.theme->dim;
    if (ImGui::IsItemHovered()) tooltip(ui, "Cancel this run");
    draw_text(ui, ui.fonts.text, ImVec2(at.x + size.x - ui.px(21), at.y + ui.px(12)), color, icon::kClose);
  }
  if (menu) ImGui::OpenPopup("##menu");
  if (ImGui::BeginPopup("##menu")) {
    if (ImGui::MenuItem(kept ? "Unpin" : "Pin to the top")) state.later([id](State& s) { toggle_pinned(s, id); });
    record(ui, "allocators.pin." + id);
    if (ImGui::MenuItem("Run again", nullptr, false, find_allocator(id) != nullptr)) {
      state.push(action::RunAllocator{id});
    }
    record(ui, "allocators.again." + id);
    if (ImGui::MenuItem("Remove this plan", nullptr, false, state.document.find_plan(id) != nullptr)) {
      state.push(action::RemovePlan{id});
    }
    record(ui, "allocators.remove." + id);
    ImGui::EndPopup();
  }
  ImGui::PopID();

  const RowWords words = words_of(state, facts, run);
  const float pad = ui.px(10);
  const float right = at.x + size.x - cancel - pad;
  const float y = at.y + ui.px(6);
  draw_text_right(ui, ui.fonts.mono, ImVec2(right, y + ui.px(1)), words.color, words.value);
  float used = text_width(ui.fonts.mono, words.value) + ui.px(12);
  if (!words.time.empty()) {
    draw_text_right(ui, ui.fonts.small, ImVec2(right - used, y + ui.px(1)), ui.theme->dim, words.time);
    used += text_width(ui.fonts.small, words.time) + ui.px(10);
  }
  if (kept) {
    draw_text_right(ui, ui.fonts.small, ImVec2(right - used, y + ui.px(1)), ui.theme->accent, icon::kPin);
    used += ui.px(16);
  }
  ImFont* font = shown ? ui.fonts.semibold : ui.fonts.text;
  const Color color = facts == nullptr && !active ? ui.theme->dim : ui.theme->text;
  draw_text(ui, font, ImVec2(at.x + pad, y), color, fitted(font, State::title_of_plan(id), right - used - at.x - pad));
  // Beside the bar: the overhead, or how many rules are broken.
  float bar_right = right;
  if (facts != nullptr && !active) {
    const bool broken = !facts->report.valid();
    const auto issues = static_cast<std::int64_t>(facts->report.count);
    const std::string more = broken ? fmt::format("{} {}", format_count(issues), issues == 1 ? "issue" : "issues")
                             : facts->metrics.optimal ? std::string("optimal")
                                                      : "+" + overhead_text(facts->metrics.overhead);
    draw_text_right(ui, ui.fonts.small, ImVec2(right, at.y + ui.px(24)),
                    broken                   ? ui.theme->bad
                    : facts->metrics.optimal ? ui.theme->good
                                             : ui.theme->dim,
                    more);
    bar_right -= ui.px(60);
  }
  draw_bar(state, ImVec2(at.x + pad, at.y + ui.px(29)), bar_right - at.x - pad, facts, run, largest);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + size.y));
  if (hovered) tooltip(ui, tooltip_of(id, facts, run));
  if (!clicked) return;
  if (state.document.find_plan(id) != nullptr) {
    state.push(action::ShowPlan{id});
  } else if (!active) {
    state.push(action::RunAllocator{id});
  }
}

/// By what the plans are ranked, right of the title, as much of it as there is room for.
void sort_switch(State& state, float left, float right, float y) {
  using Sort = Leaderboard::Sort;
  Ui& ui = state.ui;
  const ImVec2 back = ImGui::GetCursorScreenPos();
  Leaderboard& board = state.part<Leaderboard>();
  constexpr std::pair<Sort, const char*> sorts[] = {
      {Sort::kName, "name"}, {Sort::kTime, "time"}, {Sort::kMakespan, "makespan"}, {Sort::kIssues, "issues"}};
  for (const auto& [sort, word] : sorts) {
    const ImVec2 size(text_width(ui.fonts.small, word) + ui.px(12), ui.px(22));
    if (right - size.x < left) break;
    right -= size.x;
    ImGui::SetCursorScreenPos(ImVec2(right, y));
    ImGui::PushID(word);
    if (ImGui::InvisibleButton("##sort", size)) board.sort = sort;
    ImGui::PopID();
    record(ui, std::string("allocators.sort.") + word);
    const bool on = board.sort == sort;
    if (ImGui::IsItemHovered()) tooltip(ui, std::string("Rank the plans by ") + word);
    draw_text(ui, ui.fonts.small, ImVec2(right + ui.px(6), y + (size.y - font_height(ui.fonts.small)) / 2),
              on                       ? ui.theme->accent
              : ImGui::IsItemHovered() ? ui.theme->text
                                       : ui.theme->dim,
              word);
  }
  ImGui::SetCursorScreenPos(back);
}

}  // namespace

void draw_allocators(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "allocators", at, size);
  card_title(ui, "Allocators", "");
  if (state.has_problem()) {
    const float left = at.x + text_width(ui.fonts.semibold, "Allocators") + ui.px(20);
    sort_switch(state, left, at.x + size.x - ui.px(12), at.y + ui.px(8));
  }
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (!state.has_problem()) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kTrophy, "Nothing to plan",
                  shows_board(state)
                      ? "Draw the first buffer on the board: it is planned at once, and all others with it."
                      : "Allocators run on the buffers of an open file.");
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("allocators.list", room);
  const std::int64_t largest = largest_makespan(state);
  const float width = ImGui::GetContentRegionAvail().x - (ImGui::GetScrollMaxY() > 0 ? ui.px(4) : 0);
  for (const std::string& id : rows_of(state)) draw_entry(state, id, width, largest);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_card();
}

}  // namespace stowage
