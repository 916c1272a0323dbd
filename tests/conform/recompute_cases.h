#pragma once

#include <optional>

#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Judges a case about recomputation, swapping or compression, by its name: unit_chain_..., checkmate_..., revolve_...,
/// chen_..., memonger_..., dtr_..., transformer_..., swap_..., zero_..., gist_...; nothing when it is about something
/// else. Of dtr_unit_chain only the column of the DTR heuristic binds.
std::optional<Verdict> judge_recompute(const json& from);

}  // namespace stowage::conform
