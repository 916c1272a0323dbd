#include "ui/saving.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/io/file.h"
#include "core/io/format.h"
#include "core/io/settled_graph.h"
#include "ui/saved_look.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool is_graph_alone(const Format& format) {
  return format.id == "graph-json";
}

/// Null when nothing is written under the ending of this path; that has been said.
const Format* writer_for(State& state, const std::string& path) {
  const Format* format = format_for_path(path);
  if (format != nullptr && format->write != nullptr) return format;
  state.complain(path + ": no format is written under this ending; use .json or .csv");
  return nullptr;
}

/// A graph in a file of its own brings its stages along, so that it opens as it is here.
WriteOptions whole() {
  WriteOptions options;
  options.with_pipeline = true;
  return options;
}

WrittenFile write_settled(Document document, const Format& format, const std::string& path,
                          const std::stop_token& stop) {
  WrittenFile written{{}, path, false, 0, 0};
  document.plans.clear();  // nobody expects them in a graph
  RunContext context;
  context.stop = stop;
  const auto graph = settled_graph(document, format, path, context);
  if (!graph) {
    written.result = tl::unexpected<Error>(graph.error());
    return written;
  }
  written.result = write_file(path, graph->bytes);
  if (!graph->unreadable.empty()) written.note = "it does not open again: " + graph->unreadable;
  if (!graph->lost.empty()) written.note = fmt::format("not in it: {}", fmt::join(graph->lost, ", "));
  return written;
}

WrittenFile write_point(const PipelinePoint& point, bool settled, const Format& format, const std::string& path,
                        const std::stop_token& stop) {
  auto document = document_at(point, stop);
  if (!document) return WrittenFile{tl::unexpected<Error>(document.error()), path, false, 0, 0};
  const bool alone = settled && document->graph != nullptr && is_graph_alone(format);
  if (alone) return write_settled(std::move(*document), format, path, stop);
  return WrittenFile{save_document(*document, path, format, whole()), path, false, 0, 0};
}

}  // namespace

void save_document_to(State& state, const std::string& path) {
  const Format* format = writer_for(state, path);
  if (format == nullptr) return;
  WriteOptions options = whole();
  Document document = state.document;
  std::optional<SavedView> look;
  if (format->id == "stowage-json") {
    look = look_of(state);
    // All plans; the shown one last, because that is the one a reader shows.
    const auto shown = std::find_if(document.plans.begin(), document.plans.end(),
                                    [&](const Plan& plan) { return plan.id == state.shown_plan; });
    if (shown != document.plans.end()) std::rotate(shown, shown + 1, document.plans.end());
  } else {
    options.plan = state.shown_plan;
  }
  state.editing.drag_entry = 0;  // what is dragged on is a change of its own
  state.writing.start([document = std::move(document), look = std::move(look), path, format, options,
                       present = state.editing.history.present_id(),
                       opened = state.editing.opened](const std::stop_token&) mutable {
    if (look) document.view = write_view(*look, *document.problem, document.view);
    return WrittenFile{save_document(document, path, *format, options), path, true, present, opened};
  });
}

void ask_where_to_save(State& state, std::shared_ptr<const PipelinePoint> point) {
  apply(state, action::ShowPopup{Popup::kSaveAs});
  state.browser.path_text = joined(state.browser.folder, name_of(*point) + (point->buffers ? ".json" : ".graph.json"));
  state.part<SaveSubject>() = {std::move(point), true};
}

bool holds_graph_alone(const State& state, const SaveSubject& subject, const std::string& path) {
  const bool has_graph = subject.point != nullptr ? !subject.point->buffers : state.document.graph != nullptr;
  const Format* format = format_for_path(path);
  return has_graph && format != nullptr && is_graph_alone(*format);
}

void save_as_asked(State& state, const action::SaveTo& what) {
  const bool alone = what.settled && holds_graph_alone(state, {what.point, true}, what.path);
  if (what.point == nullptr && !alone) return save_document_to(state, what.path);
  const Format* format = writer_for(state, what.path);
  if (format == nullptr) return;
  if (what.point != nullptr) {
    state.writing.start([what, format](const std::stop_token& stop) {
      return write_point(*what.point, what.settled, *format, what.path, stop);
    });
    return;
  }
  state.writing.start([document = state.document, path = what.path, format](const std::stop_token& stop) {
    return write_settled(document, *format, path, stop);
  });
}

}  // namespace stowage
