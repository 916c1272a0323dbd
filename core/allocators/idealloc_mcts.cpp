#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/idealloc/choice_tree.h"
#include "core/allocators/idealloc/solver.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

using namespace idealloc;

/// Choices made before, once more.
class Again final : public Choices {
 public:
  explicit Again(std::vector<std::uint32_t> choices) : choices_(std::move(choices)) {}
  std::uint32_t choose(std::uint32_t) override { return choices_[at_++]; }

 private:
  std::vector<std::uint32_t> choices_;
  std::size_t at_ = 0;
};

/// A child of the root: how the first rounds boxed the small jobs, and what follows.
struct Start {
  std::uint64_t seed = 0;
  Boxing boxing;
  ChoiceTree tree;
};

/// The search: its root chooses among starts.
class TreeSearch {
 public:
  TreeSearch(Search& search, std::int64_t playouts)
      : search_(search),
        site_{search.site.instance, search.site.context, search.site.by_hand, true},
        playouts_(playouts) {}

  void run() {
    RandomChoices first(seed(0));
    const std::optional<Boxing> start = best_start(site_, first);
    if (!start) {
      search_.stopped = true;
      return;
    }
    epsilon_ = start->report.epsilon;
    for (std::int64_t k = 0; goes_on(k); ++k) {
      if (!playout()) break;
      ++search_.iterations;
      if (!search_.context.deadline) search_.report(static_cast<double>(k + 1) / static_cast<double>(playouts_ + 1));
    }
    show_best();
  }

 private:
  std::uint64_t seed(std::uint64_t number) const { return Random(search_.context.seed + number * 0x9E37U).next(); }

  bool goes_on(std::int64_t playouts) {
    if (best_ <= search_.target) return false;
    if (search_.context.should_stop() || !leaves_time_to_show()) {
      search_.stopped = true;
      return false;
    }
    return search_.context.deadline || playouts < playouts_;
  }

  /// Whether, after one more playout, the best can be shown before the deadline.
  bool leaves_time_to_show() const {
    if (!search_.context.deadline) return true;
    return std::chrono::steady_clock::now() + 2 * longest_ < *search_.context.deadline;
  }

  /// Nothing is left to find out when it returns false.
  bool playout() {
    const auto began = std::chrono::steady_clock::now();
    Start* start = choose_start();
    if (start == nullptr) return false;
    ChoiceTree::Playout playout(start->tree);
    const Result<Squeezed> squeezed = play(search_.problem, site_, start->boxing, playout, limit());
    if (!squeezed && squeezed.error().kind == Error::Kind::kCancelled) {
      search_.stopped = true;
      return false;
    }
    if (!squeezed && best_ == kMaxInt64) search_.error = squeezed.error();
    const std::int64_t makespan = squeezed ? squeezed->makespan : limit() + 1;
    start->tree.learn(playout, makespan);
    if (makespan < best_) {
      best_ = makespan;
      best_start_ = start;
    }
    longest_ = std::max(longest_, std::chrono::steady_clock::now() - began);
    return true;
  }

  /// Playouts that come far above the best are cut short; for the search they are all as bad as that.
  std::int64_t limit() const {
    constexpr double kSlack = 0.005;
    const auto slack = static_cast<std::int64_t>(static_cast<double>(best_) * kSlack);
    return std::min(kMaxInt64 - 1, checked_add(best_, slack).value_or(kMaxInt64));
  }

  /// A new one while there is room for it, or one of which too little is known, or the most promising one.
  Start* choose_start() {
    constexpr double kExplore = 0.1;
    std::uint32_t visits = 0;
    for (const auto& start : starts_) visits += start->tree.visits();
    if (starts_.size() < room_for_starts(visits)) return add_start();
    std::int64_t worst = 0;
    std::int64_t best = kMaxInt64;
    for (const auto& start : starts_) {
      if (!start->tree.is_settled()) return start.get();
      worst = std::max(worst, start->tree.best());
      best = std::min(best, start->tree.best());
    }
    Start* chosen = nullptr;
    double highest = -1;
    for (const auto& start : starts_) {
      const double value =
          static_cast<double>(worst - start->tree.best()) / std::max(1.0, static_cast<double>(worst - best)) +
          kExplore * std::sqrt(std::log(visits + 1.0) / start->tree.visits());
      if (value > highest) {
        highest = value;
        chosen = start.get();
      }
    }
    return chosen;
  }

  /// Starts are widened as all nodes are, but more slowly: each costs time and memory, and the heights after it matter
  /// more.
  static std::size_t room_for_starts(std::uint32_t visits) {
    constexpr double kVisits = 32;
    constexpr std::size_t kFirst = 4;
    constexpr std::size_t kMost = 24;
    return std::min(kMost, kFirst + static_cast<std::size_t>(std::sqrt(visits / kVisits)));
  }

  /// Nothing when it was stopped.
  Start* add_start() {
    const std::uint64_t number = seed(1 + starts_.size());
    RandomChoices choices(number);
    std::optional<Boxing> boxing = rogue(site_, epsilon_, choices);
    if (!boxing) {
      search_.stopped = true;
      return nullptr;
    }
    starts_.push_back(std::make_unique<Start>(Start{number, std::move(*boxing), ChoiceTree(number + 1)}));
    return starts_.back().get();
  }

  /// The best playout once more, with its report and its steps.
  void show_best() {
    if (best_start_ == nullptr) return;
    RunContext calm = search_.context;  // it was found in time, so it may be shown
    calm.deadline.reset();
    calm.stop = {};
    const Site site{site_.instance, calm, site_.by_hand};
    RandomChoices first(best_start_->seed);
    std::optional<Boxing> start = rogue(site, epsilon_, first);
    if (!start) return;
    Again again(best_start_->tree.best_choices());
    search_.offer(attempt(search_.problem, site, std::move(*start), again, search_.first_box, kMaxInt64));
  }

  Search& search_;
  Site site_;
  std::int64_t playouts_;
  double epsilon_ = 0;
  std::vector<std::unique_ptr<Start>> starts_;
  Start* best_start_ = nullptr;
  std::int64_t best_ = kMaxInt64;
  std::chrono::steady_clock::duration longest_{};  // playout
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  Result<Settings> settings = read_settings(params);
  if (!settings) return tl::unexpected(settings.error());
  constexpr std::int64_t kWork = 50'000;  // buffers boxed by default: well below a second
  std::int64_t playouts =
      std::clamp<std::int64_t>(kWork / std::max<std::int64_t>(1, static_cast<std::int64_t>(problem.size())), 2, 500);
  if (const std::string& text = params.at("playouts"); text != "auto") {
    const auto given = parse_int(text);
    if (!given || *given < 1) return usage_error(fmt::format("playouts: '{}' is not auto or a number above 0", text));
    playouts = *given;
  }
  return solve(
      problem, *settings, [&](Search& search) { TreeSearch(search, playouts).run(); }, context);
}

}  // namespace

std::vector<Allocator> idealloc_mcts_allocators() {
  Allocator allocator;
  allocator.id = "idealloc-mcts";
  allocator.title = "idealloc with tree search";
  allocator.summary = "Boxing whose random points are chosen by Monte Carlo tree search; the value is the makespan.";
  allocator.source =
      "Announced as future work in Lamprakos et al., Futureproof Static Memory Planning, arXiv 2504.04874; ours";
  allocator.params = common_params();
  ParamSpec playouts;
  playouts.key = "playouts";
  playouts.summary = "boxings tried when there is no time limit; auto: fewer for larger problems";
  playouts.value = "auto";
  playouts.choices = {"auto", "100", "1000"};
  playouts.closed = false;
  allocator.params.insert(allocator.params.begin(), std::move(playouts));
  allocator.can.boxes = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {std::move(allocator)};
}

}  // namespace stowage
