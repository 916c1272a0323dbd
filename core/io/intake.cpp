#include "core/io/intake.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/id_index.h"
#include "core/model/faults.h"

namespace stowage {
namespace {

constexpr std::string_view kSumTooLarge = "the sum of all sizes, each padded to its alignment, is above 2^63-1";

/// Where each row is after the bad ones are gone; kNoBuffer for those.
std::vector<BufferIndex> new_rows(const std::vector<bool>& bad) {
  std::vector<BufferIndex> rows(bad.size(), kNoBuffer);
  BufferIndex next = 0;
  for (std::size_t i = 0; i < bad.size(); ++i) {
    if (!bad[i]) rows[i] = next++;
  }
  return rows;
}

/// The constraints among the rows that are left; what one has to do with a row that is gone goes with it.
Constraints kept_constraints(const Constraints& constraints, const std::vector<BufferIndex>& rows) {
  Constraints kept;
  kept.conflicts_only = constraints.conflicts_only;
  const auto kept_list = [&](const std::vector<BufferIndex>& list) {
    std::vector<BufferIndex> left;
    for (const BufferIndex i : list) {
      if (i < rows.size() && rows[i] != kNoBuffer) left.push_back(rows[i]);
    }
    return left;
  };
  for (const ConflictEdge& edge : constraints.conflicts) {
    const std::vector<BufferIndex> left = kept_list({edge.a, edge.b});
    if (left.size() == 2) kept.conflicts.push_back({left[0], left[1]});
  }
  for (const std::vector<BufferIndex>& list : constraints.colocations) {
    std::vector<BufferIndex> left = kept_list(list);
    if (left.size() > 1) kept.colocations.push_back(std::move(left));
  }
  for (const Alias& alias : constraints.aliases) {
    const std::vector<BufferIndex> left = kept_list({alias.child, alias.parent});
    if (left.size() == 2) kept.aliases.push_back({left[0], left[1], alias.offset});
  }
  for (const Group& group : constraints.groups) {
    std::vector<BufferIndex> left = kept_list(group.members);
    if (left.size() > 1) kept.groups.push_back({std::move(left), group.pad});
  }
  return kept;
}

void keep_rows(ProblemInput& input, const std::vector<bool>& bad) {
  ProblemInput kept = input;
  kept.buffers.clear();
  kept.ids = Names();
  kept.details.clear();
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    if (bad[i]) continue;
    const Buffer& buffer = input.buffers[i];
    if (buffer.details == Buffer::kNoDetails) {
      kept.add(input.ids[i], buffer);
    } else {
      kept.add(input.ids[i], buffer, input.details[buffer.details]);
    }
  }
  kept.constraints = kept_constraints(input.constraints, new_rows(bad));
  input = std::move(kept);
}

template <typename Value>
void keep_rows(std::vector<Value>& values, const std::vector<bool>& bad) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= bad.size() || !bad[i]) values[kept++] = values[i];
  }
  values.resize(kept);
}

void keep_rows(Plan& plan, const std::vector<bool>& bad) {
  keep_rows(plan.offsets, bad);
  keep_rows(plan.spaces, bad);
  if (plan.objects) {
    keep_rows(plan.objects->object_of, bad);
    keep_rows(plan.objects->inner, bad);
  }
  const std::vector<BufferIndex> rows = new_rows(bad);
  std::map<BufferIndex, std::vector<std::int64_t>> slices;
  for (auto& [row, starts] : plan.slices) {
    if (rows[row] != kNoBuffer) slices[rows[row]] = std::move(starts);
  }
  plan.slices = std::move(slices);
}

/// Marks bad rows while listing why.
class Sieve {
 public:
  Sieve(const Intake& intake, Complaints& complaints)
      : intake_(intake), complaints_(complaints), bad_(intake.input.buffers.size(), false) {}

  void reject(BufferIndex i, std::string_view field, std::string_view message) {
    if (i != kNoBuffer) bad_[i] = true;
    whole_ = whole_ || i == kNoBuffer;
    complaints_.add(i == kNoBuffer ? 0 : intake_.at(i), intake_.place(i, field) + std::string(message));
    any_ = true;
  }
  void reject(const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
      // The gate reports the sum once, at the row where it overflows; reject_sum finds all rows that have no room.
      if (complaints_.lenient() && fault.message == kSumTooLarge) continue;
      reject(fault.buffer, fault.field, fault.message);
    }
  }
  void reject_plan_ends() {
    for (const Plan& plan : intake_.plans) {
      const std::size_t count = std::min(plan.offsets.size(), bad_.size());
      for (BufferIndex i = 0; i < count; ++i) {
        const std::int64_t offset = plan.offsets[i];
        const std::int64_t size = intake_.input.buffers[i].size;
        if (offset == kNoOffset || size < 0 || checked_add(offset, size)) continue;
        reject(i, "offset", fmt::format("offset {} plus size {} is above 2^63-1", offset, size));
      }
    }
  }
  void reject_sum() {
    std::int64_t sum = 0;
    for (BufferIndex i = 0; i < bad_.size(); ++i) {
      const Buffer& buffer = intake_.input.buffers[i];
      if (bad_[i] || buffer.size < 0 || buffer.alignment < 1) continue;
      const std::int64_t rest = buffer.size % buffer.alignment;
      const auto padded = checked_add(buffer.size, rest == 0 ? 0 : buffer.alignment - rest);
      const auto next = padded ? checked_add(sum, *padded) : std::nullopt;
      if (next) {
        sum = *next;
      } else {
        reject(i, "size", kSumTooLarge);
      }
    }
  }
  bool any() const { return any_; }
  /// Something is wrong that no row can be left out for.
  bool whole() const { return whole_; }
  const std::vector<bool>& bad() const { return bad_; }

 private:
  const Intake& intake_;
  Complaints& complaints_;
  std::vector<bool> bad_;
  bool any_ = false;
  bool whole_ = false;
};

std::string at_row(const Intake& intake, const std::vector<BufferIndex>& rows, BufferIndex i, std::string_view field) {
  return intake.place(rows.empty() ? i : rows[i], field);
}

/// `rows[i]` is the row in the file of buffer i; empty when none was left out.
void note_oddities(const Problem& problem, const Intake& intake, const std::vector<BufferIndex>& rows,
                   std::vector<std::string>& warnings) {
  {
    const IdIndex index(problem.input().ids);
    Notes duplicates(warnings, "duplicate ids");
    for (const BufferIndex i : index.repeats()) {
      duplicates.add([&] {
        const BufferIndex first = index.first(problem.id(i));
        std::string where = at_row(intake, rows, first, "id");
        where.resize(where.size() - 2);  // without ": "
        return fmt::format("{}duplicate id \"{}\", first at {}; both are kept", at_row(intake, rows, i, "id"),
                           shown(problem.id(i)), where);
      });
    }
  }
  Notes zero_sizes(warnings, "buffers of size 0");
  Notes zero_lengths(warnings, "buffers that live for no time");
  Notes broken(warnings, "ids that are not UTF-8");
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    if (buffer.size == 0) {
      zero_sizes.add([&] {
        return fmt::format("{}\"{}\" has size 0: it is kept, but takes no memory", at_row(intake, rows, i, "size"),
                           shown(problem.id(i)));
      });
    }
    if (buffer.start == buffer.end) {
      zero_lengths.add([&] {
        return fmt::format("{}\"{}\" lives for no time (lower = upper = {}): it is kept, but takes no memory",
                           at_row(intake, rows, i, "upper"), shown(problem.id(i)), buffer.start);
      });
    }
    if (!is_utf8(problem.id(i))) {
      broken.add([&] {
        return fmt::format("{}the id \"{}\" is not UTF-8; its bytes are kept as they are",
                           at_row(intake, rows, i, "id"), shown(problem.id(i)));
      });
    }
  }
}

}  // namespace

void Complaints::add(std::uint64_t at, std::string message) {
  ++count_;
  if (lenient_ && listed_.size() >= kListedLeftOut) return;
  // Complaints of one pass come in order; the second pass (the gate) may add earlier ones, hence twice the number.
  if (!lenient_ && listed_.size() >= 2 * kListed) {
    const auto last = std::max_element(listed_.begin(), listed_.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
    if (last->first <= at) return;
    *last = {at, std::move(message)};
    return;
  }
  listed_.emplace_back(at, std::move(message));
}

std::vector<std::pair<std::uint64_t, std::string>> Complaints::sorted() const {
  auto all = listed_;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

Error Complaints::error() const {
  std::string text;
  std::uint64_t lines = 0;
  for (const auto& [at, message] : sorted()) {
    if (lines == kListed) break;
    text += (lines == 0 ? "" : "\n") + message;
    ++lines;
  }
  if (count_ > lines) text += fmt::format("\n... and {} more", count_ - lines);
  return Error{Error::Kind::kInput, text};
}

void Complaints::become_warnings(std::vector<std::string>& warnings) const {
  for (auto& [at, message] : sorted()) warnings.push_back(message + " (left out)");
  if (count_ > listed_.size()) {
    warnings.push_back(fmt::format("... and {} more that were left out", count_ - listed_.size()));
  }
}

Notes::~Notes() {
  if (count_ > Complaints::kListed) {
    warnings_.push_back(fmt::format("... and {} more {}", count_ - Complaints::kListed, what_));
  }
}

Result<Document> admit(Intake intake, Complaints& complaints, std::vector<std::string> warnings) {
  Sieve sieve(intake, complaints);
  sieve.reject_plan_ends();
  std::vector<BufferIndex> rows;
  tl::expected<Problem, std::vector<Fault>> made = tl::unexpected(std::vector<Fault>());
  if (complaints.lenient()) {
    // The gate takes its input and the rows that are left must be there for a second try, hence a copy where ties may
    // contradict each other, which only the whole gate finds out.
    if (intake.input.constraints.ties_offsets()) {
      made = make_problem(intake.input);
      if (!made) sieve.reject(made.error());
    } else {
      sieve.reject(find_faults(intake.input));
    }
    sieve.reject_sum();
    if (sieve.whole()) return tl::unexpected<Error>(complaints.error());
    if (sieve.any()) {
      for (BufferIndex i = 0; i < intake.input.buffers.size(); ++i) {
        if (!sieve.bad()[i]) rows.push_back(i);
      }
      keep_rows(intake.input, sieve.bad());
      for (Plan& plan : intake.plans) keep_rows(plan, sieve.bad());
    }
    if (!made || sieve.any()) made = make_problem(std::move(intake.input));
    if (!made) return input_error(intake.place(kNoBuffer, "") + made.error().front().message);
    complaints.become_warnings(warnings);
  } else {
    made = make_problem(std::move(intake.input));
    if (!made) sieve.reject(made.error());
    if (!complaints.empty()) return tl::unexpected<Error>(complaints.error());
  }
  note_oddities(*made, intake, rows, warnings);
  Document document;
  document.problem = std::make_shared<const Problem>(std::move(*made));
  document.plans = std::move(intake.plans);
  document.facts.warnings = std::move(warnings);
  document.facts.left_out = complaints.count();
  return document;
}

Result<const Plan*> plan_to_write(const Document& document, const WriteOptions& options) {
  if (options.problem_only) return nullptr;
  if (options.plan.empty()) return document.plans.empty() ? nullptr : &document.plans.back();
  const Plan* plan = document.find_plan(options.plan);
  if (plan == nullptr) return usage_error(fmt::format("there is no plan \"{}\" in the document", options.plan));
  return plan;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string line = printable_utf8(text.substr(0, most));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\x7F') c = ' ';
  }
  if (text.size() > most) line += "...";
  return line;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:=_-/%+@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string capacity_hint(std::string_view path) {
  std::string_view name = path.substr(path.find_last_of('/') + 1);
  name = name.substr(0, name.find_last_of('.'));
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos) return "";
  const std::string_view number = name.substr(dot + 1);
  if (number.find_first_not_of("0123456789") != std::string_view::npos || !parse_int(number)) return "";
  return fmt::format("{} in the file's name", number);
}

}  // namespace stowage
