#include "ui/what_if.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "ui/edit_fields.h"
#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Run hundreds of times, an allocator must not take longer than this; seconds.
constexpr double kOften = 0.25;
constexpr const char* kQuick = "first-fit-size";
constexpr std::array<std::int64_t, 8> kAlignments = {1, 4, 16, 64, 256, 512, 4096, 65536};

void forget(WhatIf& what_if) {
  what_if.aligning.cancel();
  what_if.alignments.clear();
  what_if.trying.cancel();
  what_if.ranking.reset();
  what_if.refused.clear();
}

}  // namespace

const Allocator& what_if_allocator(const State& state) {
  const Allocator* own = find_allocator(state.shown_plan);
  const PlanFacts* facts = state.shown_facts();
  const bool often =
      own != nullptr && facts != nullptr && facts->seconds <= kOften && own->runs_unasked(state.problem());
  return often ? *own : *find_allocator(kQuick);
}

std::int64_t what_if_capacity(const State& state) {
  const auto& what_if = state.part<WhatIf>();
  if (const auto set = what_if.capacities.find(state.space); set != what_if.capacities.end()) return set->second;
  if (const auto own = state.problem().capacity(state.space)) return *own;
  const PlanFacts* facts = state.shown_facts();
  return facts != nullptr ? state.space_metrics(*facts).makespan : state.space_facts().load;
}

void set_what_if_capacity(State& state, std::int64_t capacity) {
  state.part<WhatIf>().capacities[state.space] = capacity;
}

void type_what_if_capacity(State& state, const std::string& text) {
  auto& what_if = state.part<WhatIf>();
  const std::string_view words = trim(text);
  const auto bytes = parse_address(words);
  if (!bytes && !words.empty()) {
    what_if.typed.error = "Bytes, for example 64 KiB, 1 GiB or 0x1000, or nothing";
    return;
  }
  if (bytes) {
    set_what_if_capacity(state, *bytes);
  } else {
    what_if.capacities.erase(state.space);
  }
  what_if.typed.shown.clear();  // written again, "1024" as "1 KiB"
}

std::optional<std::int64_t> charted_capacity(const State& state, std::uint16_t space) {
  const auto& charted = state.part<WhatIf>().charted;
  const auto found = charted.find(space);
  return found != charted.end() ? std::optional(found->second) : std::nullopt;
}

void try_alignments_now(State& state) {
  auto& what_if = state.part<WhatIf>();
  const Allocator& allocator = what_if_allocator(state);
  what_if.aligned_by = allocator.title;
  what_if.refused.clear();
  what_if.aligning.start(
      [problem = state.document.problem, &allocator, space = state.space](const std::stop_token& stop) {
        RunContext context;
        context.stop = stop;
        return try_alignments(*problem, allocator, space, kAlignments, context);
      });
}

void rank_buffers_now(State& state) {
  auto& what_if = state.part<WhatIf>();
  const Allocator& allocator = what_if_allocator(state);
  what_if.ranked_by = allocator.title;
  what_if.refused.clear();
  what_if.ranking.reset();
  what_if.tried = std::make_shared<std::atomic<double>>(0);
  what_if.stop_trying = std::make_shared<std::stop_source>();
  what_if.trying.start([problem = state.document.problem, &allocator, space = state.space, tried = what_if.tried,
                        stopper = what_if.stop_trying](const std::stop_token& stop) {
    const std::stop_callback both(stop, [&] { stopper->request_stop(); });
    RunContext context;
    context.stop = stopper->get_token();
    context.progress = [&](double share) {
      *tried = share;
    };
    return sensitivity(*problem, allocator, space, context);
  });
}

void stop_ranking(State& state) {
  auto& what_if = state.part<WhatIf>();
  if (what_if.stop_trying != nullptr) what_if.stop_trying->request_stop();
}

void poll_what_if(State& state) {
  auto& what_if = state.part<WhatIf>();
  if (what_if.problem_revision != state.problem_revision || what_if.space != state.space) {
    what_if.problem_revision = state.problem_revision;
    what_if.space = state.space;
    forget(what_if);
  }
  const bool in_front = ImGui::GetFrameCount() - what_if.shown_in_frame <= 1;
  auto charted = in_front ? what_if.capacities : decltype(what_if.capacities)();
  if (charted != what_if.charted) {
    what_if.charted = std::move(charted);
    ++state.look_revision;
    state.settle_frames = 3;
  }
  if (auto outcomes = what_if.aligning.poll()) {
    if (*outcomes) {
      what_if.alignments = std::move(**outcomes);
    } else if (outcomes->error().kind != Error::Kind::kCancelled) {
      what_if.refused = outcomes->error().message;
    }
    state.settle_frames = 3;
  }
  if (auto ranking = what_if.trying.poll()) {
    if (*ranking) {
      what_if.ranking = std::move(**ranking);
    } else if (ranking->error().kind != Error::Kind::kCancelled) {
      what_if.refused = ranking->error().message;
    }
    state.settle_frames = 3;
  }
}

bool busy_what_if(const State& state) {
  const auto& what_if = state.part<WhatIf>();
  return what_if.aligning.running() || what_if.trying.running();
}

}  // namespace stowage
