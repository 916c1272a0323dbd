#include "ui/autosaving.h"

#include <utility>

#include "ui/open_document.h"
#include "ui/saved_look.h"
#include "ui/services.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

using State = Workbench::State;

Autosaving::Key moment_of(const State& state) {
  return {state.editing.history.present_id(), state.problem_revision, state.plan_revision};
}

bool is_due(const State& state, const Autosaving& autosaving) {
  if (!is_dirty(state) || autosaving.writing.running()) return false;
  const double now = state.host.now();
  if (autosaving.failed_at && now - *autosaving.failed_at >= Autosaving::kAgain) return true;
  if (autosaving.kept == moment_of(state)) return false;
  const bool long_ago = autosaving.unkept_since && now - *autosaving.unkept_since >= Autosaving::kLongest;
  return long_ago || now - autosaving.changed_at >= Autosaving::kQuiet;
}

void look_for_left(State& state, Autosaving& autosaving) {
  autosaving.store = std::make_shared<Autosave>(autosave_folder(state.config_folder));
  if (state.config_folder.empty()) return;
  autosaving.looking.start([store = autosaving.store](const std::stop_token&) { return store->left(); });
}

void keep(State& state, Autosaving& autosaving) {
  autosaving.kept = moment_of(state);
  autosaving.unkept_since.reset();
  autosaving.writing.start(
      [store = autosaving.store, document = state.document, look = look_of(state)](const std::stop_token&) mutable {
        document.view = write_view(look, *document.problem, document.view);
        return store->keep(document);
      });
}

/// A full disk may have room again: it is tried once more, but said only once.
void take_kept(State& state, Autosaving& autosaving, const Result<void>& written) {
  const bool failed_before = autosaving.failed_at.has_value();
  if (written) {
    autosaving.failed_at.reset();
    if (failed_before) state.tell("Unsaved work is kept again");
    return;
  }
  autosaving.failed_at = state.host.now();
  if (!failed_before) state.complain("Unsaved work cannot be kept: " + written.error().message);
}

void take_recovered(State& state, Autosaving& autosaving, LoadedFile loaded) {
  const LeftWork work = *autosaving.opening;
  autosaving.opening.reset();
  autosaving.store->adopt(work);
  std::erase_if(autosaving.left, [&](const LeftWork& one) { return one.slot == work.slot; });
  autosaving.store->release_left();
  state.loading_again = false;
  take_file(state, std::move(loaded));
  state.editing.history.mark_unsaved();
  state.editing.history.rename("Recovered " + work.title);
  autosaving.kept = moment_of(state);
  state.tell("Recovered the unsaved work on " + printable_utf8(work.title));
}

}  // namespace

void recover(State& state, const LeftWork& work) {
  auto& autosaving = state.part<Autosaving>();
  autosaving.opening = work;
  autosaving.reading.start([store = autosaving.store, work](const std::stop_token& stop) -> Result<LoadedFile> {
    auto document = store->open(work);
    if (!document) return tl::unexpected<Error>(document.error());
    return analyse_document(std::move(*document), stop);
  });
}

void discard_left(State& state, const LeftWork& work) {
  auto& autosaving = state.part<Autosaving>();
  const int slot = work.slot;  // the list that holds it is about to change
  autosaving.store->discard(work);
  std::erase_if(autosaving.left, [&](const LeftWork& one) { return one.slot == slot; });
  if (autosaving.left.empty() && state.popup == Popup::kRecovery) state.popup = Popup::kNone;
}

void end_autosaving(State& state) {
  auto& autosaving = state.part<Autosaving>();
  if (autosaving.store != nullptr) autosaving.store->end();
}

void poll_autosaving(State& state) {
  auto& autosaving = state.part<Autosaving>();
  if (autosaving.store == nullptr) look_for_left(state, autosaving);
  if (state.config_folder.empty()) return;
  if (auto left = autosaving.looking.poll()) {
    autosaving.left = std::move(*left);
    if (!autosaving.left.empty() && state.popup == Popup::kNone) state.popup = Popup::kRecovery;
    state.settle_frames = 3;
  }
  if (auto loaded = autosaving.reading.poll()) {
    if (*loaded) {
      take_recovered(state, autosaving, std::move(**loaded));
    } else {
      state.complain(loaded->error().message);
    }
    state.settle_frames = 3;
  }
  if (const auto written = autosaving.writing.poll()) take_kept(state, autosaving, *written);
  if (const Autosaving::Key now = moment_of(state); now != autosaving.changing) {
    autosaving.changing = now;
    autosaving.changed_at = state.host.now();
    if (!autosaving.unkept_since) autosaving.unkept_since = autosaving.changed_at;
  }
  if (!is_dirty(state)) autosaving.unkept_since.reset();
  if (is_due(state, autosaving)) {
    keep(state, autosaving);
  } else if (!is_dirty(state) && autosaving.kept && !autosaving.writing.running()) {
    autosaving.kept.reset();
    autosaving.failed_at.reset();
    autosaving.store->forget();
  }
}

bool busy_autosaving(const State& state) {
  const auto& autosaving = state.part<Autosaving>();
  if (autosaving.store == nullptr) return true;
  if (state.config_folder.empty()) return false;
  return autosaving.looking.running() || autosaving.reading.running() || autosaving.writing.running() ||
         is_due(state, autosaving);
}

}  // namespace stowage
