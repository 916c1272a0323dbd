#include "ui/unsaved.h"

#include <utility>

#include <fmt/format.h>

#include "ui/autosaving.h"
#include "ui/question.h"
#include "ui/services.h"

namespace stowage {
namespace {

using State = Workbench::State;

void close_window(State& state) {
  state.part<AfterSaving>().close_allowed = true;
  end_autosaving(state);
  state.host.close();
}

std::string shown_title(const State& state) {
  return printable_utf8(title_of(state.document)) + (is_dirty(state) ? " \u2022" : "") + " \u2014 Stowage";
}

}  // namespace

bool is_dirty(const State& state) {
  return state.editing.history.dirty();
}

void when_saved(State& state, const std::string& what, std::function<void(State&)> then) {
  if (!is_dirty(state)) return then(state);
  Question question;
  question.title = "Unsaved changes";
  question.words = fmt::format("{} has changes that are not saved. Save them before {}?",
                               printable_utf8(title_of(state.document)), what);
  question.answers = {
      {"question.save", "Save", true,
       [then](State& s) {
         s.part<AfterSaving>().then = then;
         run_command(s, CommandId::save);
       }},
      {"question.discard", "Don't save", false, then},
      {"question.cancel", "Cancel", false,
       [](State&) {
       }},
  };
  ask(state, std::move(question));
}

bool asks_first(State& state, CommandId id) {
  if (id == CommandId::quit) {
    when_saved(state, "closing the window", close_window);
    return true;
  }
  if (!is_dirty(state)) return false;
  if (id == CommandId::new_problem) {
    when_saved(state, "starting a new problem", [](State& s) {
      s.editing.history.mark_saved();  // nobody wants the changes any more
      run_command(s, CommandId::new_problem);
    });
    return true;
  }
  if (id == CommandId::reload) {
    ask_about_reload(state);
    return true;
  }
  return false;
}

void ask_about_reload(State& state) {
  Question question;
  question.title = "Read the file again?";
  question.words = fmt::format("There are changes in the window that {} does not have. Reading it again loses them.",
                               printable_utf8(title_of(state.document)));
  question.answers = {
      {"question.reload", "Read it again", true,
       [](State& s) {
         start_loading(s, s.document.path, true);
       }},
      {"question.keep", "Keep my changes", false,
       [](State&) {
       }},
  };
  ask(state, std::move(question));
}

bool may_close(State& state) {
  if (!is_dirty(state) || state.part<AfterSaving>().close_allowed) return true;
  when_saved(state, "closing the window", close_window);
  return false;
}

void poll_unsaved(State& state) {
  // Before there is anything the title is the program's own.
  if (!state.document.path.empty() || state.index() != nullptr) state.host.set_title(shown_title(state));
  auto& waiting = state.part<AfterSaving>();
  if (!waiting.then || state.writing.running() || state.popup == Popup::kSaveAs) return;
  const auto then = std::exchange(waiting.then, nullptr);
  if (!is_dirty(state)) then(state);  // else the save was given up, or it has failed
}

bool busy_unsaved(const State& state) {
  return state.part<AfterSaving>().then && state.writing.running();
}

}  // namespace stowage
