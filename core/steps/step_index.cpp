#include "core/steps/step_index.h"

#include <algorithm>

namespace stowage {
namespace {

constexpr std::size_t kMostCounted = 100'000;  // of failed places; nobody reads more
constexpr std::size_t kMostRemarks = 1'000;    // after which a story is forgotten

/// The buffer that a step is about; kNoBuffer for those that speak of none.
BufferIndex subject(const Step& step) {
  if (const auto* consider = std::get_if<step::Consider>(&step.fact)) return consider->buffer;
  if (const auto* reject = std::get_if<step::Reject>(&step.fact)) return reject->buffer;
  if (const auto* place = std::get_if<step::Place>(&step.fact)) return place->buffer;
  if (const auto* unplace = std::get_if<step::Unplace>(&step.fact)) return unplace->buffer;
  if (const auto* put = std::get_if<step::PutInBox>(&step.fact)) return put->member.buffer;
  if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) return take->buffer;
  if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) return back->buffer;
  return kNoBuffer;
}

}  // namespace

StepKind kind_of(const Step& step) {
  return static_cast<StepKind>(step.fact.index());
}

std::string_view op_of(StepKind kind) {
  constexpr std::array<std::string_view, kStepKinds> names = {
      "phase",     "consider", "reject",   "place",      "unplace",   "open_box", "put_in_box",
      "close_box", "open_row", "take_tag", "return_tag", "incumbent", "bound",    "note"};
  return names[static_cast<std::size_t>(kind)];
}

StepIndex::StepIndex(std::span<const Step> steps) : steps_(steps) {
  kinds_.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepKind kind = kind_of(steps[i]);
    kinds_.push_back(kind);
    by_kind_[static_cast<std::size_t>(kind)].push_back(static_cast<std::uint32_t>(i));
  }
}

std::size_t StepIndex::count(StepKind kind, std::size_t position) const {
  const std::span<const std::uint32_t> steps = all(kind);
  return static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), position) - steps.begin());
}

std::vector<std::uint32_t> StepIndex::filtered(StepKinds kinds) const {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds.has(kinds_[i])) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

Moment StepIndex::moment(std::size_t position, std::size_t most) const {
  Moment moment;
  position = std::min(position, size());
  std::size_t step = position;
  // Notes, incumbents and the like interrupt the story of a buffer without ending it; a phase ends it.
  const std::size_t least = position - std::min(position, kMostRemarks);
  while (step > least && moment.buffer == kNoBuffer && kinds_[step - 1] != StepKind::kPhase) {
    moment.buffer = subject(steps_[step - 1]);
    if (moment.buffer == kNoBuffer) --step;
  }
  if (moment.buffer != kNoBuffer) {
    if (const auto* place = std::get_if<step::Place>(&steps_[step - 1].fact)) {
      moment.place = place->offset;
      --step;
    }
    for (; step > 0; --step) {
      const auto* reject = std::get_if<step::Reject>(&steps_[step - 1].fact);
      if (reject == nullptr || reject->buffer != moment.buffer) break;
      if (moment.tried.size() < most) {
        moment.tried.push_back(*reject);
      } else {
        ++moment.tried_before;
        if (moment.tried_before == kMostCounted) break;
      }
    }
    std::reverse(moment.tried.begin(), moment.tried.end());
  }
  moment.next = next_buffers(position, moment.buffer, most);
  return moment;
}

/// Where the run says whom it considers these are its queue; other runs tell by what they place.
std::vector<BufferIndex> StepIndex::next_buffers(std::size_t position, BufferIndex now, std::size_t most) const {
  const bool considers = !all(StepKind::kConsider).empty();
  const std::span<const std::uint32_t> steps = all(considers ? StepKind::kConsider : StepKind::kPlace);
  auto at = std::lower_bound(steps.begin(), steps.end(), position);
  std::vector<BufferIndex> next;
  for (; at != steps.end() && next.size() < most; ++at) {
    const BufferIndex buffer = subject(steps_[*at]);
    if (next.empty() && !considers && buffer == now) continue;  // its own place is still to come
    next.push_back(buffer);
  }
  return next;
}

std::vector<std::uint32_t> StepIndex::levels() const {
  const std::span<const std::uint32_t> phases = all(StepKind::kPhase);
  const std::span<const std::uint32_t> opened = all(StepKind::kOpenBox);
  std::vector<std::uint32_t> levels;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const auto first = std::upper_bound(opened.begin(), opened.end(), phases[k]);
    const bool has_boxes = first != opened.end() && (k + 1 == phases.size() || *first < phases[k + 1]);
    if (has_boxes) levels.push_back(phases[k]);
  }
  return levels;
}

std::vector<StepValue> StepIndex::incumbents() const {
  std::vector<StepValue> values;
  for (const std::uint32_t step : all(StepKind::kIncumbent)) {
    values.push_back(StepValue{step + std::size_t{1}, std::get<step::Incumbent>(steps_[step].fact).makespan});
  }
  return values;
}

std::vector<StepValue> StepIndex::bounds() const {
  std::vector<StepValue> values;
  for (const std::uint32_t step : all(StepKind::kBound)) {
    values.push_back(StepValue{step + std::size_t{1}, std::get<step::Bound>(steps_[step].fact).makespan});
  }
  return values;
}

}  // namespace stowage
