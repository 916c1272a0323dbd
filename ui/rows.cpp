#include "ui/rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

template <typename Key>
void sort_by(std::vector<BufferIndex>& order, bool descending, Key key) {
  if (descending) {
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      const auto ka = key(a);
      const auto kb = key(b);
      return ka != kb ? ka > kb : a < b;
    });
  } else {
    std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
      const auto ka = key(a);
      const auto kb = key(b);
      return ka != kb ? ka < kb : a < b;
    });
  }
}

void sort_rows(std::vector<BufferIndex>& order, const RowsRequest& request, const Problem& problem,
               const std::vector<std::int64_t>& offsets) {
  const bool down = request.descending;
  switch (request.column) {
    case SortColumn::kRow:
      if (down) std::reverse(order.begin(), order.end());
      return;
    case SortColumn::kName:
      std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
        if (natural_less(problem.id(a), problem.id(b))) return !down;
        if (natural_less(problem.id(b), problem.id(a))) return down;
        return a < b;
      });
      return;
    case SortColumn::kKind:
      return sort_by(order, down, [&](BufferIndex i) { return problem.kind(i); });
    case SortColumn::kSize:
      return sort_by(order, down, [&](BufferIndex i) { return problem[i].size; });
    case SortColumn::kStart:
      return sort_by(order, down, [&](BufferIndex i) { return std::pair(problem[i].start, problem[i].end); });
    case SortColumn::kLifetime:
      return sort_by(order, down, [&](BufferIndex i) { return problem[i].lifetime(); });
    case SortColumn::kAddress:
      return sort_by(order, down, [&](BufferIndex i) { return i < offsets.size() ? offsets[i] : kNoOffset; });
    case SortColumn::kAlignment:
      return sort_by(order, down, [&](BufferIndex i) { return problem[i].alignment; });
  }
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9';
  };
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (digit(a[i]) && digit(b[k])) {
      std::size_t i_end = i;
      std::size_t k_end = k;
      while (i_end < a.size() && digit(a[i_end])) ++i_end;
      while (k_end < b.size() && digit(b[k_end])) ++k_end;
      while (i + 1 < i_end && a[i] == '0') ++i;
      while (k + 1 < k_end && b[k] == '0') ++k;
      if (i_end - i != k_end - k) return i_end - i < k_end - k;
      const int order = a.substr(i, i_end - i).compare(b.substr(k, k_end - k));
      if (order != 0) return order < 0;
      i = i_end;
      k = k_end;
    } else {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i;
      ++k;
    }
  }
  return a.size() - i < b.size() - k;
}

Rows make_rows(const RowsRequest& request, const BufferQuery& query, const BufferQuery::Marks& marks,
               const Problem& problem, const std::vector<std::int64_t>& offsets, const std::stop_token& stop) {
  Rows rows;
  rows.request = request;
  const auto count = static_cast<BufferIndex>(problem.size());
  if (query.empty()) {
    rows.order.resize(count);
    std::iota(rows.order.begin(), rows.order.end(), BufferIndex{0});
  } else {
    std::vector<bool> matches(count, false);
    for (BufferIndex i = 0; i < count && !stop.stop_requested(); ++i) {
      if (!query.matches(problem, i, marks)) continue;
      matches[i] = true;
      rows.order.push_back(i);
    }
    rows.matches = std::make_shared<const std::vector<bool>>(std::move(matches));
  }
  sort_rows(rows.order, request, problem, offsets);
  return rows;
}

void fit_rows(Rows& rows, std::size_t count) {
  std::erase_if(rows.order, [count](BufferIndex i) { return i >= count; });
  if (rows.matches == nullptr || rows.matches->size() == count) return;
  std::vector<bool> matches = *rows.matches;
  matches.resize(count, false);
  rows.matches = std::make_shared<const std::vector<bool>>(std::move(matches));
}

}  // namespace stowage
