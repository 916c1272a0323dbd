#pragma once

#include <string>

#include "app/commands/planning.h"
#include "core/document/document.h"
#include "core/model/metrics.h"

namespace stowage {

/// One plan for people: a line for each fact.
std::string plan_text(const Document& document, const ProblemMetrics& facts, const AllCandidates& all);
/// All plans for people: a ranking, the best one marked.
std::string all_plans_text(const Document& document, const ProblemMetrics& facts, const AllCandidates& all);

/// "1 MiB (1,048,576 B)"; below 1 KiB just "96 B".
std::string bytes_text(std::int64_t bytes);
std::string with_line_feed(std::string text);

}  // namespace stowage
