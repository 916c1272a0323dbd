#include "ui/pipeline_results.h"

#include <utility>

#include <fmt/format.h>

#include "ui/comparing.h"
#include "ui/open_document.h"
#include "ui/pipeline_panel.h"
#include "ui/reading.h"
#include "ui/saving.h"
#include "ui/services.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// No plan's id begins like it.
constexpr std::string_view kPointKey =
    "\x01"
    "point ";

void make_point(State& state, PipelinePoint point, bool to_compare) {
  auto& results = state.part<PipelineResults>();
  results.opened = state.editing.opened;
  results.work.start(
      [point = std::move(point), to_compare](const std::stop_token& stop) -> Result<PipelineResults::Made> {
        auto document = to_compare ? document_at(point, stop) : settled_at(point, stop);
        if (!document) return tl::unexpected<Error>(std::move(document.error()));
        auto loaded = analyse_document(std::move(*document), stop);
        if (!loaded) return tl::unexpected<Error>(std::move(loaded.error()));
        return PipelineResults::Made{point, to_compare, std::move(*loaded)};
      });
}

void take_opened_point(State& state, LoadedFile loaded) {
  auto kept = std::make_shared<LoadedFile>(std::move(loaded));
  when_saved(state, "opening " + printable_utf8(title_of(kept->document)), [kept](State& s) {
    cancel_loading(s);
    s.part<Reading>().options = ReadOptions{};
    take_file(s, std::move(*kept));
    s.editing.history.mark_unsaved();  // no file has it
  });
}

bool is_of_open_graph(const State& state, const PipelinePoint& point) {
  return point.document.graph != nullptr && point.document.graph == state.document.graph;
}

void take_compared_point(State& state, PipelineResults& results, PipelineResults::Made made) {
  if (!is_of_open_graph(state, made.point)) return;
  std::erase_if(results.compared, [&](const auto& one) {
    return one->point.document.graph == made.point.document.graph && one->point.stages == made.point.stages &&
           one->point.buffers == made.point.buffers;
  });
  if (results.compared.size() == PipelineResults::kMostCompared) results.compared.erase(results.compared.begin());
  std::string key = fmt::format("{}{}", kPointKey, ++results.numbers);
  results.compared.push_back(
      std::make_shared<const ComparedPoint>(ComparedPoint{key, std::move(made.point), std::move(made.loaded)}));
  show_beside(state, key);
}

}  // namespace

PipelinePoint pipeline_point(const State& state, std::size_t stages, bool buffers) {
  const auto& panel = state.part<PipelinePanel>();
  PipelinePoint point;
  point.document.path = state.document.path;
  point.document.facts.title = state.document.facts.title;
  point.document.problem = state.document.problem;
  point.document.graph = state.document.graph;
  point.document.recipe = state.document.recipe;
  point.document.staged = state.document.staged;
  point.document.extra = state.document.extra;
  point.document.original = state.document.original;
  point.stages = stages;
  point.buffers = buffers;
  point.allocator = panel.measured ? panel.measured->allocator : panel.allocator;
  return point;
}

void open_point(State& state, PipelinePoint point) {
  make_point(state, std::move(point), false);
}

void compare_point(State& state, PipelinePoint point) {
  make_point(state, std::move(point), true);
}

void export_point(State& state, PipelinePoint point) {
  ask_where_to_save(state, std::make_shared<const PipelinePoint>(std::move(point)));
}

const ComparedPoint* compared_point(const State& state, const std::string& key) {
  for (const auto& one : state.part<PipelineResults>().compared) {
    if (one->key == key && is_of_open_graph(state, one->point)) return one.get();
  }
  return nullptr;
}

std::vector<std::string> compared_points(const State& state) {
  std::vector<std::string> keys;
  for (const auto& one : state.part<PipelineResults>().compared) {
    if (is_of_open_graph(state, one->point)) keys.push_back(one->key);
  }
  return keys;
}

void poll_pipeline_results(State& state) {
  auto& results = state.part<PipelineResults>();
  if (results.opened != state.editing.opened) {
    results.work.cancel();
    results.compared.clear();
    results.opened = state.editing.opened;
  }
  auto made = results.work.poll();
  if (!made) return;
  state.settle_frames = 3;
  if (!*made) {
    if (made->error().kind != Error::Kind::kCancelled) state.complain(made->error().message);
  } else if ((*made)->to_compare) {
    take_compared_point(state, results, std::move(**made));
  } else {
    take_opened_point(state, std::move((*made)->loaded));
  }
}

bool busy_pipeline_results(const State& state) {
  return state.part<PipelineResults>().work.running();
}

}  // namespace stowage
