#include "app/commands/adjust.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/commands/reading.h"
#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::size_t kFaultsSaid = 20;

std::string describe(const std::vector<Fault>& faults, const Document& document) {
  std::string text;
  for (std::size_t k = 0; k < faults.size() && k < kFaultsSaid; ++k) {
    const Fault& fault = faults[k];
    if (k > 0) text += "\n";
    text += shown_name(document.path) + ": ";
    if (fault.buffer != kNoBuffer) text += printable_utf8(document.problem->id(fault.buffer)) + ": ";
    text += fault.message;
  }
  if (faults.size() > kFaultsSaid) text += fmt::format("\n... and {} more", faults.size() - kFaultsSaid);
  return text;
}

}  // namespace

Result<void> adjust(Document& document, const Adjustments& adjustments) {
  if (adjustments.alignment && *adjustments.alignment < 1) return usage_error("--align: an alignment is at least 1");
  if (!adjustments.capacity && !adjustments.alignment && adjustments.keep == nullptr) return {};

  const Problem& problem = *document.problem;
  ProblemInput input = adjustments.capacity ? with_capacity(problem, *adjustments.capacity) : problem.input();
  if (adjustments.alignment) {
    for (Buffer& buffer : input.buffers) buffer.alignment = std::max(buffer.alignment, *adjustments.alignment);
  }
  if (adjustments.keep != nullptr) {
    const std::vector<std::int64_t>& offsets = adjustments.keep->offsets;
    for (std::size_t i = 0; i < input.buffers.size() && i < offsets.size(); ++i) {
      if (offsets[i] != kNoOffset) input.buffers[i].fixed = offsets[i];
    }
  }
  tl::expected<Problem, std::vector<Fault>> made = make_problem(std::move(input));
  if (!made) return input_error(describe(made.error(), document));
  document.problem = std::make_shared<const Problem>(std::move(*made));
  return {};
}

}  // namespace stowage
