#include "ui/reading.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

using State = Workbench::State;

}  // namespace

void cancel_loading(State& state) {
  state.loading.cancel();
  state.loading_path.clear();
  state.loading_again = false;
}

std::string loading_words(const State& state, std::string_view name) {
  const Reading& reading = state.part<Reading>();
  const double share = reading.share != nullptr ? reading.share->load() : 0;
  const std::string words = fmt::format("Opening{}{}\xE2\x80\xA6", name.empty() ? "" : " ", name);
  return share > 0 ? fmt::format("{} {:.0f} %", words, share * 100) : words;
}

void read_otherwise(State& state, ReadOptions options) {
  if (state.document.path.empty()) return;
  when_saved(state, "reading the file in another way",
             [options = std::move(options)](State& s) { start_loading(s, s.document.path, true, options); });
}

void offer_lenient(State& state, const Error& error) {
  const ReadOptions& asked = state.part<Reading>().asked;
  // Readers of rows name the line: "problem.csv:3: ...". Other errors are no better without it.
  const std::string place = state.loading_path + ":";
  const std::string& words = error.message;
  const bool names_a_row = words.starts_with(place) && words.size() > place.size() && words[place.size()] >= '0' &&
                           words[place.size()] <= '9';
  if (error.kind != Error::Kind::kInput || asked.lenient || !names_a_row || state.notices.empty()) return;
  ReadOptions lenient = asked;
  lenient.lenient = true;
  Notice& notice = state.notices.back();
  const bool asks_for_sizes = words.find("--dims ") != std::string::npos;
  notice.offer = asks_for_sizes ? "Open it and ask for the sizes" : "Leave bad rows out";
  notice.help = [path = state.loading_path, lenient = std::move(lenient)](State& s) {
    start_loading(s, path, path == s.document.path, lenient);
  };
}

}  // namespace stowage
