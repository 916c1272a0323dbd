#include "core/document/losses.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

/// Which buffer there is which one here; empty when an id occurs twice.
std::unordered_map<std::string_view, BufferIndex> by_id(const Problem& problem) {
  std::unordered_map<std::string_view, BufferIndex> found;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!found.emplace(problem.id(i), i).second) return {};
  }
  return found;
}

class Comparison {
 public:
  Comparison(const Document& before, const Document& after)
      : before_(before), after_(after), old_(*before.problem), new_(*after.problem), partner_(old_.size(), kNoBuffer) {
    const auto here = by_id(old_);
    const auto there = by_id(new_);
    by_names_ = !here.empty() && !there.empty() && old_.size() > 0 && there.contains(old_.id(0));
    for (BufferIndex i = 0; i < old_.size(); ++i) {
      if (!by_names_) {
        partner_[i] = i < new_.size() ? i : kNoBuffer;
      } else if (const auto found = there.find(old_.id(i)); found != there.end()) {
        partner_[i] = found->second;
      }
    }
  }

  std::vector<std::string> run() {
    if (!by_names_ && old_.size() != new_.size()) {
      lose("the buffers as they are (it opens as {} of another kind)", new_.size());
      return std::move(lost_);
    }
    const auto missing = std::count(partner_.begin(), partner_.end(), kNoBuffer);
    if (missing > 0) lose("{} of {} buffers", missing, old_.size());
    each_buffer();
    constraints();
    whole();
    plans();
    return std::move(lost_);
  }

 private:
  template <typename... Args>
  void lose(fmt::format_string<Args...> words, Args&&... args) {
    lost_.push_back(fmt::format(words, std::forward<Args>(args)...));
  }

  /// Counts the buffers for which `same` says no.
  template <typename Same>
  void lose_of_buffers(std::string_view what, Same same) {
    std::size_t different = 0;
    for (BufferIndex i = 0; i < old_.size(); ++i) {
      if (partner_[i] != kNoBuffer) different += same(i, partner_[i]) ? 0U : 1U;
    }
    if (different > 0) lose("{} of {} buffer{}", what, different, different == 1 ? "" : "s");
  }

  /// A field of the details, which may be absent on both sides.
  template <typename Field>
  void lose_of_details(std::string_view what, Field Details::*field) {
    const Details none;
    lose_of_buffers(what, [&](BufferIndex i, BufferIndex k) {
      const Details* a = old_.details(i);
      const Details* b = new_.details(k);
      return (a != nullptr ? a : &none)->*field == (b != nullptr ? b : &none)->*field;
    });
  }

  void each_buffer() {
    lose_of_buffers("names", [&](BufferIndex i, BufferIndex k) { return old_.id(i) == new_.id(k); });
    lose_of_buffers("lifetimes", [&](BufferIndex i, BufferIndex k) {
      return old_[i].start == new_[k].start && old_[i].end == new_[k].end;
    });
    lose_of_buffers("sizes", [&](BufferIndex i, BufferIndex k) { return old_[i].size == new_[k].size; });
    lose_of_buffers("alignments", [&](BufferIndex i, BufferIndex k) { return old_[i].alignment == new_[k].alignment; });
    lose_of_buffers("pins", [&](BufferIndex i, BufferIndex k) { return old_[i].fixed == new_[k].fixed; });
    lose_of_buffers("kinds", [&](BufferIndex i, BufferIndex k) { return old_.kind(i) == new_.kind(k); });
    lose_of_buffers("spaces", [&](BufferIndex i, BufferIndex k) { return old_[i].space == new_[k].space; });
    lose_of_details("gaps", &Details::gaps);
    lose_of_details("hints", &Details::hint);
    lose_of_details("requested sizes", &Details::requested);
    lose_of_details("clocks", &Details::clock);
    lose_of_details("choices of spaces", &Details::candidates);
    lose_of_details("shapes", &Details::shape);
    lose_of_details("slices", &Details::slices);
    lose_of_details("operations", &Details::op);
    lose_of_details("sources", &Details::source);
    lose_of_details("open starts", &Details::open_start);
    lose_of_details("open ends", &Details::open_end);
    lose_of_details("unknown keys", &Details::extra);
  }

  void lose_list(std::string_view what, std::size_t had, std::size_t has) {
    if (has < had) lose("{} of {} {}", had - has, had, what);
  }

  /// Spaces are the same by id, or by number where all of them have other ids.
  const Space* space_there(std::size_t number) const {
    const auto& there = new_.spaces();
    const auto found = std::find_if(there.begin(), there.end(),
                                    [&](const Space& space) { return space.id == old_.spaces()[number].id; });
    if (found != there.end()) return &*found;
    return there.size() == old_.spaces().size() ? &there[number] : nullptr;
  }

  /// Counts the spaces that had something and have it no longer; those that are gone count as spaces.
  template <typename Lost>
  void lose_of_spaces(std::string_view what, Lost is_lost) {
    std::size_t lost = 0;
    for (std::size_t s = 0; s < old_.spaces().size(); ++s) {
      const Space* there = space_there(s);
      if (there != nullptr) lost += is_lost(old_.spaces()[s], *there) ? 1U : 0U;
    }
    if (lost > 0) lose("{} of {} memory space{}", what, lost, lost == 1 ? "" : "s");
  }

  void each_space() {
    lose_list("memory spaces", old_.spaces().size(), new_.spaces().size());
    lose_of_spaces("names", [](const Space& had, const Space& has) { return had.id != has.id; });
    lose_of_spaces("base addresses", [](const Space& had, const Space& has) { return had.base != has.base; });
    lose_of_spaces("capacities",
                   [](const Space& had, const Space& has) { return had.capacity && had.capacity != has.capacity; });
    lose_of_spaces("unknown keys", [](const Space& had, const Space& has) { return had.extra != has.extra; });
  }

  void constraints() {
    const Constraints& had = old_.constraints();
    const Constraints& has = new_.constraints();
    lose_list("conflict edges", had.conflicts.size(), has.conflicts.size());
    lose_list("colocations", had.colocations.size(), has.colocations.size());
    lose_list("aliases", had.aliases.size(), has.aliases.size());
    lose_list("contiguous groups", had.groups.size(), has.groups.size());
    if (had.conflicts_only && !has.conflicts_only) lose("that only the edges are conflicts");
  }

  void whole() {
    if (old_.input().capacity != new_.input().capacity && old_.input().capacity) lose("the capacity");
    each_space();
    if (before_.graph != nullptr && after_.graph == nullptr) lose("the graph");
    if (!before_.extra.empty() && after_.extra.empty()) lose("unknown keys of the file");
    if (!old_.input().extra.empty() && new_.input().extra.empty()) lose("unknown keys of the problem");
  }

  bool same_places(const Plan& had, const Plan& has) const {
    for (BufferIndex i = 0; i < old_.size(); ++i) {
      if (i >= had.offsets.size() || had.offsets[i] == kNoOffset) continue;
      const BufferIndex k = partner_[i];
      if (k == kNoBuffer || k >= has.offsets.size() || has.offsets[k] != had.offsets[i]) return false;
    }
    return true;
  }

  void plans() {
    std::size_t kept = 0;
    std::size_t bound = 0;
    std::size_t still_bound = 0;
    for (const Plan& had : before_.plans) {
      bound += had.objects ? 1U : 0U;
      const auto has = std::find_if(after_.plans.begin(), after_.plans.end(),
                                    [&](const Plan& plan) { return same_places(had, plan); });
      if (has == after_.plans.end()) continue;
      ++kept;
      still_bound += had.objects && has->objects ? 1U : 0U;
    }
    lose_list("plans", before_.plans.size(), kept);
    if (still_bound < bound && kept > 0) lose("the shared objects of plans");
  }

  const Document& before_;
  const Document& after_;
  const Problem& old_;
  const Problem& new_;
  bool by_names_ = false;
  std::vector<BufferIndex> partner_;  // by buffer of the one before
  std::vector<std::string> lost_;
};

}  // namespace

std::vector<std::string> losses(const Document& before, const Document& after) {
  return Comparison(before, after).run();
}

}  // namespace stowage
