#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/transforms/transform.h"
#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// Judges a case about in-place results, sharing, fusion or SOMAS on graphs; nothing when it is about something else.
std::optional<Verdict> judge_sharing(const json& from);

// Its parts, one file each; nothing when a case is not theirs.
std::optional<Verdict> judge_storages(const json& from);   // plans of storages, tags, colours
std::optional<Verdict> judge_described(const json& from);  // graphs told in words: TVM, ONNX Runtime, XLA
std::optional<Verdict> judge_somas(const json& from);
std::optional<Verdict> judge_formulas(const json& from);  // buckets, padding, SOMAS' choice

/// Held when they are equal, else what was expected and found.
Verdict expect(const std::string& key, const json& expected, const json& found);

/// Runs a transform; its parameters as written on the command line.
Result<Transformed> transformed(const Staged& staged, const std::string& transform, const ParamValues& params,
                                StepLog* steps = nullptr);
/// {"total", "storages", "storage_of"} of what the tensors are bound to.
json storages_of(const Staged& staged);

}  // namespace stowage::conform
