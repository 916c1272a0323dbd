#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/steps/step_index.h"

namespace stowage {

/// A line of pseudo-code; blanks at its beginning are its depth.
struct CodeLine {
  std::string_view text;
  std::string_view phase;  // part of the phase's name in which it holds; empty: any
  StepKinds kinds;         // the steps that it says
};

/// What a family of allocators, or of transforms, does, in a few lines: core/steps/pseudo_code.def.
struct PseudoCode {
  std::string_view title;
  std::string_view allocators;  // ids, separated by blanks
  std::vector<CodeLine> lines;
};

/// All families, in the order of the file.
std::span<const PseudoCode> pseudo_codes();
/// That of an allocator or a transform; null for what is none of ours.
const PseudoCode* pseudo_code_of(std::string_view allocator);

/// The line for a step of this kind in this phase: one that names the phase before one for any phase.
std::optional<std::size_t> line_of(const PseudoCode& code, StepKind kind, std::string_view phase);
/// The line that the run is at after `position` steps of its log.
std::optional<std::size_t> active_line(const PseudoCode& code, std::span<const Step> steps, const StepIndex& index,
                                       std::size_t position);

}  // namespace stowage
