#include "core/transforms/step_subjects.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace stowage {
namespace {

TensorIndex tensor_named_by(const Step& step) {
  if (const auto* consider = std::get_if<step::Consider>(&step.fact)) return consider->buffer;
  if (const auto* reject = std::get_if<step::Reject>(&step.fact)) return reject->buffer;
  if (const auto* place = std::get_if<step::Place>(&step.fact)) return place->buffer;
  if (const auto* unplace = std::get_if<step::Unplace>(&step.fact)) return unplace->buffer;
  if (const auto* take = std::get_if<step::TakeTag>(&step.fact)) return take->buffer;
  if (const auto* back = std::get_if<step::ReturnTag>(&step.fact)) return back->buffer;
  return kNoTensor;
}

std::string_view words_of(const Step& step) {
  const auto* note = std::get_if<step::Note>(&step.fact);
  return note != nullptr ? std::string_view(note->text) : std::string_view(step.why);
}

}  // namespace

std::vector<StepSubject> step_subjects(std::span<const Step> steps, std::span<const Remark> remarks) {
  std::unordered_map<std::string_view, const Remark*> said;
  for (const Remark& remark : remarks) said.emplace(remark.text, &remark);
  std::vector<StepSubject> subjects;
  subjects.reserve(steps.size());
  for (const Step& step : steps) {
    StepSubject subject{tensor_named_by(step), kNoOp};
    const auto remark = said.find(words_of(step));
    if (remark != said.end()) {
      const bool same = subject.tensor == kNoTensor || subject.tensor == remark->second->tensor;
      if (same) subject = {remark->second->tensor, remark->second->op};
    }
    subjects.push_back(subject);
  }
  return subjects;
}

std::vector<OpIndex> ops_about(const Graph& graph, const StepSubject& subject) {
  if (subject.op != kNoOp) return {subject.op};
  if (subject.tensor == kNoTensor) return {};
  if (graph.producer(subject.tensor) != kNoOp) return {graph.producer(subject.tensor)};
  const std::span<const OpIndex> readers = graph.readers(subject.tensor);
  std::vector<OpIndex> ops(readers.begin(), readers.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

}  // namespace stowage
