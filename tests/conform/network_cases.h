#pragma once

#include <optional>

#include "core/graph/graph.h"
#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Judges a case about the generated network of an architecture: totals, records, footprints, and the
/// comparison of allocation strategies. Nothing when it is about something else.
std::optional<Verdict> judge_network(const json& from);

// Its parts; nothing when a case is not theirs.
std::optional<Verdict> judge_architecture(const json& from);
std::optional<Verdict> judge_comparison(const json& from);

/// A network by its id. Errors: usage.
Result<Graph> generated(const std::string& id, const ParamValues& params);

}  // namespace stowage::conform
