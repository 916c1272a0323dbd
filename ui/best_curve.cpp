#include "ui/best_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/model/metrics.h"
#include "ui/replay.h"

namespace stowage {
namespace {

using State = Workbench::State;

class BestCurve {
 public:
  BestCurve(const State& state, const Recording& recording, std::size_t position, ImVec2 at, ImVec2 size)
      : ui_(state.ui), recording_(recording), position_(position), at_(at), size_(size) {
    for (const auto* values : {&recording.incumbents, &recording.bounds}) {
      for (const StepValue& value : *values) {
        low_ = std::min(low_, value.value);
        high_ = std::max(high_, value.value);
      }
    }
    low_ = std::min(low_, high_ - std::max<std::int64_t>(1, high_ / 50));
  }

  std::size_t position_at(float x) const {
    const double share = static_cast<double>(std::clamp((x - at_.x) / size_.x, 0.0F, 1.0F));
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(recording_.size())));
  }

  void draw() const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at_, ImVec2(at_.x + size_.x, at_.y + size_.y), u32(with_alpha(ui_.theme->raised, 0.5)),
                       ui_.px(4));
    stairs(list, recording_.bounds, ui_.theme->good);
    stairs(list, recording_.incumbents, ui_.theme->warn);
    const float x = x_of(position_);
    list.AddLine(ImVec2(x, at_.y), ImVec2(x, at_.y + size_.y), u32(ui_.theme->accent), std::max(1.0F, ui_.px(1)));
  }

 private:
  float x_of(std::size_t position) const {
    const double all = static_cast<double>(std::max<std::size_t>(1, recording_.size()));
    return at_.x + static_cast<float>(static_cast<double>(position) / all) * size_.x;
  }
  float y_of(std::int64_t value) const {
    const double share = (static_cast<double>(value) - static_cast<double>(low_)) /
                         std::max(1.0, static_cast<double>(high_) - static_cast<double>(low_));
    // On whole pixels, else a level line changes its strength on the way.
    return std::round(at_.y + size_.y - ui_.px(6) - static_cast<float>(share) * (size_.y - ui_.px(12)));
  }

  void stairs(ImDrawList& list, const std::vector<StepValue>& values, Color color) const {
    const float thick = std::max(1.0F, ui_.px(1.5F));
    float drawn = -1;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool last = k + 1 == values.size();
      const float x = std::min(x_of(values[k].position), at_.x + size_.x - ui_.px(3));
      const float next = last ? at_.x + size_.x : x_of(values[k + 1].position);
      if (next < drawn + 1 && !last) continue;  // within one pixel only the last one counts
      const Color with = with_alpha(color, values[k].position <= position_ ? 1 : 0.35);
      const float y = y_of(values[k].value);
      list.AddLine(ImVec2(x, y), ImVec2(next, y), u32(with), thick);
      if (k > 0) list.AddLine(ImVec2(x, y_of(values[k - 1].value)), ImVec2(x, y), u32(with), thick);
      drawn = next;
    }
  }

  const Ui& ui_;
  const Recording& recording_;
  std::size_t position_;
  ImVec2 at_;
  ImVec2 size_;
  std::int64_t low_ = kMaxInt64;
  std::int64_t high_ = 0;
};

std::string hint_at(const State& state, const Recording& recording, std::size_t position) {
  std::string words = fmt::format("step {}", format_count(static_cast<std::int64_t>(position)));
  if (const auto best = value_at(recording.incumbents, position)) words += "\nbest plan " + state.bytes(*best);
  if (const auto bound = value_at(recording.bounds, position)) words += "\nbound " + state.bytes(*bound);
  return words + "\nA click goes there.";
}

}  // namespace

std::optional<std::int64_t> value_at(const std::vector<StepValue>& values, std::size_t position) {
  const auto after = std::upper_bound(values.begin(), values.end(), position,
                                      [](std::size_t at, const StepValue& value) { return at < value.position; });
  if (after == values.begin()) return std::nullopt;
  return std::prev(after)->value;
}

void complete_curve(Recording& recording) {
  const std::optional<std::int64_t> proved = recording.run.result.lower_bound;
  const bool searched = proved || !recording.index.all(StepKind::kUnplace).empty();
  if (!searched && !has_best_curve(recording)) return;
  const ProblemMetrics facts = measure(*recording.problem);
  if (recording.bounds.empty()) recording.bounds.push_back(StepValue{0, facts.lower_bound});
  if (recording.incumbents.empty()) {
    const std::int64_t makespan = measure(*recording.problem, facts, recording.run.plan).makespan;
    recording.incumbents.push_back(StepValue{recording.size(), makespan});
  }
  if (proved && *proved > recording.bounds.back().value) {
    recording.bounds.push_back(StepValue{recording.size(), *proved});
  }
}

bool has_best_curve(const Recording& recording) {
  return !recording.incumbents.empty() || !recording.bounds.empty();
}

void draw_best_curve(State& state, const std::string& name, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  const Replay& replay = state.part<Replay>();
  const Recording& recording = *replay.recording;
  const BestCurve curve(state, recording, replay.position, at, size);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(("##" + name).c_str(), size);
  record(ui, name);
  const std::size_t pointed = curve.position_at(ImGui::GetIO().MousePos.x);
  if (ImGui::IsItemActive() && (pointed != replay.position || ImGui::IsMouseClicked(0))) {
    state.later([pointed](State& s) {
      s.part<Replay>().playing = false;
      go_to_step(s, pointed);
    });
  }
  curve.draw();
  if (ImGui::IsItemHovered()) tooltip(ui, hint_at(state, recording, pointed));
}

}  // namespace stowage
