#include "core/io/dump.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

constexpr std::size_t kMostNotes = 1000;

/// Ties are written by id, so ids must be different where there are any: "x", "x (2)".
void tell_apart(ProblemInput& input) {
  std::unordered_map<std::string, int> taken;  // id -> how often it has been asked for
  Names ids;
  for (std::size_t i = 0; i < input.ids.size(); ++i) {
    const std::string own(input.ids[i]);
    std::string id = own;
    while (!taken.emplace(id, 1).second) id = fmt::format("{} ({})", own, ++taken[own]);
    ids.push_back(id);
  }
  input.ids = std::move(ids);
}

/// For a space that a file leaves without a name; a problem's spaces have one each.
std::string id_beside(const Palette& spaces) {
  std::string id = "memory";
  for (int k = 2; spaces.find(id); ++k) id = fmt::format("memory ({})", k);
  return id;
}

}  // namespace

Dump::Dump(const std::string& name)
    : Dump(name, [name](std::uint64_t line) { return fmt::format("{}:{}: ", name, line); }) {}

Dump::Dump(const std::string& name, Place place) : name_(name), place_(std::move(place)) {
  kinds_.index("");  // "no kind" comes first in a problem
}

std::optional<std::uint16_t> Dump::space(std::string_view id) {
  return spaces_.index(id);
}

std::uint16_t Dump::kind(std::string_view kind) {
  return kinds_.index(kind).value_or(0);
}

void Dump::reserve(std::size_t buffers) {
  input.buffers.reserve(buffers);
  offsets.reserve(buffers);
  at_.reserve(buffers);
}

void Dump::add(std::string_view id, const Buffer& buffer, std::int64_t offset, std::uint64_t at) {
  input.add(id, buffer);
  offsets.push_back(offset);
  at_.push_back(at);
}

void Dump::add(std::string_view id, const Buffer& buffer, std::int64_t offset, std::uint64_t at, Details details) {
  static const Details none;
  if (details == none) return add(id, buffer, offset, at);
  input.add(id, buffer, std::move(details));
  offsets.push_back(offset);
  at_.push_back(at);
}

std::uint32_t Dump::store(Details details) {
  input.details.push_back(std::move(details));
  return static_cast<std::uint32_t>(input.details.size() - 1);
}

void Dump::leave_out(std::uint64_t at, std::string_view why) {
  complaints_.add(at, place_(at) + std::string(why));
  last_left_out_ = std::max(last_left_out_, at);
}

void Dump::note(std::string_view text) {
  if (notes_.size() >= kMostNotes) {
    ++untold_;
    return;
  }
  notes_.push_back(fmt::format("{}: {}", name_, text));
}

void Dump::note_at(std::uint64_t at, std::string_view text) {
  if (notes_.size() >= kMostNotes) {
    ++untold_;
    return;
  }
  notes_.push_back(place_(at) + std::string(text));
}

void Dump::set_base(std::uint16_t space, std::uint64_t base) {
  if (bases_.size() <= space) bases_.resize(space + std::size_t{1}, 0);
  bases_[space] = base;
}

void Dump::end_of_text(const TextLines& lines, LineEnds ends) {
  if (lines.complete()) return;
  const bool unread = last_left_out_ == lines.number();
  if (ends == LineEnds::kAlways || unread) {
    note_at(lines.number(), "the last line breaks off: the file may have been cut there");
  }
}

Result<Document> Dump::finish(std::string_view format, std::string_view times) {
  if (input.buffers.empty()) note("no buffer could be read from it");
  if (untold_ > 0) notes_.push_back(fmt::format("... and {} more remarks", untold_));
  if (input.constraints.ties_offsets()) tell_apart(input);
  input.kinds = kinds_.names();
  if (!spaces_.names().empty()) input.spaces.clear();
  for (const std::string& id : spaces_.names()) {
    const std::size_t number = input.spaces.size();
    input.spaces.push_back(
        Space{id.empty() ? id_beside(spaces_) : id, number < bases_.size() ? bases_[number] : 0, std::nullopt, {}});
  }
  const bool placed = std::any_of(offsets.begin(), offsets.end(), [](std::int64_t o) { return o != kNoOffset; });
  Intake intake;
  intake.input = std::move(input);
  if (placed) {
    Plan plan;
    plan.id = "file";
    plan.allocator = "file";
    plan.offsets = std::move(offsets);
    intake.plans.push_back(std::move(plan));
  }
  intake.at = [this](BufferIndex i) {
    return at_[i];
  };
  intake.place = [this](BufferIndex i, std::string_view) {
    return i == kNoBuffer ? name_ + ": " : place_(at_[i]);
  };
  auto document = admit(std::move(intake), complaints_, std::move(notes_));
  if (!document) return document;
  document->facts.format = format;
  document->facts.times = times;
  document->facts.offsets = placed ? "plan" : "none";
  return document;
}

std::optional<std::int64_t> end_after(std::int64_t last) {
  return checked_add(last, 1);
}

std::optional<std::int64_t> closed_end(std::int64_t last, TimeRule rule) {
  const bool closed = rule == TimeRule::kDefault || rule == TimeRule::kClosed;
  return closed ? end_after(last) : std::optional(last);
}

std::optional<std::int64_t> half_open_end(std::int64_t end, TimeRule rule) {
  return rule == TimeRule::kClosed ? end_after(end) : std::optional(end);
}

std::string_view rule_name(TimeRule rule, TimeRule of_file) {
  switch (rule == TimeRule::kDefault ? of_file : rule) {
    case TimeRule::kClosed:
      return "closed";
    case TimeRule::kOpen:
      return "open";
    default:
      return "half-open";
  }
}

}  // namespace stowage
