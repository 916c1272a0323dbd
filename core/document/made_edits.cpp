#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/document/edit.h"

namespace stowage {
namespace {

/// Names that no buffer has yet: "conv1 2", or the next number that is free.
class FreeNames {
 public:
  explicit FreeNames(const Problem& problem) {
    for (BufferIndex i = 0; i < problem.size(); ++i) taken_.insert(problem.id(i));
  }
  /// The name itself while nobody has it.
  std::string unless_taken(std::string_view name) {
    const bool is_free = !taken_.contains(name) && given_.emplace(name).second;
    return is_free ? std::string(name) : numbered(name);
  }
  std::string numbered(std::string_view name) {
    int& number = numbers_.try_emplace(std::string(name), 2).first->second;
    for (;; ++number) {
      std::string wanted = fmt::format("{} {}", name, number);
      if (!taken_.contains(wanted) && given_.insert(wanted).second) return wanted;
    }
  }

 private:
  std::set<std::string_view> taken_;
  std::set<std::string> given_;
  std::map<std::string, int> numbers_;  // where to go on looking, by name
};

/// The space that files without a word about spaces mean.
constexpr std::string_view kUsualSpace = "memory";

/// A multiple of both, as far as there is one.
std::int64_t common_alignment(std::int64_t a, std::int64_t b) {
  const std::int64_t part = b / std::gcd(a, b);
  return part <= kMaxInt64 / a ? a * part : std::max(a, b);
}

using LivePiece = std::pair<std::int64_t, std::int64_t>;

/// When the buffer needs all of its memory, or at least some of it.
void add_live_pieces(const Problem& problem, BufferIndex buffer, std::vector<LivePiece>& pieces) {
  std::int64_t from = problem[buffer].start;
  for (const Gap& gap : problem.gaps(buffer)) {
    if (gap.window) continue;
    pieces.emplace_back(from, gap.start);
    from = gap.end;
  }
  pieces.emplace_back(from, problem[buffer].end);
}

}  // namespace

std::vector<Edit> duplicates(const Problem& problem, std::span<const BufferIndex> buffers) {
  FreeNames names(problem);
  std::vector<Edit> edits;
  for (const BufferIndex i : buffers) {
    edit::Add add;
    add.name = names.numbered(problem.id(i));
    add.kind = problem.kind(i);
    add.buffer = problem[i];
    add.buffer.fixed = kNoOffset;  // two pins at one place would collide
    add.like = i;
    edits.emplace_back(std::move(add));
  }
  return edits;
}

std::vector<Edit> additions(const Problem& problem, const Problem& from, std::uint16_t space) {
  FreeNames names(problem);
  std::vector<Edit> edits;
  for (BufferIndex i = 0; i < from.size(); ++i) {
    edit::Add add;
    add.name = names.unless_taken(from.id(i));
    add.kind = from.kind(i);
    add.buffer = from[i];
    add.buffer.space = space;
    const std::string& named = from.spaces()[from[i].space].id;
    if (from.spaces().size() > 1 || named != kUsualSpace) add.space = named;
    if (const Details* details = from.details(i)) {
      add.details = *details;
      add.details->candidates.clear();  // they number the spaces of the other problem
    }
    edits.emplace_back(std::move(add));
  }
  return edits;
}

Edit split_lifetime(const Problem& problem, BufferIndex buffer, std::int64_t start, std::int64_t end) {
  const Buffer& b = problem[buffer];
  Gap added{std::clamp(start, b.start, b.end), std::clamp(end, b.start, b.end), std::nullopt};
  for (const Gap& gap : problem.gaps(buffer)) {
    if (gap.window || gap.end < added.start || gap.start > added.end) continue;
    added.start = std::min(added.start, gap.start);
    added.end = std::max(added.end, gap.end);
  }
  if (added.start == b.start) return edit::Lifetime{buffer, added.end, b.end};
  if (added.end == b.end) return edit::Lifetime{buffer, b.start, added.start};
  std::vector<Gap> gaps = {added};
  for (const Gap& gap : problem.gaps(buffer)) {
    // Of a gap in which a window is needed the parts before and after are left.
    if (gap.start < added.start) gaps.push_back(Gap{gap.start, std::min(gap.end, added.start), gap.window});
    if (gap.end > added.end) gaps.push_back(Gap{std::max(gap.start, added.end), gap.end, gap.window});
  }
  std::sort(gaps.begin(), gaps.end(), [](const Gap& x, const Gap& y) { return x.start < y.start; });
  return edit::Gaps{buffer, std::move(gaps)};
}

const char* why_not_merged(const Problem& problem, std::span<const BufferIndex> buffers) {
  if (buffers.size() < 2) return "fewer than two buffers are selected";
  for (const BufferIndex i : buffers) {
    if (problem[i].space != problem[buffers.front()].space) return "they lie in different memory spaces";
    const Details* details = problem.details(i);
    if (details != nullptr && details->clock) return "a lifetime among them is a vector clock";
  }
  return "";
}

std::vector<Edit> merged(const Problem& problem, std::span<const BufferIndex> buffers) {
  const BufferIndex first = buffers.front();
  std::vector<LivePiece> alive;
  std::int64_t size = 0;
  std::int64_t alignment = 1;
  std::int64_t fixed = kNoOffset;
  for (const BufferIndex i : buffers) {
    size = std::max(size, problem[i].size);
    alignment = common_alignment(alignment, problem[i].alignment);
    if (fixed == kNoOffset && problem[i].is_fixed()) fixed = problem[i].fixed;
    add_live_pieces(problem, i, alive);
  }
  std::sort(alive.begin(), alive.end());
  const LivePiece earliest = alive.front();
  std::erase_if(alive, [](const LivePiece& piece) { return piece.first >= piece.second; });  // takes no memory
  if (alive.empty()) alive.push_back(earliest);
  std::vector<Gap> gaps;
  std::int64_t end = alive.front().second;
  for (const auto& [from, to] : alive) {
    if (from > end) gaps.push_back(Gap{end, from, std::nullopt});
    end = std::max(end, to);
  }
  return {edit::Gaps{first, {}},
          edit::Lifetime{first, alive.front().first, end},
          edit::Size{first, size},
          edit::Alignment{first, alignment},
          edit::Pin{first, fixed != kNoOffset ? std::optional(fixed) : std::nullopt},
          edit::Gaps{first, std::move(gaps)},
          edit::Remove{std::vector<BufferIndex>(buffers.begin() + 1, buffers.end()), first}};
}

}  // namespace stowage
