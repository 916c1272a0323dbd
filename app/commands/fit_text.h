#pragma once

#include <string>

#include "core/document/document.h"
#include "core/explain/fit_graph.h"

namespace stowage {

/// "recompute:policy=sqrt, in-place"; "nothing" for no stage. As `transform --with` takes it.
std::string pipeline_text(const std::vector<PipelineStage>& pipeline);

/// "stopped by the time limit after 7 mixes; another may fit".
std::string stopped_text(const GraphFit& fit);

/// What the cheapest fitting mix is and costs, or why there is none, for people.
std::string fit_text(const Document& document, const GraphFit& fit);
/// {"fits","capacity","load_before","time_before","tried","stopped","proposal":{"pipeline","load","makespan","extra_time",
/// "extra_time_share","stall","extra_ops","bytes_moved","exact"}|null,"least":{...},"hungriest":{"op","bytes"}}
std::string fit_json(const Document& document, const GraphFit& fit);

}  // namespace stowage
