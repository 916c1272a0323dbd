#include "core/search/niche_search.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <span>

#include "core/search/failed_states.h"
#include "core/search/niche_state.h"

namespace stowage {
namespace {

constexpr std::size_t kMostItems = 4'000;
constexpr std::int64_t kMostPairs = 8'000'000;
/// Sums of an offset and a size stay in int64.
constexpr std::int64_t kHighest = kMaxInt64 / 2;

}  // namespace

/// The search for one width of numbers: the least that holds twice the capacity, because a register then holds the
/// most.
class NicheSearch::Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Verdict run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) = 0;
  virtual std::vector<std::int64_t> offsets() const = 0;

  std::int64_t visited = 0;
  std::vector<std::int32_t> failures;
};

namespace {

template <typename Value>
class NicheKernel final : public NicheSearch::Kernel {
 public:
  NicheKernel(const Instance& instance, std::int64_t capacity) : state_(instance, capacity) {
    failures.assign(instance.items.size(), 0);
  }

  Verdict run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) override {
    priority_ = priority;
    nodes_left_ = nodes;
    context_ = &context;
    if (!state_.start()) return Verdict::kDoesNotFit;
    return solve(state_.whole(), 0);
  }

  std::vector<std::int64_t> offsets() const override { return {state_.offsets().begin(), state_.offsets().end()}; }

 private:
  static constexpr int kDeepest = 8'000;

  Verdict solve(const NichePart& part, int depth) {
    if (--nodes_left_ < 0 || depth > kDeepest) return Verdict::kOutOfNodes;
    if (++visited % 512 == 0 && context_->should_stop()) return Verdict::kStopped;
    NicheLook<Value>& look = begin_look(depth);
    if (const SectionRange* looked = failed_.find(part.key)) {
      look.add(*looked, NicheLook<Value>::kAll);
      return Verdict::kDoesNotFit;
    }
    const std::int32_t s = state_.choose_section(part);
    if (s < 0) return Verdict::kFits;
    const std::size_t begin = choices_.size();
    gather(s);
    const std::size_t end = choices_.size();
    state_.look_for_next(s, std::span(choices_).subspan(begin), look);
    Verdict verdict = Verdict::kDoesNotFit;
    bool closed = false;  // no other choice can help
    for (std::size_t k = begin; k < end && verdict == Verdict::kDoesNotFit && !closed; ++k) {
      verdict = try_item(choices_[k], part, depth, closed);
    }
    choices_.resize(begin);
    if (verdict == Verdict::kDoesNotFit && !closed && state_.may_waste(s)) verdict = try_none(s, part, depth);
    if (verdict == Verdict::kDoesNotFit) failed_.add(part.key, look.hull());
    return verdict;
  }

  /// Puts the candidates of a section onto the stack of choices, the most urgent first.
  void gather(std::int32_t s) {
    const std::size_t begin = choices_.size();
    state_.for_candidates(s, [&](std::uint32_t i) {
      const auto same = [&](std::uint32_t other) {
        return state_.twin(other) == state_.twin(i);
      };
      if (std::none_of(choices_.begin() + static_cast<std::ptrdiff_t>(begin), choices_.end(), same)) {
        choices_.push_back(i);
      }
    });
    std::sort(choices_.begin() + static_cast<std::ptrdiff_t>(begin), choices_.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b;
              });
  }

  Verdict try_item(std::uint32_t b, const NichePart& part, int depth, bool& closed) {
    NicheLook<Value>& look = looks_[static_cast<std::size_t>(depth)];
    closed = !state_.has_hat(b);
    if (closed) state_.look_above(b, look);
    if (state_.would_fail(b)) {
      ++failures[b];
      state_.look_at_overfull(look);
      return Verdict::kDoesNotFit;
    }
    const std::size_t change = state_.changes();
    NichePart rest = part;
    Verdict verdict = Verdict::kDoesNotFit;
    if (state_.place(b, rest, failed_)) {
      verdict = state_.splits(b) ? solve_parts(rest, depth) : solve(rest, depth + 1);
      if (verdict == Verdict::kDoesNotFit && !take_look(change, depth)) closed = true;
    } else {
      ++failures[b];
      state_.look_at_overfull(look);
    }
    if (verdict != Verdict::kFits) state_.take_back(change);
    return verdict;
  }

  Verdict try_none(std::int32_t s, const NichePart& part, int depth) {
    NicheLook<Value>& look = looks_[static_cast<std::size_t>(depth)];
    const std::size_t change = state_.changes();
    NichePart rest = part;
    Verdict verdict = Verdict::kDoesNotFit;
    const bool lifted = state_.lift(s, rest, failed_);
    state_.look_under_lifts(look);
    if (lifted) {
      verdict = solve(rest, depth + 1);
      if (verdict == Verdict::kDoesNotFit) take_look(change, depth);
    } else {
      state_.look_at_overfull(look);
    }
    if (verdict != Verdict::kFits) state_.take_back(change);
    return verdict;
  }

  NicheLook<Value>& begin_look(int depth) {
    const auto d = static_cast<std::size_t>(depth);
    if (d == looks_.size()) looks_.emplace_back(state_.sections());
    looks_[d].clear();
    return looks_[d];
  }

  /// What came after a change failed. False when it would have without: then that alone is why the state fails.
  bool take_look(std::size_t change, int depth) {
    NicheLook<Value>& look = looks_[static_cast<std::size_t>(depth)];
    const NicheLook<Value>& after = looks_[static_cast<std::size_t>(depth) + 1];
    const bool touched = state_.touched(change, after);
    if (!touched) look.clear();
    look.add(after);
    return touched;
  }

  /// Solves what has fallen apart in time, one part after the other.
  Verdict solve_parts(const NichePart& part, int depth) {
    const std::size_t begin = parts_.size();
    state_.split(part, parts_);
    const std::size_t end = parts_.size();
    Verdict verdict = Verdict::kFits;
    for (std::size_t k = begin; k < end && verdict == Verdict::kFits; ++k) {
      const NichePart piece = parts_[k];
      verdict = solve(piece, depth + 1);
    }
    parts_.resize(begin);
    return verdict;
  }

  NicheState<Value> state_;
  FailedStates failed_;
  std::span<const double> priority_;
  std::int64_t nodes_left_ = 0;
  const RunContext* context_ = nullptr;

  // Stacks of the search.
  std::vector<std::uint32_t> choices_;
  std::vector<NichePart> parts_;
  std::deque<NicheLook<Value>> looks_;  // by depth; places stay where they are
};

}  // namespace

NicheSearch::NicheSearch(const Instance& instance, std::int64_t capacity) {
  if (capacity < std::numeric_limits<std::int16_t>::max() / 2) {
    kernel_ = std::make_unique<NicheKernel<std::int16_t>>(instance, capacity);
  } else if (capacity < std::numeric_limits<std::int32_t>::max() / 2) {
    kernel_ = std::make_unique<NicheKernel<std::int32_t>>(instance, capacity);
  } else {
    kernel_ = std::make_unique<NicheKernel<std::int64_t>>(instance, capacity);
  }
}

NicheSearch::~NicheSearch() = default;
NicheSearch::NicheSearch(NicheSearch&&) noexcept = default;
NicheSearch& NicheSearch::operator=(NicheSearch&&) noexcept = default;

bool NicheSearch::affordable(const Instance& instance, std::int64_t capacity) {
  return instance.items.size() <= kMostItems && capacity < kHighest && overlapping_pairs(instance) <= kMostPairs;
}

Verdict NicheSearch::run(std::span<const double> priority, std::int64_t nodes, const RunContext& context) {
  return kernel_->run(priority, nodes, context);
}

std::vector<std::int64_t> NicheSearch::offsets() const {
  return kernel_->offsets();
}

std::int64_t NicheSearch::nodes() const {
  return kernel_->visited;
}

std::span<const std::int32_t> NicheSearch::failures() const {
  return kernel_->failures;
}

void NicheSearch::forget_half() {
  for (std::int32_t& count : kernel_->failures) count /= 2;
}

}  // namespace stowage
