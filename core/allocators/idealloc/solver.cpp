#include "core/allocators/idealloc/solver.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/idealloc/start_address.h"
#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

/// One run: all spaces in turn, each by itself.
class Run {
 public:
  Run(const Problem& problem, const Settings& settings, const TryBoxings& try_boxings, RunContext& context)
      : problem_(problem), settings_(settings), try_boxings_(try_boxings), context_(context) {
    result_.offsets.assign(problem.size(), kNoOffset);
    result_.iterations = 0;
  }

  Result<RunResult> run() {
    for (std::size_t space = 0; space < problem_.spaces().size(); ++space) {
      Instance instance = make_instance(problem_, static_cast<std::uint16_t>(space));
      if (instance.buffers.empty()) continue;
      const Result<Squeezed> placed = plan_space(instance);
      if (!placed) return tl::unexpected(placed.error());
      for (const BufferIndex i : instance.buffers) result_.offsets[i] = placed->offsets[i];
    }
    place_the_rest();
    say_final_places();
    context_.report(1);
    return std::move(result_);
  }

 private:
  void phase(std::string name, std::string why = {}) const {
    if (context_.records()) context_.say(Step{step::Phase{std::move(name)}, std::move(why)});
  }
  void note(std::string text, std::string why = {}) const {
    if (context_.records()) context_.say(Step{step::Note{std::move(text)}, std::move(why)});
  }

  /// The prelude and its three shortcuts, then boxings.
  Result<Squeezed> plan_space(Instance& instance) {
    phase("prelude");
    const std::vector<ItemIndex> jobs = all_items(instance.jobs);
    if (are_disjoint(instance.jobs, jobs)) {
      note("no two buffers live at the same time", "so all of them lie at the bottom");
      return squeeze(problem_, instance.buffers, FitRule::kFirst, {}, context_);
    }
    if (all_sizes_equal(instance.jobs)) return equal_sizes(instance, jobs);
    if (context_.records()) {
      const Hardness& hard = instance.hardness;
      note(fmt::format("{} jobs, load {}", instance.buffers.size(), format_exact_bytes(instance.load)));
      note(fmt::format("hardness: sizes {:.4f}, conflicts {:.4f}, ends {:.4f}, together {:.2f}", hard.sizes,
                       hard.conflicts, hard.ends, hard.compound));
    }

    const Site site{instance, context_, settings_.by_hand};
    Search search(problem_, site, settings_, context_);
    const auto spaces = static_cast<double>(problem_.spaces().size());
    search.progress_low = static_cast<double>(instance.space) / spaces;
    search.progress_high = static_cast<double>(instance.space + 1) / spaces;
    search.first_box = static_cast<std::uint32_t>(result_.boxes.size());
    search.target = static_cast<std::int64_t>(
        std::min(std::floor(static_cast<double>(instance.load) * (1 + settings_.overhead)), 0x1.0p62));
    search.target = std::max(search.target, instance.load);
    std::int64_t bootstrap_makespan = 0;
    if (settings_.bootstrap) {
      Result<Squeezed> placed = bootstrap(instance);
      if (!placed) return placed;
      bootstrap_makespan = placed->makespan;
      search.placement = std::move(*placed);
    }
    if (!search.is_good_enough()) {
      if (const EpsilonRange range = epsilon_range(instance.jobs); range.small >= range.big && settings_.dummy) {
        add_dummy(instance);
        note(fmt::format("a dummy job of {}", format_exact_bytes(instance.bytes(instance.jobs.items.back().size))),
             fmt::format("the sizes differ too little for Theorem 16: epsilon would have to lie in [{:.4f}, {:.4f}]",
                         range.small, range.big));
      }
      try_boxings_(search);
    }
    return finish(search, bootstrap_makespan);
  }

  /// Shortcut: rows of an interval colouring are optimal, so one pass by best fit is enough.
  Result<Squeezed> equal_sizes(const Instance& instance, const std::vector<ItemIndex>& jobs) {
    const Rows rows = interval_colouring(instance.jobs, jobs);
    const std::int64_t height = instance.jobs[0].size;
    std::vector<std::int64_t> loose(problem_.size(), kNoOffset);
    note("all buffers have the same size", "so the rows of an interval colouring are an optimal plan");
    for (std::size_t row = 0; row < rows.count(); ++row) {
      if (context_.records()) {
        context_.say(Step{step::OpenRow{static_cast<std::uint32_t>(row), instance.bytes(height)}, {}});
      }
      for (const ItemIndex job : rows[row]) {
        const BufferIndex i = instance.buffers[job];
        loose[i] = instance.bytes(static_cast<std::int64_t>(row) * height);
        if (context_.records()) context_.say(Step{step::Place{i, loose[i]}, fmt::format("row {}", row)});
      }
    }
    phase("squeeze");
    return squeeze(problem_, loose_order(instance.buffers, loose), FitRule::kBest, loose, context_);
  }

  /// First fit by falling size, of equals by falling lifetime: what the boxes must beat.
  Result<Squeezed> bootstrap(const Instance& instance) {
    phase("bootstrap", "first fit by falling size, then lifetime: the plan to beat, and the answer if nothing does");
    std::vector<BufferIndex> order = instance.buffers;
    std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      const Buffer& x = problem_[a];
      const Buffer& y = problem_[b];
      if (x.size != y.size) return x.size > y.size;
      return Int128{x.end} - x.start > Int128{y.end} - y.start;
    });
    Result<Squeezed> placed = squeeze(problem_, order, FitRule::kFirst, {}, context_);
    if (placed && context_.records()) {
      note(fmt::format("the bootstrap's makespan is {}", format_exact_bytes(placed->makespan)));
      if (problem_.spaces().size() == 1) context_.say(Step{step::Incumbent{placed->makespan}, {}});
    }
    return placed;
  }

  Result<Squeezed> finish(Search& search, std::int64_t bootstrap_makespan) {
    result_.iterations += search.iterations;
    if (search.boxed) {
      search.boxed->report.bootstrap_makespan = bootstrap_makespan;
      std::move(search.boxed->boxes.begin(), search.boxed->boxes.end(), std::back_inserter(result_.boxes));
      result_.boxing.push_back(std::move(search.boxed->report));
    }
    if (search.error && !search.placement) return tl::unexpected(*search.error);
    if (search.stopped) result_.status = RunStatus::kStopped;
    if (!search.placement) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    return std::move(*search.placement);
  }

  static std::vector<ItemIndex> all_items(const BoxTree& tree) {
    std::vector<ItemIndex> items(tree.items.size());
    std::iota(items.begin(), items.end(), ItemIndex{0});
    return items;
  }

  static bool all_sizes_equal(const BoxTree& jobs) {
    return std::all_of(jobs.items.begin(), jobs.items.end(),
                       [&](const Item& job) { return job.size == jobs.items.front().size; });
  }

  void place_the_rest() {
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (problem_[i].takes_memory()) continue;
      result_.offsets[i] = problem_[i].is_fixed() ? problem_[i].fixed : problem_.grid(i).up(0);
    }
  }

  /// A boxing that was tried last need not be the best: at the end everything is said once more.
  void say_final_places() {
    if (!context_.records()) return;
    phase("the best plan");
    for (BufferIndex i = 0; i < problem_.size(); ++i) context_.say(Step{step::Place{i, result_.offsets[i]}, {}});
  }

  const Problem& problem_;
  const Settings& settings_;
  const TryBoxings& try_boxings_;
  RunContext& context_;
  RunResult result_;
};

}  // namespace

void Search::offer(Result<Attempt> attempt) {
  ++iterations;
  if (!attempt) {
    if (attempt.error().kind == Error::Kind::kCancelled) {
      stopped = true;
    } else if (!placement) {
      error = attempt.error();
    } else if (context.records()) {
      context.say(Step{step::Note{"these boxes are given up"}, attempt.error().message});
    }
    return;
  }
  error.reset();
  const std::int64_t makespan = attempt->squeezed.makespan;
  const bool better = !placement || makespan < placement->makespan;
  if (context.records()) {
    context.say(Step{step::Note{fmt::format("these boxes come to a makespan of {}", format_exact_bytes(makespan))},
                     better ? "the best so far" : fmt::format("the best so far is {}", placement->makespan)});
    if (better && problem.spaces().size() == 1) context.say(Step{step::Incumbent{makespan}, {}});
  }
  if (better) placement = attempt->squeezed;
  if (!boxed || makespan < boxed->squeezed.makespan) boxed = std::move(*attempt);
}

Result<RunResult> solve(const Problem& problem, const Settings& settings, const TryBoxings& try_boxings,
                        RunContext& context) {
  if (settings.start_address == 0) return Run(problem, settings, try_boxings, context).run();
  return above(problem, settings.start_address, context, [&](const Problem& shifted, RunContext& inner) {
    return Run(shifted, settings, try_boxings, inner).run();
  });
}

}  // namespace stowage::idealloc
