#include "core/chart/graph_layout.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace stowage {
namespace {

std::vector<std::int32_t> columns_of(const Graph& graph, const Schedule& schedule, GraphColumns kind) {
  std::vector<std::int32_t> columns(graph.ops().size(), 0);
  std::int32_t step = 0;
  for (const OpIndex n : schedule.order) {
    if (kind == GraphColumns::kSteps) {
      columns[n] = step++;
      continue;
    }
    for (const OpIndex before : graph.waits_for(n)) columns[n] = std::max(columns[n], columns[before] + 1);
  }
  return columns;
}

/// Gives out lanes: the lowest one that is free in a column.
class Lanes {
 public:
  /// The lane is taken from here up to (and without) the column `until`, at least in this one.
  std::int32_t take(std::int32_t column, std::int32_t until) {
    release(column);
    if (free_.empty()) free_.insert(count_++);
    const std::int32_t lane = *free_.begin();
    free_.erase(free_.begin());
    taken_.emplace(std::max(until, column + 1), lane);
    return lane;
  }
  /// Goes on in a lane that is taken up to this column.
  bool go_on(std::int32_t lane, std::int32_t column, std::int32_t until) {
    const auto found = taken_.find({column, lane});
    if (found == taken_.end()) return false;
    taken_.erase(found);
    taken_.emplace(std::max(until, column + 1), lane);
    return true;
  }
  /// What ends before the column is free; call it after all that go on there.
  void release(std::int32_t column) {
    while (!taken_.empty() && taken_.begin()->first <= column) {
      free_.insert(taken_.begin()->second);
      taken_.erase(taken_.begin());
    }
  }
  std::int32_t count() const { return count_; }

 private:
  std::set<std::int32_t> free_;
  std::set<std::pair<std::int32_t, std::int32_t>> taken_;  // (first column in which it is free, lane)
  std::int32_t count_ = 0;
};

class Layout {
 public:
  Layout(const Graph& graph, const Schedule& schedule, GraphColumns columns)
      : graph_(graph), columns_(columns_of(graph, schedule, columns)) {}

  GraphLayout run() {
    const std::size_t count = columns_.size();
    layout_.nodes.resize(count);
    for (OpIndex n = 0; n < count; ++n) {
      layout_.nodes[n].column = columns_[n];
      layout_.columns = std::max(layout_.columns, columns_[n] + 1);
    }
    edges();
    by_column();
    lanes();
    return std::move(layout_);
  }

 private:
  void edges() {
    next_reader_.assign(columns_.size(), kNoOp);
    for (OpIndex n = 0; n < columns_.size(); ++n) {
      for (const TensorIndex t : graph_.op(n).out) {
        OpIndex last = kNoOp;
        for (const OpIndex reader : graph_.readers(t)) {
          if (reader == last || reader == n) continue;
          last = reader;
          layout_.edges.push_back({n, reader, t});
          OpIndex& next = next_reader_[n];
          if (next == kNoOp || columns_[reader] < columns_[next]) next = reader;
        }
      }
    }
  }

  void by_column() {
    layout_.column_begin.assign(static_cast<std::size_t>(layout_.columns) + 1, 0);
    for (const std::int32_t column : columns_) ++layout_.column_begin[static_cast<std::size_t>(column) + 1];
    for (std::size_t c = 1; c < layout_.column_begin.size(); ++c)
      layout_.column_begin[c] += layout_.column_begin[c - 1];
    std::vector<std::size_t> next(layout_.column_begin.begin(), layout_.column_begin.end() - 1);
    layout_.by_column.resize(columns_.size());
    for (OpIndex n = 0; n < columns_.size(); ++n) layout_.by_column[next[static_cast<std::size_t>(columns_[n])]++] = n;
  }

  /// A lane is an op's own until the first that reads its results; that one may go on in it.
  void lanes() {
    Lanes lanes;
    std::vector<OpIndex> new_lane;
    for (std::int32_t column = 0; column < layout_.columns; ++column) {
      const std::size_t begin = layout_.column_begin[static_cast<std::size_t>(column)];
      const std::size_t end = layout_.column_begin[static_cast<std::size_t>(column) + 1];
      new_lane.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const OpIndex n = layout_.by_column[i];
        if (!goes_on(lanes, n)) new_lane.push_back(n);
      }
      for (const OpIndex n : new_lane) layout_.nodes[n].lane = lanes.take(column, free_again(n));
    }
    layout_.lanes = lanes.count();
  }

  std::int32_t free_again(OpIndex n) const {
    return next_reader_[n] == kNoOp ? columns_[n] + 1 : columns_[next_reader_[n]];
  }

  bool goes_on(Lanes& lanes, OpIndex n) {
    std::optional<std::int32_t> lowest;
    for (const TensorIndex t : graph_.op(n).in) {
      const OpIndex maker = graph_.producer(t);
      if (maker == kNoOp || next_reader_[maker] != n) continue;
      const std::int32_t lane = layout_.nodes[maker].lane;
      if (!lowest || lane < *lowest) lowest = lane;
    }
    if (!lowest || !lanes.go_on(*lowest, columns_[n], free_again(n))) return false;
    layout_.nodes[n].lane = *lowest;
    return true;
  }

  const Graph& graph_;
  std::vector<std::int32_t> columns_;
  std::vector<OpIndex> next_reader_;  // by op: the first that reads one of its results
  GraphLayout layout_;
};

}  // namespace

GraphLayout layout_graph(const Graph& graph, const Schedule& schedule, GraphColumns columns) {
  return Layout(graph, schedule, columns).run();
}

}  // namespace stowage
