#include "core/steps/pseudo_code.h"

#include <algorithm>

namespace stowage {
namespace {

/// A line of the file: the beginning of a family, or one of its lines.
struct Entry {
  std::string_view title;  // of a family
  std::string_view allocators;
  CodeLine line;
};

std::vector<Entry> entries() {
  using enum StepKind;
  return {
#define STOWAGE_CODE(title, allocators) Entry{title, allocators, {}},
#define STOWAGE_LINE(text, phase, ...) Entry{{}, {}, CodeLine{text, phase, StepKinds{__VA_ARGS__}}},
#include "core/steps/pseudo_code.def"
#undef STOWAGE_LINE
#undef STOWAGE_CODE
  };
}

bool lists(std::string_view ids, std::string_view id) {
  for (std::size_t from = 0; from < ids.size();) {
    const std::size_t to = std::min(ids.find(' ', from), ids.size());
    if (ids.substr(from, to - from) == id) return true;
    from = to + 1;
  }
  return false;
}

}  // namespace

std::span<const PseudoCode> pseudo_codes() {
  static const std::vector<PseudoCode> all = [] {
    std::vector<PseudoCode> families;
    for (const Entry& entry : entries()) {
      if (!entry.title.empty()) {
        families.push_back(PseudoCode{entry.title, entry.allocators, {}});
      } else {
        families.back().lines.push_back(entry.line);
      }
    }
    return families;
  }();
  return all;
}

const PseudoCode* pseudo_code_of(std::string_view allocator) {
  for (const PseudoCode& code : pseudo_codes()) {
    if (lists(code.allocators, allocator)) return &code;
  }
  return nullptr;
}

std::optional<std::size_t> line_of(const PseudoCode& code, StepKind kind, std::string_view phase) {
  std::optional<std::size_t> anywhere;
  for (std::size_t k = 0; k < code.lines.size(); ++k) {
    const CodeLine& line = code.lines[k];
    if (!line.kinds.has(kind)) continue;
    if (!line.phase.empty() && phase.find(line.phase) != std::string_view::npos) return k;
    if (line.phase.empty() && !anywhere) anywhere = k;
  }
  return anywhere;
}

std::optional<std::size_t> active_line(const PseudoCode& code, std::span<const Step> steps, const StepIndex& index,
                                       std::size_t position) {
  position = std::min(position, steps.size());
  if (position == 0) return std::nullopt;
  const std::size_t phases = index.count(StepKind::kPhase, position);
  std::string_view phase;
  if (phases > 0) phase = std::get<step::Phase>(steps[index.all(StepKind::kPhase)[phases - 1]].fact).name;
  // A remark that has no line of its own leaves the run where it was.
  constexpr std::size_t kRemarks = 16;
  for (std::size_t step = position; step > 0 && position - step < kRemarks; --step) {
    if (const auto line = line_of(code, index.kind(step - 1), phase)) return line;
    if (index.kind(step - 1) == StepKind::kPhase) break;
  }
  return std::nullopt;
}

}  // namespace stowage
