#include "core/allocators/order.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/radix_sort.h"
#include "core/model/conflicts.h"

namespace stowage {
namespace {

/// The orders with allocators of their own.
constexpr const char* kPresets[] = {"size", "area", "start", "lifetime", "conflicts"};

using Keys = OrderLetter;

/// The largest load in any range of sections, in O(log n) each.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::span<const Section> sections) : count_(sections.size()), tree_(2 * sections.size()) {
    for (std::size_t i = 0; i < count_; ++i) tree_[count_ + i] = sections[i].load;
    for (std::size_t i = count_; i-- > 1;) tree_[i] = std::max(tree_[2 * i], tree_[2 * i + 1]);
  }
  std::int64_t operator()(std::size_t first, std::size_t last) const {
    std::int64_t highest = 0;
    for (first += count_, last += count_; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) highest = std::max(highest, tree_[first++]);
      if (last % 2 == 1) highest = std::max(highest, tree_[--last]);
    }
    return highest;
  }

 private:
  std::size_t count_;
  std::vector<std::int64_t> tree_;
};

template <typename Key>
Keys keys_by(const Problem& problem, Key&& key) {
  Keys keys(problem.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) keys[i] = key(i);
  return keys;
}

/// Sorts by the keys in turn, then by row: stable passes from the last key to the first.
std::vector<BufferIndex> sort_by(const std::vector<Keys>& keys, std::size_t count) {
  std::vector<KeyedIndex> entries(count);
  for (BufferIndex i = 0; i < count; ++i) entries[i].index = i;
  const auto pass = [&](auto&& key_of_index) {
    for (KeyedIndex& entry : entries) entry.key = key_of_index(entry.index);
    radix_sort(entries);
  };
  for (std::size_t k = keys.size(); k-- > 0;) {
    const Keys& of = keys[k];
    // Complemented, since larger goes first; an area needs more than 64 bits, hence two passes.
    pass([&](BufferIndex i) { return ~static_cast<std::uint64_t>(of[i]); });
    pass([&](BufferIndex i) { return ~sort_key(static_cast<std::int64_t>(of[i] >> 64)); });
  }
  std::vector<BufferIndex> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = entries[i].index;
  return order;
}

}  // namespace

OrderLetter order_letter(const Problem& problem, char letter) {
  const auto buffers = problem.buffers();
  const Sections& sections = problem.sections();
  switch (letter) {
    case 'A':
      return keys_by(problem, [&](BufferIndex i) { return Int128{buffers[i].size} * buffers[i].lifetime(); });
    case 'L':
      return keys_by(problem, [&](BufferIndex i) { return Int128{buffers[i].start}; });
    case 'U':
      return keys_by(problem, [&](BufferIndex i) { return Int128{buffers[i].end}; });
    case 'W':
      return keys_by(problem, [&](BufferIndex i) { return Int128{buffers[i].lifetime()}; });
    case 'Z':
      return keys_by(problem, [&](BufferIndex i) { return Int128{buffers[i].size}; });
    case 'C':
      return keys_by(problem, [&](BufferIndex i) { return Int128{sections.range(i).length()}; });
    case 'O': {
      const std::vector<std::int64_t> counts = conflict_counts(problem);
      return keys_by(problem, [&](BufferIndex i) { return Int128{counts[i]}; });
    }
    default: {  // 'T'; are_order_letters has refused everything else
      const RangeMaximum highest(sections.all());
      return keys_by(problem, [&](BufferIndex i) {
        const SectionRange range = sections.range(i);
        return Int128{highest(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.last))};
      });
    }
  }
}

bool are_order_letters(std::string_view order) {
  return !order.empty() && order.find_first_not_of("ACLOTUWZ") == std::string_view::npos;
}

std::vector<std::string> preset_orders() {
  return {"size", "area", "start", "lifetime", "conflicts"};
}

std::vector<Allocator> in_every_order(const Allocator& base) {
  std::vector<Allocator> table = {base};
  table.front().params = {order_param("given")};
  for (const char* order : kPresets) {
    Allocator preset = base;
    preset.id += fmt::format("-{}", order);
    preset.title += fmt::format(" by {}", order);
    preset.params = {order_param(order)};
    table.push_back(std::move(preset));
  }
  return table;
}

ParamSpec order_param(std::string_view value) {
  ParamSpec spec;
  spec.key = "order";
  spec.summary =
      "the order in which buffers are taken: a name, or letters such as TW compared in turn, larger first "
      "(A area, C sections, L start, O conflicts, T load, U end, W lifetime, Z size)";
  spec.value = std::string(value);
  spec.choices = {"given"};
  spec.choices.insert(spec.choices.end(), std::begin(kPresets), std::end(kPresets));
  spec.closed = false;
  return spec;
}

Result<std::vector<BufferIndex>> make_order(const Problem& problem, std::string_view order) {
  if (order == "given") {
    std::vector<BufferIndex> rows(problem.size());
    for (BufferIndex i = 0; i < rows.size(); ++i) rows[i] = i;
    return rows;
  }
  if (order == "start") {
    std::vector<Keys> keys = {order_letter(problem, 'L'), order_letter(problem, 'Z')};
    for (Int128& key : keys.front()) key = -key;
    return sort_by(keys, problem.size());
  }
  std::string_view letters = order;
  if (order == "size") letters = "Z";
  if (order == "area") letters = "A";
  if (order == "lifetime") letters = "W";
  if (order == "conflicts") letters = "O";
  if (!are_order_letters(letters)) {
    return usage_error(fmt::format(
        "'{}' is not an order: use given, size, area, start, lifetime, conflicts or letters of ACLOTUWZ", order));
  }
  std::vector<Keys> keys;
  for (const char letter : letters) keys.push_back(order_letter(problem, letter));
  return sort_by(keys, problem.size());
}

}  // namespace stowage
