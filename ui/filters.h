#pragma once

#include <string>

#include "ui/query.h"
#include "ui/state.h"

namespace stowage {

/// The filter of the moment, and the menu of the find box.
struct Filters {
  std::string parsed = " ";  // the text that `query` was made of; at first none that anybody types
  BufferQuery query;         // empty when the text makes no sense
  bool open_menu = false;    // in the next frame
  bool name_it = false;      // with the field for a name ready
  std::string name;
};

/// What the find box says now; Workbench::State::query_error tells when it makes no sense.
const BufferQuery& shown_query(Workbench::State& state);
/// Who has moved and who is selected, and the cursor, as far as the query asks.
BufferQuery::Marks marks_for(Workbench::State& state, const BufferQuery& query);
/// The step under the cursor, or the one where it was last; nothing before it has been in a chart.
std::optional<std::int64_t> cursor_step(const Workbench::State& state);
/// What the query asks about the places of buffers; O(n log n), for any thread.
void add_places(BufferQuery::Marks& marks, const BufferQuery& query, const Problem& problem,
                const std::vector<std::int64_t>& offsets, const Objects* objects);

/// Keeps the words of the find box under a name; an old filter of that name is replaced.
void save_filter(Workbench::State& state, const std::string& name);
void delete_filter(Workbench::State& state, const std::string& name);

/// The button for the menu with saved and ready-made filters, where it lies in the find box.
void draw_filter_menu(Workbench::State& state, ImVec2 at, ImVec2 size);

}  // namespace stowage
