#include "ui/difference_table.h"

#include <algorithm>
#include <utility>

#include "ui/comparing.h"
#include "ui/rows.h"
#include "ui/services.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool passes(DifferenceState state, DifferenceFilter filter) {
  switch (filter) {
    case DifferenceFilter::kDiffer:
      return state != DifferenceState::kSame && state != DifferenceState::kNowhere &&
             state != DifferenceState::kUnmatched;
    case DifferenceFilter::kAll:
      return true;
    case DifferenceFilter::kUp:
      return state == DifferenceState::kUp;
    case DifferenceFilter::kDown:
      return state == DifferenceState::kDown;
    case DifferenceFilter::kSame:
      return state == DifferenceState::kSame;
    case DifferenceFilter::kOnlyHere:
      return state == DifferenceState::kOnlyHere;
    case DifferenceFilter::kOnlyThere:
      return state == DifferenceState::kOnlyThere;
    case DifferenceFilter::kUnmatched:
      return state == DifferenceState::kUnmatched;
  }
  return false;
}

/// What a row is sorted by, where that is a number; nothing comes last.
std::optional<std::int64_t> key_of(const DifferenceSource& source, const DifferenceRow& row, DifferenceColumn column) {
  const auto known = [](std::int64_t offset) {
    return offset != kNoOffset ? std::optional(offset) : std::nullopt;
  };
  const std::int64_t here = source.offset_here(row);
  const std::int64_t there = source.offset_there(row);
  switch (column) {
    case DifferenceColumn::kHere:
      return known(here);
    case DifferenceColumn::kThere:
      return known(there);
    case DifferenceColumn::kState:
      return static_cast<std::int64_t>(source.state(row));
    case DifferenceColumn::kDifference:
      if (here == kNoOffset || there == kNoOffset) return std::nullopt;
      return checked_sub(here, there).value_or(here > there ? kMaxInt64 : kMinInt64);
    case DifferenceColumn::kBuffer:
      break;
  }
  return std::nullopt;
}

void sort_by_name(const DifferenceSource& source, std::vector<DifferenceRow>& rows, bool descending) {
  std::stable_sort(rows.begin(), rows.end(), [&](const DifferenceRow& a, const DifferenceRow& b) {
    return descending ? natural_less(source.name(b), source.name(a)) : natural_less(source.name(a), source.name(b));
  });
}

std::shared_ptr<const DifferenceSource> source_of(State& state, const ComparedSide& side,
                                                  const std::shared_ptr<const Differences>& found) {
  auto source = std::make_shared<DifferenceSource>();
  source->here_problem = state.document.problem;
  source->there_problem = side.problem;
  source->here = state.offsets();
  source->there = side.plan->offsets;
  source->found = found;
  source->unmatched = unmatched_there(state).ids;
  source->unmatched_offsets = unmatched_there(state).offsets;
  return source;
}

void sort_table(DifferenceTable& table) {
  table.listed = table.filter;
  table.sorted_by = table.column;
  table.sorted_descending = table.descending;
  const DifferenceSource& source = *table.source;
  if (source.size() <= Editing::kAtOnce) {
    table.work.cancel();
    table.rows = difference_rows(source, table.filter, table.column, table.descending);
    return;
  }
  table.work.start([source = table.source, filter = table.filter, column = table.column, descending = table.descending](
                       const std::stop_token&) { return difference_rows(*source, filter, column, descending); });
}

}  // namespace

std::string_view words_of(DifferenceState state) {
  switch (state) {
    case DifferenceState::kUp:
      return "moved up";
    case DifferenceState::kDown:
      return "moved down";
    case DifferenceState::kOnlyHere:
      return "only here";
    case DifferenceState::kOnlyThere:
      return "only there";
    case DifferenceState::kUnmatched:
      return "not matched";
    case DifferenceState::kNowhere:
      return "not placed";
    case DifferenceState::kSame:
      return "same";
  }
  return "";
}

std::size_t DifferenceSource::size() const {
  return here_problem->size() + found->gone + unmatched.size();
}

std::string_view DifferenceSource::name(const DifferenceRow& row) const {
  if (row.here != kNoBuffer) return here_problem->id(row.here);
  return row.there != kNoBuffer ? there_problem->id(row.there) : std::string_view(unmatched[row.unmatched]);
}

std::int64_t DifferenceSource::offset_here(const DifferenceRow& row) const {
  return row.here < here.size() ? here[row.here] : kNoOffset;
}

std::int64_t DifferenceSource::offset_there(const DifferenceRow& row) const {
  if (row.here != kNoBuffer) return found->there[row.here];
  if (row.there != kNoBuffer) return row.there < there.size() ? there[row.there] : kNoOffset;
  return row.unmatched < unmatched_offsets.size() ? unmatched_offsets[row.unmatched] : kNoOffset;
}

DifferenceState DifferenceSource::state(const DifferenceRow& row) const {
  if (row.here == kNoBuffer) {
    return row.there != kNoBuffer ? DifferenceState::kOnlyThere : DifferenceState::kUnmatched;
  }
  switch (found->moved[row.here]) {
    case Moved::kUp:
      return DifferenceState::kUp;
    case Moved::kDown:
      return DifferenceState::kDown;
    case Moved::kSame:
      return DifferenceState::kSame;
    case Moved::kOnlyHere:
      return DifferenceState::kOnlyHere;
    case Moved::kNowhere:
      break;
  }
  return found->there[row.here] != kNoOffset ? DifferenceState::kOnlyThere : DifferenceState::kNowhere;
}

bool DifferenceSource::edited(const DifferenceRow& row) const {
  return row.here < found->edited.size() && found->edited[row.here];
}

std::vector<DifferenceRow> difference_rows(const DifferenceSource& source, DifferenceFilter filter,
                                           DifferenceColumn column, bool descending) {
  std::vector<DifferenceRow> rows;
  const auto take = [&](const DifferenceRow& row) {
    const bool edited = filter == DifferenceFilter::kDiffer && source.edited(row);
    if (edited || passes(source.state(row), filter)) rows.push_back(row);
  };
  for (BufferIndex i = 0; i < source.here_problem->size(); ++i) take({i, source.found->partner[i], 0});
  for (const BufferIndex k : source.found->only_there) {
    if (source.found->here[k] == kNoBuffer) take({kNoBuffer, k, 0});
  }
  for (std::uint32_t k = 0; k < source.unmatched.size(); ++k) take({kNoBuffer, kNoBuffer, k});
  if (column == DifferenceColumn::kBuffer) {
    sort_by_name(source, rows, descending);
    return rows;
  }
  struct Keyed {
    std::int64_t key = 0;
    DifferenceRow row;
  };
  std::vector<Keyed> keyed;
  std::vector<DifferenceRow> without;
  for (const DifferenceRow& row : rows) {
    const auto key = key_of(source, row, column);
    if (key) {
      keyed.push_back({*key, row});
    } else {
      without.push_back(row);
    }
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&](const Keyed& a, const Keyed& b) { return descending ? a.key > b.key : a.key < b.key; });
  rows.clear();
  for (const Keyed& one : keyed) rows.push_back(one.row);
  rows.insert(rows.end(), without.begin(), without.end());
  return rows;
}

DifferenceTable& difference_table(State& state) {
  DifferenceTable& table = state.part<DifferenceTable>();
  const auto side = state.plan() != nullptr ? compared_side(state) : std::nullopt;
  const Differing* differing = side ? &differing_from(state, *side) : nullptr;
  if (differing == nullptr || (!differing->ready && table.made_here != state.document.problem)) {
    table.source.reset();
    table.rows.clear();
    table.made = 0;
    return table;
  }
  const bool stale = table.made != differing->found->made || table.made_here != state.document.problem;
  if (differing->ready && stale) {
    if (table.made_here != state.document.problem) table.rows.clear();
    table.made = differing->found->made;
    table.made_here = state.document.problem;
    const auto before = std::exchange(table.source, source_of(state, *side, differing->found));
    if (table.filter == DifferenceFilter::kUnmatched && table.source->unmatched.empty()) {
      table.filter = DifferenceFilter::kDiffer;
    }
    // Rows of another comparison name what this one may not have.
    if (before == nullptr || before->there_problem != side->problem || before->unmatched != table.source->unmatched) {
      table.rows.clear();
    }
    sort_table(table);
  } else if (table.source != nullptr && (table.listed != table.filter || table.sorted_by != table.column ||
                                         table.sorted_descending != table.descending)) {
    sort_table(table);
  }
  return table;
}

void sort_differences(State& state, DifferenceColumn column) {
  DifferenceTable& table = state.part<DifferenceTable>();
  const bool numbers_fall = column == DifferenceColumn::kDifference;
  table.descending = table.column == column ? !table.descending : numbers_fall;
  table.column = column;
  table.scroll.first = 0;
}

void go_to_difference(State& state, std::size_t row) {
  const DifferenceTable& table = state.part<DifferenceTable>();
  if (table.made_here != state.document.problem) return;
  if (row >= table.rows.size() || table.rows[row].here == kNoBuffer) return;
  const BufferIndex buffer = table.rows[row].here;
  apply(state, action::Select{{buffer}, SelectMode::kReplace});
  apply(state, action::FrameBuffers{{buffer}});
}

void step_difference(State& state, int step) {
  DifferenceTable& table = difference_table(state);
  const auto count = static_cast<std::ptrdiff_t>(table.rows.size());
  const auto at = std::find_if(table.rows.begin(), table.rows.end(), [&](const DifferenceRow& row) {
    return row.here != kNoBuffer && row.here == state.chosen();
  });
  std::ptrdiff_t to = at != table.rows.end() ? at - table.rows.begin() + step : step > 0 ? 0 : count - 1;
  while (to >= 0 && to < count && table.rows[static_cast<std::size_t>(to)].here == kNoBuffer) to += step;
  if (to < 0 || to >= count) return;
  table.scroll.reveal(static_cast<std::size_t>(to), 8);
  go_to_difference(state, static_cast<std::size_t>(to));
}

void poll_difference_table(State& state) {
  DifferenceTable& table = state.part<DifferenceTable>();
  auto rows = table.work.poll();
  if (!rows) return;
  state.settle_frames = 3;
  if (table.source != nullptr) table.rows = std::move(*rows);
}

bool busy_difference_table(const State& state) {
  return state.part<DifferenceTable>().work.running();
}

}  // namespace stowage
