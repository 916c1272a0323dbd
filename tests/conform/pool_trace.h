#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/pools/trace.h"
#include "tests/conform/outcome.h"

namespace stowage::conform {

/// The trace of a pool case. Either a list of events, each a list: ["alloc", bytes], ["alloc", id, bytes, stream?],
/// ["static", bytes], ["dynamic", bytes], ["free", which], ["use", which, stream], ["reset"], ["empty"]; without an id
/// an allocation is known by its number. Or words, parts of which are separated by semicolons: "alloc s for s
/// in 1..1023", "alloc 4096", "free all", "1024 x {4096, 16384}" (all are made, then all are freed, so many times),
/// "N,2N,4N MiB allocated then freed for N=8,9,10"; "see notes" means that these words stand in the notes. Or a trace
/// as files have it. Refused: anything else.
Result<Trace> trace_of_case(const json& from);

/// The values of N in words about growing batches, in their order; empty when there are none.
std::vector<std::int64_t> batches_of_case(const json& from);

/// "64 MiB limit", "1 GiB pool", "capacity 1000" in the words of a case.
std::optional<std::int64_t> capacity_in_words(const std::string& words);

}  // namespace stowage::conform
