#pragma once

#include <string>
#include <vector>

#include "core/model/problem.h"
#include "ui/workbench.h"

namespace stowage {

/// The same buffers in another problem, in the order given, by their ids: of several with one id the n-th there is the
/// n-th here. Those that are gone are left out. Linear, without a table of all ids.
std::vector<BufferIndex> same_buffers(const Problem& from, const Problem& to, const std::vector<BufferIndex>& buffers);

/// The plan that somebody has chosen to see, waits for or compares with another one; empty when the window shows what
/// it thinks best.
std::string chosen_plan(const Workbench::State& state);
/// Shows that plan of the file as it is now: at once where the file holds it, else as soon as its allocator is done.
void show_chosen_plan(Workbench::State& state, const std::string& id);

}  // namespace stowage
