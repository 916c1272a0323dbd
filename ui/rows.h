#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/problem.h"
#include "ui/action.h"
#include "ui/query.h"

namespace stowage {

/// Which buffers the table shows, in which order.
struct RowsRequest {
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;       // 0 unless order or filter depend on addresses
  std::uint64_t selection_revision = 0;  // 0 unless the filter asks for it
  std::uint64_t differences = 0;         // which, where the filter asks for what has moved
  std::optional<std::int64_t> cursor;    // the step under the cursor, where the filter asks for it
  std::string query;
  SortColumn column = SortColumn::kSize;
  bool descending = true;
  bool operator==(const RowsRequest&) const = default;
};

struct Rows {
  RowsRequest request;
  std::vector<BufferIndex> order;
  /// By buffer; null when the query is empty and so everything matches.
  std::shared_ptr<const std::vector<bool>> matches;
};

/// Filters and sorts; ties by row. O(n log n): off the window's thread for large problems. Told to stop, it returns
/// soon with rows that nobody wants.
Rows make_rows(const RowsRequest& request, const BufferQuery& query, const BufferQuery::Marks& marks,
               const Problem& problem, const std::vector<std::int64_t>& offsets, const std::stop_token& stop = {});

/// Names with numbers in them in the order of the numbers: b2 before b10.
bool natural_less(std::string_view a, std::string_view b);

/// Another problem of `count` buffers is shown: until its rows are made, the old ones name no buffer that is gone.
void fit_rows(Rows& rows, std::size_t count);

}  // namespace stowage
