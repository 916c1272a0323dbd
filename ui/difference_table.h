#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/problem.h"
#include "core/tasks/background.h"
#include "ui/differences.h"
#include "ui/row_scroll.h"
#include "ui/workbench.h"

namespace stowage {

enum class DifferenceColumn { kBuffer, kHere, kThere, kDifference, kState };
/// Which rows the table has.
enum class DifferenceFilter { kDiffer, kAll, kUp, kDown, kSame, kOnlyHere, kOnlyThere, kUnmatched };
/// What happened to the buffer of a row; in the order in which they are sorted.
enum class DifferenceState { kUp, kDown, kOnlyHere, kOnlyThere, kUnmatched, kNowhere, kSame };
/// "moved up", "not matched", ...
std::string_view words_of(DifferenceState state);

/// A row: a buffer of the open problem, one that only the other has, or one of the other file without a partner.
struct DifferenceRow {
  BufferIndex here = kNoBuffer;
  BufferIndex there = kNoBuffer;
  std::uint32_t unmatched = 0;  // its number, when both are kNoBuffer
};

/// What the table is made of; shared with the thread that sorts it.
struct DifferenceSource {
  std::shared_ptr<const Problem> here_problem, there_problem;
  std::vector<std::int64_t> here, there;  // offsets by buffer, there by buffer there
  std::shared_ptr<const Differences> found;
  std::vector<std::string> unmatched;
  std::vector<std::int64_t> unmatched_offsets;

  /// Buffers of both sides.
  std::size_t size() const;
  std::string_view name(const DifferenceRow& row) const;
  std::int64_t offset_here(const DifferenceRow& row) const;
  std::int64_t offset_there(const DifferenceRow& row) const;
  DifferenceState state(const DifferenceRow& row) const;
  bool edited(const DifferenceRow& row) const;
};

/// Rows that pass, sorted; ties by row. What has no offset in a column comes last there, whichever way it is sorted.
std::vector<DifferenceRow> difference_rows(const DifferenceSource& source, DifferenceFilter filter,
                                           DifferenceColumn column, bool descending);

/// The table of the differences panel.
struct DifferenceTable {
  DifferenceFilter filter = DifferenceFilter::kDiffer;
  DifferenceColumn column = DifferenceColumn::kDifference;
  bool descending = true;
  RowScroll scroll;

  std::shared_ptr<const DifferenceSource> source;  // null: nothing is compared
  std::vector<DifferenceRow> rows;
  std::uint64_t made = 0;                    // of which differences
  std::shared_ptr<const Problem> made_here;  // and of which problem
  // What the rows were made for.
  DifferenceFilter listed = DifferenceFilter::kDiffer;
  DifferenceColumn sorted_by = DifferenceColumn::kDifference;
  bool sorted_descending = true;
  Background<std::vector<DifferenceRow>> work;
};

/// The table as it is asked for; large ones are sorted in the background and stay as they were until then.
DifferenceTable& difference_table(Workbench::State& state);
/// The same column again turns the order around.
void sort_differences(Workbench::State& state, DifferenceColumn column);
/// Selects the buffer of a row and zooms to it.
void go_to_difference(Workbench::State& state, std::size_t row);
/// Goes to the row before (-1) or after (1) the selected buffer, and shows it in the table.
void step_difference(Workbench::State& state, int step);

}  // namespace stowage
