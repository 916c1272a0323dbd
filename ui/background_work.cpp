#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/chart/figure.h"
#include "core/io/file.h"
#include "core/io/format.h"
#include "core/io/settings.h"
#include "core/render/cairo_painter.h"
#include "ui/chart/canvas.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/filters.h"
#include "ui/graph_view.h"
#include "ui/open_document.h"
#include "ui/plan_entries.h"
#include "ui/reading.h"
#include "ui/reloading.h"
#include "ui/saved_look.h"
#include "ui/services.h"
#include "ui/state.h"
#include "ui/unsaved.h"
#include "ui/watching.h"
#include "ui/what_if.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Up to here filtering, sorting and relations take a millisecond or two and are done at once.
constexpr std::size_t kAtOnce = 20'000;
constexpr std::size_t kMostRecents = 12;

void plan_automatically(State& state) {
  if (!state.has_problem() || !state.document.plans.empty()) return;
  if (find_allocator(kFirstAllocator) != nullptr) start_run(state, kFirstAllocator, false);
  if (state.problem().size() >= kAtOnce) return;
  for (const Allocator& allocator : allocators()) {
    if (allocator.id != kFirstAllocator && allocator.runs_unasked(state.problem()))
      start_run(state, allocator.id, false);
  }
}

void take_outcome(State& state, PlanOutcome outcome) {
  AllocatorRun& run = state.runs[outcome.allocator];
  const bool show_after = run.show_after;
  if (!outcome.run) {
    run = AllocatorRun{};
    if (outcome.run.error().kind == Error::Kind::kCancelled) return;
    run.stage = AllocatorRun::Stage::kFailed;
    run.message = outcome.run.error().message;
    return;
  }
  run = AllocatorRun{};
  run.stage = AllocatorRun::Stage::kDone;
  PlanFacts facts;
  facts.metrics = outcome.metrics;
  facts.spaces = std::move(outcome.spaces);
  facts.report = std::move(outcome.report);
  facts.seconds = outcome.run->result.seconds;
  Plan plan = std::move(outcome.run->plan);
  plan.id = outcome.allocator;
  facts.offsets = offsets_by_space(state.problem(), plan);
  const PlanFacts* shown = state.shown_facts();
  const bool better = shown == nullptr || (facts.report.valid() && facts.metrics.makespan < shown->metrics.makespan);
  keep_before_plan(state, plan);
  state.document.put_plan(std::move(plan));
  state.plan_facts[outcome.allocator] = std::move(facts);
  if (state.shown_plan == outcome.allocator || is_compared(state, outcome.allocator)) ++state.plan_revision;
  if (show_after) {
    show_plan(state, outcome.allocator, true);
  } else if (better && !state.user_chose_plan) {
    show_plan(state, outcome.allocator, false);
  }
  describe_present(state);
}

void take_written(State& state, WrittenFile written) {
  if (!written.result) return state.complain(written.result.error().message);
  if (written.note.empty()) {
    state.tell("Wrote " + written.path);
  } else {
    state.complain("Wrote " + written.path + "; " + written.note);
  }
  // Of a document that has gone meanwhile the one that is open now has neither the path nor the contents.
  if (!written.is_document || written.opened != state.editing.opened) return;
  const Format* format = format_for_path(written.path);
  if (format == nullptr || format->id != "stowage-json") return;
  state.document.path = written.path;
  state.document.facts.format = format->id;
  state.editing.history.mark_saved(written.present);
  note_file(state);
  remember_recent(state, written.path);
}

RowsRequest wanted_rows(State& state, const BufferQuery& query) {
  RowsRequest request;
  request.problem_revision = state.problem_revision;
  const bool by_plan = state.sort_column == SortColumn::kAddress || query.asks_places();
  request.plan_revision = by_plan ? state.plan_revision : 0;
  request.selection_revision = query.asks_selected() ? state.selection_revision : 0;
  if (query.asks_moved()) request.differences = differences(state).made;
  if (query.asks_cursor()) request.cursor = cursor_step(state);
  request.query = state.query;
  request.column = state.sort_column;
  request.descending = state.sort_descending;
  return request;
}

void refresh_rows(State& state) {
  const BufferQuery& query = shown_query(state);
  const RowsRequest wanted = wanted_rows(state, query);
  if (state.rows.request == wanted) return;
  if (state.sorting.running() && state.sorting_for == wanted) return;
  if (state.sorting.running() && query.asks_cursor()) return;  // not for each step that the cursor passes
  BufferQuery::Marks marks = marks_for(state, query);
  const Plan* plan = state.plan();
  if (state.problem().size() <= kAtOnce && !query.may_take_long()) {
    state.sorting.cancel();
    add_places(marks, query, state.problem(), state.offsets(),
               plan != nullptr && plan->objects ? &*plan->objects : nullptr);
    state.rows = make_rows(wanted, query, marks, state.problem(), state.offsets());
    ++state.rows_revision;
    return;
  }
  state.sorting_for = wanted;
  const bool by_place = state.sort_column == SortColumn::kAddress || query.asks_places();
  state.sorting.start([wanted, query, marks = std::move(marks), problem = state.document.problem,
                       offsets = by_place ? state.offsets() : std::vector<std::int64_t>(),
                       objects = plan != nullptr && query.asks_reusing() ? plan->objects : std::nullopt](
                          const std::stop_token& stop) mutable {
    add_places(marks, query, *problem, offsets, objects ? &*objects : nullptr);
    return make_rows(wanted, query, marks, *problem, offsets, stop);
  });
}

void refresh_relations(State& state) {
  const BufferIndex chosen = state.chosen();
  const Relations& now = state.relations;
  if (chosen == kNoBuffer) return;
  const auto fresh = [&](const Relations& one) {
    return one.buffer == chosen && one.problem_revision == state.problem_revision &&
           one.plan_revision == state.plan_revision;
  };
  if (fresh(now) || state.relating.running()) return;
  const auto work = [problem = state.document.problem, chosen, problem_revision = state.problem_revision,
                     plan_revision = state.plan_revision](const std::vector<std::int64_t>& offsets) {
    Relations found = relations_of(*problem, offsets, chosen);
    found.problem_revision = problem_revision;
    found.plan_revision = plan_revision;
    return found;
  };
  if (state.problem().size() <= kAtOnce) {
    state.relations = work(state.offsets());
    return;
  }
  state.relating.start([work, offsets = state.offsets()](const std::stop_token&) { return work(offsets); });
}

}  // namespace

void take_file(State& state, LoadedFile loaded) {
  const bool again = state.loading_again;
  const std::shared_ptr<const Problem> before = state.document.problem;
  const std::string chosen = chosen_plan(state);
  if (state.editing.mode) state.gesture.cancel();  // what the hand holds may be called otherwise now
  state.tasks.cancel_all();
  state.runs.clear();
  state.document = std::move(loaded.document);
  state.analysis = std::move(loaded.analysis);
  state.plan_facts = std::move(loaded.plan_facts);
  ++state.problem_revision;
  ++state.plan_revision;
  state.user_chose_plan = false;
  state.relations = Relations{};
  state.hovered = kNoBuffer;
  state.cursor_time.reset();
  state.cursor_byte.reset();
  state.rows = Rows{};
  state.shown_plan = state.document.plans.empty() ? std::string() : state.document.plans.back().id;
  if (state.space >= state.analysis.indexes.size()) state.space = 0;
  Comparing& comparing = state.part<Comparing>();
  comparing.unmatched.clear();  // the plans that were taken from other files are gone
  if (again) {
    state.selection = same_buffers(*before, state.problem(), state.selection);
  } else {
    state.selection.clear();
    state.query.clear();
    state.find_text.clear();
    state.space = 0;
    state.first_row = 0;
    comparing.reading.cancel();
    comparing.waiting.clear();
    state.part<WhatIf>().capacities.clear();
    state.history = ViewHistory{};
    state.centre = CentreView::kMap;
    state.camera_home = true;
  }
  ++state.selection_revision;
  if (state.camera_home) show_everything(state, false);
  forget_edits(state, "Opened " + title_of(state.document));
  offer_graph(state);
  describe_present(state);
  if (!again) restore_look(state);
  remember_recent(state, state.document.path);
  const std::size_t warnings = state.document.facts.warnings.size();
  if (warnings > 0 && !again) {
    state.tell(fmt::format("{} with {}", title_of(state.document),
                           warnings == 1 ? std::string("one warning") : fmt::format("{} warnings", warnings)));
  }
  plan_automatically(state);
  if (again) {
    show_chosen_plan(state, chosen);
    compare_again(state);
  }
}

namespace {

/// What was changed while the file was being read is not thrown away without a question.
void take_loaded(State& state, LoadedFile loaded) {
  const Reading& reading = state.part<Reading>();
  const bool changed = is_dirty(state) && state.editing.history.present_id() != reading.present;
  if (changed && state.loading_again) return ask_about_reload(state);
  if (!changed) {
    state.part<Reading>().options = reading.asked;
    return take_file(state, std::move(loaded));
  }
  auto kept = std::make_shared<LoadedFile>(std::move(loaded));
  when_saved(state, "opening " + printable_utf8(title_of(kept->document)), [kept, asked = reading.asked](State& s) {
    s.loading_again = false;
    s.part<Reading>().options = asked;
    take_file(s, std::move(*kept));
  });
}

}  // namespace

void start_loading(State& state, const std::string& path, bool again) {
  start_loading(state, path, again, again ? state.part<Reading>().options : ReadOptions{});
}

void start_loading(State& state, const std::string& path, bool again, const ReadOptions& options) {
  Reading& reading = state.part<Reading>();
  reading.asked = options;
  reading.share = std::make_shared<std::atomic<double>>(0.0);
  reading.present = state.editing.history.present_id();
  state.loading_path = path;
  state.loading_again = again;
  if (again) note_file(state);  // before it is read: what changes meanwhile is seen
  state.loading.start([path, options, share = reading.share](const std::stop_token& stop) {
    return load_file(path, options, stop, [share](double done) { share->store(done); });
  });
}

void start_run(State& state, const std::string& id, bool show_after) {
  const Allocator* allocator = find_allocator(id);
  if (allocator == nullptr || !state.has_problem()) return;
  AllocatorRun& run = state.runs[id];
  run = AllocatorRun{};
  run.stage = AllocatorRun::Stage::kWaiting;
  run.show_after = show_after;
  state.tasks.request(state.document.problem, *allocator, {});
}

void poll_background(State& state) {
  if (auto loaded = state.loading.poll()) {
    if (*loaded) {
      take_loaded(state, std::move(**loaded));
    } else if (loaded->error().kind != Error::Kind::kCancelled) {
      state.complain(loaded->error().message);
      offer_lenient(state, loaded->error());
    }
    state.loading_path.clear();
    state.settle_frames = 3;
  }
  for (PlanOutcome& outcome : state.tasks.poll()) {
    take_outcome(state, std::move(outcome));
    state.settle_frames = 3;
  }
  for (const PlanTasks::Progress& progress : state.tasks.progress()) {
    AllocatorRun& run = state.runs[progress.allocator];
    if (run.stage == AllocatorRun::Stage::kDone || run.stage == AllocatorRun::Stage::kFailed) continue;
    run.stage = progress.running ? AllocatorRun::Stage::kRunning : AllocatorRun::Stage::kWaiting;
    run.share = progress.share;
  }
  // What was made for a problem that is no longer shown speaks of other buffers; it is asked for again.
  if (auto rows = state.sorting.poll(); rows && rows->request.problem_revision == state.problem_revision) {
    state.rows = std::move(*rows);
    ++state.rows_revision;
    state.settle_frames = 3;
  }
  if (auto relations = state.relating.poll(); relations && relations->problem_revision == state.problem_revision) {
    state.relations = std::move(*relations);
    state.settle_frames = 3;
  }
  if (auto written = state.writing.poll()) {
    take_written(state, std::move(*written));
    state.settle_frames = 3;
  }
  const double now = state.host.now();
  std::erase_if(state.notices,
                [&](const Notice& notice) { return !notice.error && now - notice.since > Notice::kSeconds; });
}

void refresh_derived(State& state) {
  refresh_rows(state);
  refresh_relations(state);
}

bool busy_background(const State& state) {
  return state.loading.running() || !state.tasks.idle() || state.sorting.running() || state.relating.running() ||
         state.writing.running();
}

void export_to(State& state, const action::ExportTo& request) {
  const Plan* shown = state.plan();
  FigureInput input;
  input.title = title_of(state.document);
  input.subtitle = shown != nullptr ? State::title_of_plan(shown->id) : std::string();
  input.width = request.width;
  input.height = request.height;
  input.scale = request.scale;
  input.labels = request.labels;
  input.space = state.space;
  input.stacked = draws_all_spaces(state);
  input.shorten = switched_on(state, kShortenSetting, true);
  if (request.visible_part) input.view = state.camera;
  input.unit = state.byte_unit();
  input.address_style = state.address_style();
  input.hatched = chosen_palette(state).hatched;
  const Theme* named = find_theme(request.theme);
  const Theme theme = coloured_theme(state, named != nullptr ? *named : *state.ui.theme);
  std::optional<Colouring> colouring;
  if (chosen_colouring(state) != ColourBy::kKind) colouring = colouring_of(state);
  const std::vector<bool>* matches = shown_matches(state);
  state.writing.start(
      [input, request, theme, colouring = std::move(colouring),
       matches = matches != nullptr ? std::optional(*matches) : std::nullopt, problem = state.document.problem,
       plan = shown != nullptr ? std::make_shared<const Plan>(*shown) : nullptr](const std::stop_token&) mutable {
        input.problem = problem.get();
        input.plan = plan.get();
        input.colouring = colouring ? &*colouring : nullptr;
        input.matches = matches ? &*matches : nullptr;
        const CairoTextMeasure measure;
        const Scene scene = make_figure(input, theme, measure);
        WrittenFile written{{}, request.path, false, 0, 0};
        const Result<std::string> picture = paint(scene, request.format, request.scale, theme.background);
        if (picture) {
          written.result = write_file(request.path, *picture);
        } else {
          written.result = tl::unexpected<Error>(picture.error());
        }
        return written;
      });
}

void remember_recent(State& state, const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::string full = joined(folder_of(path), path.substr(path.rfind('/') + 1));
  std::vector<std::string>& recents = state.settings.recents;
  std::erase(recents, full);
  recents.insert(recents.begin(), full);
  if (recents.size() > kMostRecents) recents.resize(kMostRecents);
}

void store_settings(State& state) {
  if (state.settings == state.stored_settings) return;
  state.stored_settings = state.settings;
  if (state.config_folder.empty() || !state.keep_settings) return;
  if (const Result<void> written = write_settings(state.config_folder, state.settings); !written) {
    state.complain(written.error().message);
  }
}

}  // namespace stowage
