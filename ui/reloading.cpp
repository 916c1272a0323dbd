#include "ui/reloading.h"

#include <string_view>
#include <unordered_map>

#include "ui/comparing.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The buffers of one id, in both problems.
struct Namesakes {
  BufferIndex seen = 0;  // of `from`, so far
  std::vector<BufferIndex> there;
};

}  // namespace

std::vector<BufferIndex> same_buffers(const Problem& from, const Problem& to, const std::vector<BufferIndex>& buffers) {
  std::unordered_map<std::string_view, Namesakes> named;
  for (const BufferIndex i : buffers) named.try_emplace(from.id(i));
  if (named.empty()) return {};
  for (BufferIndex i = 0; i < to.size(); ++i) {
    if (const auto found = named.find(to.id(i)); found != named.end()) found->second.there.push_back(i);
  }
  std::vector<BufferIndex> becomes(from.size(), kNoBuffer);
  for (BufferIndex i = 0; i < from.size(); ++i) {
    const auto found = named.find(from.id(i));
    if (found == named.end()) continue;
    const BufferIndex place = found->second.seen++;
    if (place < found->second.there.size()) becomes[i] = found->second.there[place];
  }
  std::vector<BufferIndex> same;
  for (const BufferIndex i : buffers) {
    if (becomes[i] != kNoBuffer) same.push_back(becomes[i]);
  }
  return same;
}

std::string chosen_plan(const State& state) {
  for (const auto& [id, run] : state.runs) {
    if (run.show_after && is_on_its_way(state, id)) return id;
  }
  return state.user_chose_plan || compares_in_sight(state) ? state.shown_plan : std::string();
}

void show_chosen_plan(State& state, const std::string& id) {
  if (id.empty()) return;
  if (state.document.find_plan(id) != nullptr) return show_plan(state, id, true);
  const auto run = state.runs.find(id);
  if (run == state.runs.end()) return start_run(state, id, true);
  run->second.show_after = true;  // it plans already, like everybody does on a file without a plan
}

}  // namespace stowage
