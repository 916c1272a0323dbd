#include "app/commands/lookup.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string all_of(const std::vector<std::string>& known) {
  return fmt::format("{}", fmt::join(known, ", "));
}

Error unknown(std::string_view what, const std::string& id, const std::vector<std::string>& known,
              std::string_view list) {
  const std::string guess = did_you_mean(id, known);
  const std::string tail = guess.empty() && known.size() <= 6 ? "; there are: " + all_of(known) : guess;
  return Error{Error::Kind::kUsage, fmt::format("no {} '{}'{} (all: stowage list {})", what, id, tail, list)};
}

std::vector<std::string> endings() {
  std::vector<std::string> all;
  for (const Format& format : formats()) {
    if (format.write != nullptr && std::find(all.begin(), all.end(), format.extension) == all.end()) {
      all.push_back(format.extension);
    }
  }
  return all;
}

std::vector<std::string> written_formats() {
  std::vector<std::string> all;
  for (const Format& format : formats()) {
    if (format.write != nullptr) all.push_back(format.id);
  }
  return all;
}

}  // namespace

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = to_lower(name);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(wanted, to_lower(candidate));
    const bool contained = wanted.size() >= 3 && to_lower(candidate).find(wanted) != std::string::npos;
    if (contained || distance <= std::max<std::size_t>(2, wanted.size() / 3)) {
      ranked.emplace_back(contained ? std::min<std::size_t>(distance, 2) : distance, candidate);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (std::size_t k = 0; k < ranked.size() && k < 3; ++k) best.push_back(ranked[k].second);
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> best = nearest(name, known);
  if (best.empty()) return {};
  return fmt::format("; did you mean '{}'?", fmt::join(best, "' or '"));
}

Result<const Allocator*> allocator_by_id(const std::string& id) {
  if (const Allocator* found = find_allocator(id)) return found;
  std::vector<std::string> known;
  for (const Allocator& allocator : allocators()) known.push_back(allocator.id);
  return tl::unexpected(unknown("allocator", id, known, "allocators"));
}

Result<const Pool*> pool_by_id(const std::string& id) {
  if (const Pool* found = find_pool(id)) return found;
  std::vector<std::string> known;
  for (const Pool& pool : pools()) known.push_back(pool.id);
  return tl::unexpected(unknown("pool", id, known, "pools"));
}

Result<const Format*> format_by_id(const std::string& id) {
  if (const Format* found = find_format(id)) return found;
  std::vector<std::string> known;
  for (const Format& format : formats()) known.push_back(format.id);
  return tl::unexpected(unknown("format", id, known, "formats"));
}

Result<const Format*> format_to_write(const std::string& path, const std::string& to) {
  if (!to.empty()) {
    const Result<const Format*> format = format_by_id(to);
    if (format && (*format)->write == nullptr) {
      return input_error(
          fmt::format("{}: {} can be read, but not written; written are {}", path, to, all_of(written_formats())));
    }
    return format;
  }
  if (path == "-") return usage_error("-: say the format of standard output with --to FORMAT");
  if (const Format* format = format_for_path(path)) return format;
  const std::string lower = to_lower(path);
  for (const std::string_view picture : {".png", ".svg", ".pdf"}) {
    if (lower.size() > picture.size() && lower.compare(lower.size() - picture.size(), picture.size(), picture) == 0) {
      return usage_error(fmt::format("{}: pictures are written with --{}", path, picture.substr(1)));
    }
  }
  return input_error(
      fmt::format("{}: no format is written to this ending ({}); choose one with --to", path, all_of(endings())));
}

}  // namespace stowage
