#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "core/io/csv_columns.h"
#include "core/io/csv_scanner.h"
#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/io/json.h"

namespace stowage {

Result<std::string> write_minimalloc_csv(const Document& document, const WriteOptions& options);

namespace {

using csv::Role;

/// An unknown key of some buffers, and the column that keeps it.
struct ExtraColumn {
  std::string key;
  std::string name;
};

/// The text of an unknown key in one buffer; empty when it has none.
std::string cell_of(const Details& details, const std::string& key) {
  std::string cell;
  if (details.extra.empty()) return cell;
  std::optional<std::string> bytes;  // of a text that is not UTF-8: they count, the text only stands for it
  json::Members members(json::Value{details.extra});
  while (const auto member = members.next()) {
    const bool is_text = member->value.kind() == json::Kind::kString;
    if (member->key == key) cell = is_text ? json::decode(member->value) : std::string(member->value.text);
    if (is_text && member->key == key + std::string(csv::kTwin)) bytes = json::from_hex(json::decode(member->value));
  }
  return bytes.value_or(std::move(cell));
}

class Writer {
 public:
  Writer(const Problem& problem, const Plan* plan) : problem_(problem), plan_(plan) {
    find_columns();
    find_extras();
  }

  Result<std::string> run() const {
    if (too_many_keys_ || extras_.size() + csv::kRoles > csv::kMostColumns) {
      return input_error("the buffers have too many different unknown keys for a CSV file; write JSON instead");
    }
    if (const std::string_view lost = what_a_row_cannot_hold(); !lost.empty()) {
      return input_error(fmt::format("a CSV file cannot hold {}; write JSON instead", lost));
    }
    std::string out;
    out.reserve(problem_.size() * 32 + 64);
    if (problem_.needs().clocks && problem_.spaces()[0].base != 0) {
      out += fmt::format("# pool_offset={}\n", problem_.spaces()[0].base);
    }
    header(out);
    for (BufferIndex i = 0; i < problem_.size(); ++i) row(out, i);
    return out;
  }

 private:
  std::int64_t planned(BufferIndex i) const { return i < plan_->offsets.size() ? plan_->offsets[i] : kNoOffset; }

  std::string_view what_a_row_cannot_hold() const {
    const Needs& needs = problem_.needs();
    if (needs.conflict_edges) return "explicit conflicts";
    if (needs.colocation) return "colocated buffers or aliases";
    if (needs.groups) return "contiguous groups";
    if (needs.candidates) return "a choice of spaces";
    return {};
  }

  void find_columns() {
    bool all_fixed = true;
    bool all_planned = true;
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      const Buffer& buffer = problem_[i];
      alignment_ = alignment_ || buffer.alignment != 1;
      kind_ = kind_ || !problem_.kind(i).empty();
      space_ = space_ || problem_.spaces()[buffer.space].id != "memory";  // what a reader takes without the column
      all_fixed = all_fixed && buffer.is_fixed();
      all_planned = all_planned && (plan_ == nullptr || planned(i) != kNoOffset);
      const Details* details = problem_.details(i);
      if (details == nullptr) continue;
      hint_ = hint_ || details->hint.has_value();
      gaps_ = gaps_ || !details->gaps.empty();
      op_ = op_ || !details->op.empty();
      source_ = source_ || !details->source.empty();
      requested_ = requested_ || details->requested.has_value();
    }
    // Offsets in every row read as a plan, in some rows as pins; `fixed` settles it where that would be wrong.
    const bool pins_in_offset = plan_ == nullptr && problem_.has_fixed() && !all_fixed;
    offset_ = plan_ != nullptr || pins_in_offset;
    fixed_ = (problem_.has_fixed() && !pins_in_offset) || (plan_ != nullptr && !all_planned);
  }

  void find_extras() {
    std::unordered_set<std::string> known;
    std::unordered_set<std::string> empty_twins;
    std::vector<std::string> keys;  // in the order of their first use
    for (const Details& details : problem_.input().details) {
      if (details.extra.empty()) continue;
      json::Members members(json::Value{details.extra});
      while (const auto member = members.next()) {
        const bool empty = member->value.text == R"("")";
        if (empty && member->key.ends_with(csv::kTwin)) empty_twins.insert(member->key);
        if (!empty && known.insert(member->key).second) keys.push_back(member->key);
        too_many_keys_ = keys.size() > 2 * csv::kMostColumns;  // even if every second one is a twin
        if (too_many_keys_) return;
      }
    }
    std::vector<std::string> names;
    for (const std::string& key : keys) {
      const bool twin = key.ends_with(csv::kTwin) && known.count(key.substr(0, key.size() - csv::kTwin.size())) > 0;
      if (twin) continue;  // in the cell of the key it is a twin of
      if (empty_twins.count(key + std::string(csv::kTwin)) > 0 && !has_cells(key)) continue;
      names.push_back(csv::told_apart(csv::column_for_key(key), names));
      extras_.push_back({key, names.back()});
    }
  }

  /// Whether any buffer says something under a key: a text that its bytes take back says nothing.
  bool has_cells(const std::string& key) const {
    const auto& details = problem_.input().details;
    return std::any_of(details.begin(), details.end(), [&](const Details& one) { return !cell_of(one, key).empty(); });
  }

  void header(std::string& out) const {
    out += "id,lower,upper,size";
    const auto add = [&out](bool needed, Role role) {
      if (needed) out += fmt::format(",{}", csv::name_of(role));
    };
    add(alignment_, Role::kAlignment);
    add(hint_, Role::kHint);
    add(gaps_, Role::kGaps);
    add(kind_, Role::kKind);
    add(space_, Role::kSpace);
    add(op_, Role::kOp);
    add(source_, Role::kSource);
    add(requested_, Role::kRequested);
    for (const ExtraColumn& extra : extras_) {
      out += ',';
      csv::append_cell(out, extra.name);
    }
    add(offset_, Role::kOffset);
    add(fixed_, Role::kFixed);
    out += '\n';
  }

  void row(std::string& out, BufferIndex i) const {
    static const Details none;
    const Buffer& buffer = problem_[i];
    const Details* found = problem_.details(i);
    const Details& details = found != nullptr ? *found : none;
    const auto number = [&out](std::int64_t value) {
      fmt::format_to(std::back_inserter(out), ",{}", value);
    };
    const auto maybe = [&](bool present, std::int64_t value) {
      present ? number(value) : out.push_back(',');
    };
    const auto text = [&out](bool column, std::string_view value) {
      if (!column) return;
      out += ',';
      csv::append_cell(out, value);
    };

    csv::append_cell(out, problem_.id(i));
    if (details.clock) {
      clock_cell(out, details.clock->start);
      clock_cell(out, details.clock->end);
    } else {
      number(buffer.start);
      number(buffer.end);
    }
    number(buffer.size);
    if (alignment_) number(buffer.alignment);
    if (hint_) maybe(details.hint.has_value(), details.hint.value_or(0));
    if (gaps_) {
      out += ',';
      gap_cell(out, details.gaps);
    }
    text(kind_, problem_.kind(i));
    text(space_, problem_.spaces()[buffer.space].id);
    text(op_, details.op);
    text(source_, details.source);
    if (requested_) maybe(details.requested.has_value(), details.requested.value_or(0));
    for (const ExtraColumn& extra : extras_) text(true, cell_of(details, extra.key));
    const std::int64_t offset = plan_ != nullptr ? planned(i) : buffer.fixed;
    if (offset_) maybe(offset != kNoOffset, offset);
    if (fixed_) maybe(buffer.is_fixed(), buffer.fixed);
    out += '\n';
  }

  static void clock_cell(std::string& out, const std::vector<std::int64_t>& times) {
    fmt::format_to(std::back_inserter(out), ",{}", fmt::join(times, ":"));
  }

  static void gap_cell(std::string& out, const std::vector<Gap>& gaps) {
    for (std::size_t k = 0; k < gaps.size(); ++k) {
      const Gap& gap = gaps[k];
      fmt::format_to(std::back_inserter(out), "{}{}-{}", k == 0 ? "" : " ", gap.start, gap.end);
      if (gap.window) fmt::format_to(std::back_inserter(out), "@{}:{}", gap.window->low, gap.window->high);
    }
  }

  const Problem& problem_;
  const Plan* plan_;
  bool alignment_ = false, hint_ = false, gaps_ = false, kind_ = false, space_ = false, op_ = false, source_ = false;
  bool requested_ = false, offset_ = false, fixed_ = false;
  std::vector<ExtraColumn> extras_;
  bool too_many_keys_ = false;
};

}  // namespace

Result<std::string> write_minimalloc_csv(const Document& document, const WriteOptions& options) {
  const auto plan = plan_to_write(document, options);
  if (!plan) return tl::unexpected<Error>(plan.error());
  return Writer(*document.problem, *plan).run();
}

}  // namespace stowage
