#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/model/section_tops.h"
#include "ui/comparing.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/row_scroll.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kDifferenceHeight = 24;
constexpr float kCurvesHeight = 74;

/// Which differences are listed, and where the list stands.
struct DifferencesList {
  enum class Show { kAll, kUp, kDown, kSame, kOnlyHere, kOnlyThere, kUnmatched };
  Show show = Show::kAll;
  RowScroll scroll;
  std::vector<std::uint32_t> rows;  // indices into Changes::list; of kSame buffers, of kUnmatched names
  std::uint64_t plan_revision = ~std::uint64_t{0};
  std::string compared;
  std::uint16_t space = 0;
  Show listed = Show::kAll;
  std::size_t up = 0;
  std::size_t down = 0;
  std::size_t same = 0;
  std::size_t only_here = 0;
  std::size_t only_there = 0;
  std::vector<SectionTop> here;
  std::vector<SectionTop> there;
};

DifferencesList::Show side_of(const BufferChange& change) {
  if (change.offset_before == kNoOffset) return DifferencesList::Show::kOnlyHere;
  if (change.offset_after == kNoOffset) return DifferencesList::Show::kOnlyThere;
  return change.offset_after > change.offset_before ? DifferencesList::Show::kUp : DifferencesList::Show::kDown;
}

void refresh(State& state, DifferencesList& list) {
  const Changes& changes = differences(state);
  const Comparing& comparing = state.part<Comparing>();
  if (list.show == DifferencesList::Show::kUnmatched && unmatched_there(state).empty()) {
    list.show = DifferencesList::Show::kAll;
  }
  if (list.plan_revision == state.plan_revision && list.compared == comparing.other && list.space == state.space &&
      list.listed == list.show)
    return;
  list.plan_revision = state.plan_revision;
  list.compared = comparing.other;
  list.space = state.space;
  list.listed = list.show;
  list.rows.clear();
  list.up = list.down = list.same = list.only_here = list.only_there = 0;
  for (std::size_t k = 0; k < changes.list.size(); ++k) {
    const DifferencesList::Show side = side_of(changes.list[k]);
    list.up += side == DifferencesList::Show::kUp ? 1U : 0U;
    list.down += side == DifferencesList::Show::kDown ? 1U : 0U;
    list.only_here += side == DifferencesList::Show::kOnlyHere ? 1U : 0U;
    list.only_there += side == DifferencesList::Show::kOnlyThere ? 1U : 0U;
    if (list.show == DifferencesList::Show::kAll || list.show == side) {
      list.rows.push_back(static_cast<std::uint32_t>(k));
    }
  }
  const std::vector<std::int64_t>& there = compared_plan(state)->offsets;
  for (BufferIndex i = 0; i < state.problem().size(); ++i) {
    if (state.offsets()[i] == kNoOffset || state.offsets()[i] != there[i]) continue;
    ++list.same;
    if (list.show == DifferencesList::Show::kSame) list.rows.push_back(i);
  }
  if (list.show == DifferencesList::Show::kUnmatched) {
    list.rows.resize(unmatched_there(state).size());
    std::iota(list.rows.begin(), list.rows.end(), 0U);
  }
  list.here = section_tops(state.problem(), state.offsets(), state.space);
  list.there = section_tops(state.problem(), there, state.space);
}

void filters(State& state, DifferencesList& list) {
  using Show = DifferencesList::Show;
  const auto one = [&](Show show, const char* name, std::string_view word, std::size_t count, bool first) {
    const std::string words = fmt::format("{} {}", word, count);
    if (!first) {
      ImGui::SameLine(0, state.ui.px(4));
      if (ImGui::GetContentRegionAvail().x < button_width(state.ui, nullptr, words)) ImGui::NewLine();
    }
    const ButtonLook look = list.show == show ? ButtonLook::kActive : ButtonLook::kQuiet;
    if (button(state.ui, fmt::format("differences.{}", name), nullptr, words, look)) list.show = show;
  };
  one(Show::kAll, "all", "all", list.up + list.down + list.only_here + list.only_there, true);
  one(Show::kUp, "up", "up", list.up, false);
  one(Show::kDown, "down", "down", list.down, false);
  one(Show::kSame, "same", "same", list.same, false);
  if (list.only_here > 0) one(Show::kOnlyHere, "only_here", "only here", list.only_here, false);
  if (list.only_there > 0) one(Show::kOnlyThere, "only_there", "only there", list.only_there, false);
  const std::size_t unmatched = unmatched_there(state).size();
  if (unmatched > 0) one(Show::kUnmatched, "unmatched", "not matched", unmatched, false);
}

/// The highest address in use over time, of both plans, above the load: what lies between is waste.
void draw_waste(State& state, const DifferencesList& list, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, u32(ui.theme->background), ui.px(4));
  record(ui, "differences.waste", low, high);
  const std::size_t count = list.here.size();
  if (count == 0 || list.there.size() != count) return;
  double most = 1;
  for (std::size_t k = 0; k < count; ++k) {
    most = std::max({most, static_cast<double>(list.here[k].top), static_cast<double>(list.there[k].top)});
  }
  const double begin = static_cast<double>(list.here.front().start);
  const double span = std::max(1.0, static_cast<double>(list.here.back().end) - begin);
  const auto x_of = [&](std::int64_t time) {
    return low.x + static_cast<float>((static_cast<double>(time) - begin) / span) * (high.x - low.x);
  };
  const auto y_of = [&](std::int64_t byte) {
    return high.y - static_cast<float>(static_cast<double>(byte) / most) * (high.y - low.y - ui.px(4));
  };
  // More sections than pixels: the highest of each pixel is what counts.
  const auto curve = [&](const std::vector<SectionTop>& tops, bool load, Color color) {
    std::vector<ImVec2> points;
    for (const SectionTop& top : tops) {
      const float y = y_of(load ? top.load : top.top);
      const float left = x_of(top.start);
      if (!points.empty() && left - points.back().x < 1 && points.size() > 1) {
        points.back().y = std::min(points.back().y, y);
        points[points.size() - 2].y = std::min(points[points.size() - 2].y, y);
        continue;
      }
      points.emplace_back(left, y);
      points.emplace_back(std::max(left, x_of(top.end)), y);
    }
    draw.AddPolyline(points.data(), static_cast<int>(points.size()), u32(color), 0, std::max(1.0F, ui.px(1.3F)));
  };
  curve(list.here, true, with_alpha(ui.theme->good, 0.8));
  curve(list.there, false, with_alpha(ui.theme->warn, 0.9));
  curve(list.here, false, ui.theme->accent);
  if (!ImGui::IsMouseHoveringRect(low, high)) return;
  const float share = (ImGui::GetIO().MousePos.x - low.x) / std::max(1.0F, high.x - low.x);
  const auto time = static_cast<std::int64_t>(begin + static_cast<double>(share) * span);
  for (std::size_t k = 0; k < count; ++k) {
    if (time >= list.here[k].end && k + 1 < count) continue;
    tooltip(ui, fmt::format("step {}\nwaste here {}\nwaste there {}", time,
                            state.bytes(list.here[k].top - list.here[k].load),
                            state.bytes(list.there[k].top - list.there[k].load)));
    return;
  }
}

void draw_difference(State& state, const BufferChange& change, std::size_t number) {
  Ui& ui = state.ui;
  const BufferIndex i = change.after;
  const ListRow row = list_row(ui, fmt::format("differences.{}", number), static_cast<int>(number), kDifferenceHeight,
                               state.is_selected(i));
  const std::string name = printable_utf8(state.problem().id(i));
  const std::string words =
      fmt::format("{} \u2192 {}", state.address(change.offset_before), state.address(change.offset_after));
  const float pad = ui.px(8);
  const bool up = side_of(change) == DifferencesList::Show::kUp;
  const bool moved = change.offset_before != kNoOffset && change.offset_after != kNoOffset;
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - pad, row.text_y(ui.fonts.mono)),
                  !moved ? ui.theme->dim
                  : up   ? ui.theme->warn
                         : ui.theme->good,
                  words);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + pad, row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, name, row.size.x - text_width(ui.fonts.mono, words) - 3 * pad));
  if (row.hovered) {
    tooltip(ui, fmt::format("{}\n{}\nthere {}\nhere {}", name, format_exact_bytes(state.problem()[i].size),
                            state.address(change.offset_before), state.address(change.offset_after)));
  }
  if (!row.clicked) return;
  state.push(action::Select{{i}, SelectMode::kReplace});
  state.push(action::FrameBuffers{{i}});
}

/// A buffer of the other file that is none of this problem.
void draw_unmatched(State& state, const std::string& id, std::size_t number) {
  Ui& ui = state.ui;
  const ListRow row =
      list_row(ui, fmt::format("differences.unmatched.{}", number), static_cast<int>(number), kDifferenceHeight, false);
  draw_text(ui, ui.fonts.text, ImVec2(row.at.x + ui.px(8), row.text_y(ui.fonts.text)), ui.theme->dim,
            fitted(ui.fonts.text, printable_utf8(id), row.size.x - ui.px(16)));
}

/// What a row of the list shows, as a difference.
BufferChange difference_of_row(State& state, const DifferencesList& list, std::size_t row) {
  if (list.show != DifferencesList::Show::kSame) return differences(state).list[list.rows[row]];
  BufferChange same;
  same.before = same.after = list.rows[row];
  same.offset_before = same.offset_after = state.offsets()[same.after];
  return same;
}

}  // namespace

void draw_differences(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "differences", at, size);
  const Plan* other = state.plan() != nullptr ? compared_plan(state) : nullptr;
  card_title(ui, "Differences", other != nullptr ? "against " + State::title_of_plan(other->id) : std::string());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (other == nullptr) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kSwap, "Nothing to compare yet",
                  "Two finished plans are needed: the shown one and another.");
    end_card();
    return;
  }
  DifferencesList& list = state.part<DifferencesList>();
  refresh(state, list);
  filters(state, list);
  refresh(state, list);  // a click may have chosen another list
  const ImVec2 curve = ImGui::GetCursorScreenPos();
  const float right = low.x + room.x;
  draw_waste(state, list, curve, ImVec2(right, curve.y + ui.px(kCurvesHeight)));
  const ImVec2 top(low.x, curve.y + ui.px(kCurvesHeight + 8));
  const ImVec2 area(room.x, low.y + room.y - top.y);
  if (list.rows.empty()) {
    const bool same = list.show == DifferencesList::Show::kSame;
    empty_message(ui, top, ImVec2(right, low.y + room.y), icon::kCheck, same ? "Nothing is the same" : "No difference",
                  same ? "No buffer lies at the same address in both plans."
                       : "Every buffer of this list lies at the same address in both plans.");
    end_card();
    return;
  }
  const auto visible = static_cast<std::size_t>(std::max(1.0F, area.y / ui.px(kDifferenceHeight)));
  list.scroll.update(list.rows.size(), visible, ImGui::IsMouseHoveringRect(top, ImVec2(right, low.y + room.y)));
  ImGui::SetCursorScreenPos(top);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("differences.list", ImVec2(area.x - ui.px(8), area.y), false, ImGuiWindowFlags_NoScrollWithMouse);
  for (std::size_t k = list.scroll.first; k < std::min(list.rows.size(), list.scroll.first + visible); ++k) {
    if (list.show == DifferencesList::Show::kUnmatched) {
      draw_unmatched(state, unmatched_there(state)[list.rows[k]], k);
    } else {
      draw_difference(state, difference_of_row(state, list, k), k);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  list.scroll.draw_bar(ui, "differences.scroll", ImVec2(right - ui.px(6), top.y), ImVec2(ui.px(6), area.y),
                       list.rows.size(), visible);
  end_card();
}

}  // namespace stowage
