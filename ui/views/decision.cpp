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

constexpr std::size_t kQueue = 12;
constexpr float kBestHeight = 72;  // logical pixels high

void part_title(Ui& ui, std::string_view words, std::string_view right = {}) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui, ui.fonts.small, at, ui.theme->dim, words);
  const float width = ImGui::GetContentRegionAvail().x;
  if (!right.empty()) draw_text_right(ui, ui.fonts.small, ImVec2(at.x + width, at.y), ui.theme->dim, right);
  ImGui::Dummy(ImVec2(width, ui.px(16)));
}

void select_on_click(State& state, const ListRow& row, BufferIndex buffer) {
  if (row.clicked && buffer != kNoBuffer) state.push(action::Select{{buffer}, SelectMode::kReplace});
}

void buffer_row(State& state, const std::string& name, int id, BufferIndex buffer) {
  Ui& ui = state.ui;
  const ListRow row = list_row(ui, name, id, 20);
  const Buffer& b = state.problem()[buffer];
  const float dot = ui.px(8);
  const float y = row.at.y + (row.size.y - dot) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(row.at.x + ui.px(4), y), ImVec2(row.at.x + ui.px(4) + dot, y + dot),
                                            u32(ui.theme->border(category_of(state.problem(), buffer))), ui.px(2));
  const std::string size = state.bytes(b.size);
  draw_text_right(ui, ui.fonts.mono, ImVec2(row.right() - ui.px(4), row.text_y(ui.fonts.mono)), ui.theme->dim, size);
  const float x = row.at.x + ui.px(20);
  const float room = row.right() - text_width(ui.fonts.mono, size) - ui.px(14) - x;
  draw_text(ui, ui.fonts.text, ImVec2(x, row.text_y(ui.fonts.text)), ui.theme->text,
            fitted(ui.fonts.text, printable_utf8(state.problem().id(buffer)), room));
  select_on_click(state, row, buffer);
}

/// The buffer that the run is busy with.
void subject_part(State& state, const Moment& moment) {
  Ui& ui = state.ui;
  if (moment.buffer == kNoBuffer) {
    paragraph(ui, ui.theme->dim, "The run is between two buffers.");
    return;
  }
  part_title(ui, moment.place ? "Placed" : "Looking at");
  buffer_row(state, "decision.buffer", 0, moment.buffer);
  const Buffer& b = state.problem()[moment.buffer];
  value_row(ui, "live", fmt::format("{} \u2013 {}", b.start, b.end));
  if (moment.place) value_row(ui, "offset", state.address(*moment.place), format_exact_bytes(*moment.place));
}

/// Where it did not fit, and why.
void tried_part(State& state, const Moment& moment) {
  Ui& ui = state.ui;
  const std::size_t count = moment.tried.size() + moment.tried_before;
  if (count == 0) return;
  separator(ui);
  part_title(ui, "Places tried", format_count(static_cast<std::int64_t>(count)));
  if (moment.tried_before > 0) {
    text(ui.fonts.small, ui.theme->dim,
         fmt::format("{} earlier ones", format_count(static_cast<std::int64_t>(moment.tried_before))));
  }
  for (std::size_t k = 0; k < moment.tried.size(); ++k) {
    const step::Reject& reject = moment.tried[k];
    const bool last = k + 1 == moment.tried.size() && !moment.place;
    const ListRow row = list_row(ui, fmt::format("decision.tried.{}", k), static_cast<int>(k), 20, last);
    draw_text(ui, ui.fonts.small, ImVec2(row.at.x + ui.px(5), row.text_y(ui.fonts.small)), ui.theme->bad, icon::kClose);
    const std::string at = state.address(reject.offset);
    draw_text(ui, ui.fonts.mono, ImVec2(row.at.x + ui.px(22), row.text_y(ui.fonts.mono)), ui.theme->text, at);
    const float x = row.at.x + ui.px(32) + text_width(ui.fonts.mono, at);
    const std::string blocker =
        reject.blocker < state.problem().size() ? printable_utf8(state.problem().id(reject.blocker)) : std::string();
    std::string words = fmt::format("{} free", state.bytes(reject.free));
    if (!blocker.empty()) words += " below " + blocker;
    draw_text(ui, ui.fonts.small, ImVec2(x, row.text_y(ui.fonts.small)), ui.theme->dim,
              fitted(ui.fonts.small, words, row.right() - x - ui.px(4)));
    if (row.hovered) {
      tooltip(ui, fmt::format("{}\n{} needed", words, format_exact_bytes(reject.needed)));
    }
    select_on_click(state, row, reject.blocker);
  }
}

void queue_part(State& state, const Moment& moment) {
  Ui& ui = state.ui;
  separator(ui);
  part_title(ui, "Next in the queue");
  if (moment.next.empty()) {
    text(ui.fonts.small, ui.theme->dim, "Nobody waits any more.");
    return;
  }
  for (std::size_t k = 0; k < std::min(kQueue, moment.next.size()); ++k) {
    buffer_row(state, fmt::format("decision.next.{}", k), static_cast<int>(k), moment.next[k]);
  }
  if (moment.next.size() > kQueue) text(ui.fonts.small, ui.theme->dim, "and more");
}

/// The best plan and the bound so far, against the steps.
void curve_part(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const Recording& recording = *replay.recording;
  if (!has_best_curve(recording)) return;
  separator(ui);
  part_title(ui, "Best plan and bound");
  const auto best = value_at(recording.incumbents, replay.position);
  const auto bound = value_at(recording.bounds, replay.position);
  if (best) value_row(ui, "best so far", state.bytes(*best), format_exact_bytes(*best), &ui.theme->warn);
  if (bound) value_row(ui, "bound", state.bytes(*bound), format_exact_bytes(*bound), &ui.theme->good);
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(kBestHeight));
  draw_best_curve(state, "decision.curve", ImGui::GetCursorScreenPos(), size);
}

/// Of a transform: the tensor, the op, and the buffer that the tensor lies in at the end of the pipeline.
void stage_part(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const StageTape& tape = *replay.recording->stage;
  const Graph& graph = tape.before->graph;
  const StepSubject subject = tape.subject_at(replay.position);
  paragraph(ui, ui.theme->text, caption_at(replay, replay.position));
  separator(ui);
  if (subject.tensor != kNoTensor) {
    const Tensor& tensor = graph.tensor(subject.tensor);
    value_row(ui, "tensor", printable_utf8(tensor.id));
    value_row(ui, "size", tensor.bytes ? state.bytes(*tensor.bytes) : std::string("unknown"));
    value_row(ui, "kind", std::string(name_of(tensor.kind)));
  }
  const std::vector<OpIndex> ops = ops_about(graph, subject);
  if (!ops.empty()) value_row(ui, "op", printable_utf8(graph.op(ops.front()).id));
  const BufferIndex buffer = tape.buffer_at(replay.position);
  if (buffer >= state.problem().size()) return;
  part_title(ui, "Lies in");
  buffer_row(state, "decision.buffer", 0, buffer);
}

void progress_part(State& state, const Replay& replay) {
  Ui& ui = state.ui;
  const Recording& recording = *replay.recording;
  std::int64_t placed = 0;
  std::int64_t highest = 0;
  for (BufferIndex i = 0; i < replay.drawn->size(); ++i) {
    const std::int64_t offset = (*replay.drawn)[i];
    if (offset == kNoOffset) continue;
    ++placed;
    highest = std::max(highest, offset + state.problem()[i].size);
  }
  value_row(
      ui, "placed",
      fmt::format("{} of {}", format_count(placed), format_count(static_cast<std::int64_t>(state.problem().size()))));
  value_row(ui, "highest", state.bytes(highest), format_exact_bytes(highest));
  const std::size_t rejects = recording.index.count(StepKind::kReject, replay.position);
  value_row(ui, "places that failed", format_count(static_cast<std::int64_t>(rejects)));
  const std::size_t back = recording.index.count(StepKind::kUnplace, replay.position);
  if (!recording.index.all(StepKind::kUnplace).empty()) {
    value_row(ui, "taken out again", format_count(static_cast<std::int64_t>(back)),
              "So often the search has gone back: a placed buffer was taken out again");
  }
}

}  // namespace

void draw_decision(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  const Replay& replay = state.part<Replay>();
  begin_card(ui, "decision", at, size);
  card_title(ui, "This step", replay.ready() ? position_words(replay) : std::string());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool of_stage = replay.ready() && replay.recording->stage;
  if (!of_stage && (!replay.ready() || replay.drawn == nullptr)) {
    empty_message(
        ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kEye, "No step is shown",
        "Whom the allocator looks at, where it does not fit and who comes next: record the steps of the shown "
        "plan in the player.");
    end_card();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(3)));
  ImGui::BeginChild("decision.body", room);
  if (of_stage) {
    stage_part(state, replay);
  } else {
    subject_part(state, replay.moment);
    tried_part(state, replay.moment);
    curve_part(state, replay);
    queue_part(state, replay.moment);
    separator(ui);
    progress_part(state, replay);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_card();
}

}  // namespace stowage
