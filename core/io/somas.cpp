// Dumps of MindSpore's SOMAS (somas_*_info_<graph>.ir): the section "All Tensors:" has a line for each tensor, columns
// between tabs, named by a line before them; their number differs between versions:
//
//   index:  aligned_size:  original_size:  offset:  type:   lifelong:     life_start:  life_end:  source node name:
//   %0T     #64S           #64S            &0       Common  LifelongNone  0            2          conv
//
// A text that was pasted with blanks in place of tabs is read as well: names in the line above end with a colon, and
// only the last column has blanks in it.
//
// Life is given by the first and the last node, both included; what lives for the whole graph says so in `lifelong`.
// Asked for the graph (--choose as=graph), the nodes give it, with their streams and control edges, and lives follow
// from it. Control tensors (%1CT) have no memory. Tensors of a union lie in one place. Before planning all offsets are
// 0. (mindspore, backend/common/somas/somas.cc.)

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/graph_file.h"
#include "core/io/somas_nodes.h"
#include "core/io/text_lines.h"

namespace stowage {

Format somas_format();

namespace {

using somas::number_of;
using somas::Row;

constexpr std::string_view kSection = "All Tensors:";

enum Column : std::size_t { kIndex, kSize, kOriginal, kOffset, kType, kLifelong, kStart, kEnd, kNode, kColumns };
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::optional<Column> column_named(std::string_view name) {
  if (name == "index") return kIndex;
  if (name == "aligned_size" || name == "size") return kSize;
  if (name == "original_size" || name == "real_size") return kOriginal;
  if (name == "offset") return kOffset;
  if (name == "type") return kType;
  if (name == "lifelong" || name == "lifelong_value") return kLifelong;
  if (name == "life_start" || name == "lifetime_start") return kStart;
  if (name == "life_end" || name == "lifetime_end") return kEnd;
  if (name.starts_with("source node")) return kNode;
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, const ReadOptions& options)
      : lines_(bytes, options.watch), options_(options), dump_(name) {
    at_.fill(kNone);
  }

  Result<Document> run() {
    for (std::string_view line; lines_.next(line);) {
      line = trim(line);
      if (line.starts_with("All ") && line.ends_with(':')) {
        section_ = line;
      } else if (section_ == kSection && !line.empty()) {
        read_tensor(line);
      } else if (section_ == "All Parameters:") {
        nodes_.read_parameter(line);
      } else if (section_ == "All Nodes:" && nodes_.read_node(line)) {
        continue;
      } else if (section_ == "All Stream Groups:" && nodes_.read_stream_group(line)) {
        continue;
      } else if (line.starts_with("union tensors:") || line.starts_with("refnode input-output:")) {
        unions_.push_back(numbers_in(line));
      } else if (section_ == "All Processed Contiguous Tensors Info:" && line.starts_with("contiguous tensors:")) {
        groups_.push_back(numbers_in(line));
      }
    }
    return finish();
  }

 private:
  std::vector<std::string_view> cells_of(std::string_view line) const {
    std::vector<std::string_view> cells;
    if (line.find('\t') == std::string_view::npos) {
      const bool names = line.starts_with("index");
      while (!line.empty() && cells.size() < 32) {
        const bool last = !names && cells.size() + 1 == columns_;
        const std::size_t end = last ? std::string_view::npos : line.find(names ? ':' : ' ');
        cells.push_back(trim(line.substr(0, end)));
        line = end == std::string_view::npos ? std::string_view() : trim(line.substr(end + 1));
      }
      return cells;
    }
    while (cells.size() < 32) {
      const std::size_t tab = line.find('\t');
      cells.push_back(trim(line.substr(0, tab)));
      if (tab == std::string_view::npos) break;
      line.remove_prefix(tab + 1);
    }
    return cells;
  }

  void read_header(const std::vector<std::string_view>& cells) {
    at_.fill(kNone);
    columns_ = cells.size();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::string_view name = cells[c];
      if (name.ends_with(':')) name.remove_suffix(1);
      if (const auto column = column_named(trim(name))) at_[*column] = c;
    }
  }

  std::string_view cell(const std::vector<std::string_view>& cells, Column column) const {
    return at_[column] < cells.size() ? cells[at_[column]] : std::string_view();
  }

  void read_tensor(std::string_view line) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells[0].starts_with("index")) return read_header(cells);
    if (!cells[0].starts_with('%')) return dump_.leave_out(lines_.number(), "not a tensor, whose number begins with %");
    if (cells[0].ends_with("CT")) {
      ++controls_;
      return;
    }
    if (at_[kIndex] == kNone) assume_columns(cells.size());
    const auto index = number_of(cell(cells, kIndex));
    const auto size = number_of(cell(cells, kSize));
    if (!index || !size || *size < 0) return dump_.leave_out(lines_.number(), "it has no number, or no size");
    Row row;
    row.index = *index;
    row.size = *size;
    row.original = number_of(cell(cells, kOriginal)).value_or(*size);
    row.type = std::string(cell(cells, kType));
    row.node = std::string(cell(cells, kNode));
    row.line = lines_.number();
    const std::string_view lifelong = cell(cells, kLifelong);
    row.whole = lifelong == "1" || lifelong == "true" || lifelong.find("All") != std::string_view::npos;
    const auto offset = at_[kOffset] == kNone ? std::optional<std::int64_t>(0) : number_of(cell(cells, kOffset));
    if (!offset || *offset < 0) return dump_.leave_out(lines_.number(), "its offset is no address");
    row.offset = *offset;
    if (at_[kStart] == kNone) {
      one_instant_ = true;
    } else {
      const auto start = number_of(cell(cells, kStart));
      const auto last = number_of(cell(cells, kEnd));
      if (!start || !last || *last < *start) return dump_.leave_out(lines_.number(), "its life is not two nodes");
      row.start = *start;
      row.last = *last;
    }
    rows_.push_back(std::move(row));
  }

  /// The columns of the versions, for a text without the line that names them.
  void assume_columns(std::size_t count) {
    at_ = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    if (count == 10) at_ = {0, 1, 2, 3, 5, 6, 7, 8, 9};  // with the address
    if (count == 7) at_ = {0, 1, 2, 3, 5, 6, kNone, kNone, kNone};
  }

  static std::vector<std::int64_t> numbers_in(std::string_view line) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
      const std::string_view rest =
          line.substr(at, std::min<std::size_t>(line.find_first_of(" ,]", at), line.size()) - at);
      if (const auto number = number_of(rest)) numbers.push_back(*number);
    }
    return numbers;
  }

  bool placed() const {
    return rows_.size() == 1 || std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.offset != 0; });
  }

  /// The graph of the nodes, with the offsets of the tensors as its plan.
  Result<Document> graph(const Format& format) {
    const std::string& name = dump_.name();
    if (nodes_.empty()) return input_error(name + ": there are no nodes in it that could make a graph");
    auto document = document_of_file(nodes_.graph(rows_, groups_), format, name, options_);
    if (!document || !placed()) return document;
    TensorPlaces places;
    std::map<std::int64_t, std::size_t> union_of;
    for (std::size_t u = 0; u < unions_.size(); ++u) {
      for (const std::int64_t number : unions_[u]) union_of.emplace(number, u);
    }
    places.offsets.assign(document->graph->tensors().size(), kNoOffset);
    for (std::size_t k = 0; k < rows_.size(); ++k) places.offsets[k] = rows_[k].offset;
    places.meant = [&](TensorIndex a, TensorIndex b) {
      if (a >= rows_.size() || b >= rows_.size()) return false;
      const auto first = union_of.find(rows_[a].index);
      const auto second = union_of.find(rows_[b].index);
      return first != union_of.end() && second != union_of.end() && first->second == second->second;
    };
    if (const auto put = put_places(*document, places, options_, name); !put) return tl::unexpected(put.error());
    return document;
  }

  Result<Document> finish() {
    const Format format = somas_format();
    if (format.choice(options_, "as") == "graph") return graph(format);
    std::int64_t first = rows_.empty() ? 0 : rows_[0].start;
    std::int64_t last = 0;
    for (const Row& row : rows_) {
      first = std::min(first, row.start);
      last = std::max(last, row.last);
    }
    const bool planned = placed();
    const std::uint16_t space = dump_.space("memory").value_or(0);
    for (const Row& row : rows_) add(row, first, last, planned, space);
    tie(planned);
    if (controls_ > 0) dump_.note(fmt::format("{} control tensors have no memory and are left out", controls_));
    if (!planned && !rows_.empty()) dump_.note("all offsets are 0: the tensors are not planned yet");
    if (one_instant_) dump_.note("this version does not tell lives: all of it is shown at one instant");
    dump_.input.time_unit = "node";
    dump_.end_of_text(lines_);
    return dump_.finish("somas", rule_name(options_.times, TimeRule::kClosed));
  }

  void add(const Row& row, std::int64_t first, std::int64_t last, bool placed, std::uint16_t space) {
    const auto end = closed_end(row.whole ? last : row.last, options_.times);
    if (!end) return dump_.leave_out(row.line, "it ends above 2^63-1");
    Buffer buffer;
    buffer.start = row.whole ? std::min<std::int64_t>(first, 0) : row.start;
    buffer.end = std::max(*end, buffer.start);
    buffer.size = row.size;
    buffer.space = space;
    buffer.kind = dump_.kind(row.type);
    Details details;
    if (row.original != row.size) details.requested = row.original;
    details.op = printable_utf8(row.node);
    numbers_.emplace(row.index, static_cast<BufferIndex>(dump_.size()));
    dump_.add(fmt::format("{}", row.index), buffer, placed ? row.offset : kNoOffset, row.line, std::move(details));
  }

  std::vector<BufferIndex> buffers_of(const std::vector<std::int64_t>& numbers) const {
    std::vector<BufferIndex> buffers;
    for (const std::int64_t number : numbers) {
      const auto found = numbers_.find(number);
      if (found == numbers_.end()) continue;
      if (std::find(buffers.begin(), buffers.end(), found->second) == buffers.end()) buffers.push_back(found->second);
    }
    return buffers;
  }

  /// Unions share their offset, contiguous tensors lie one behind the other; a list that the offsets contradict is
  /// told and left out.
  void tie(bool placed) {
    const auto offset = [&](BufferIndex i) {
      return dump_.offsets[i];
    };
    for (const auto& numbers : unions_) {
      std::vector<BufferIndex> members = buffers_of(numbers);
      const bool agree = !placed || std::all_of(members.begin(), members.end(),
                                                [&](BufferIndex i) { return offset(i) == offset(members[0]); });
      if (!agree) dump_.note(fmt::format("the union of tensor {} lies at several places", numbers[0]));
      if (agree && members.size() > 1) dump_.input.constraints.colocations.push_back(std::move(members));
    }
    std::vector<bool> grouped(dump_.size(), false);
    for (const auto& numbers : groups_) {
      std::vector<BufferIndex> members = buffers_of(numbers);
      bool agree = true;
      for (std::size_t k = 0; k < members.size(); ++k) {
        agree = agree && !grouped[members[k]];
        grouped[members[k]] = true;
        if (!placed || k == 0) continue;
        const auto above = checked_add(offset(members[k - 1]), dump_.input.buffers[members[k - 1]].size);
        agree = agree && above && *above == offset(members[k]);
      }
      if (!agree)
        dump_.note(fmt::format("the contiguous tensors from {} on do not lie one behind the other", numbers[0]));
      if (agree && members.size() > 1) dump_.input.constraints.groups.push_back({std::move(members), 0});
    }
  }

  TextLines lines_;
  const ReadOptions& options_;
  Dump dump_;
  std::string_view section_;
  std::size_t columns_ = kColumns;        // as the line above the tensors names them
  std::array<std::size_t, kColumns> at_;  // where each column stands; kNone: nowhere
  std::vector<Row> rows_;
  somas::Nodes nodes_;
  std::vector<std::vector<std::int64_t>> unions_;
  std::vector<std::vector<std::int64_t>> groups_;
  std::map<std::int64_t, BufferIndex> numbers_;  // by number of the tensor
  std::uint64_t controls_ = 0;
  bool one_instant_ = false;
};

bool sniff(std::string_view bytes) {
  const std::size_t at = bytes.find(kSection);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = bytes.substr(at + kSection.size(), 4096);
  return rest.find("index:\t") != std::string_view::npos || rest.find("\n%") != std::string_view::npos;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  return Reader(bytes, name, options).run();
}

}  // namespace

Format somas_format() {
  Format format;
  format.id = "somas";
  format.title = "MindSpore SOMAS dump";
  format.extension = ".ir";
  format.summary = "tensors of somas_*_info.ir with their lives and offsets, or the graph of its nodes";
  format.sniff = sniff;
  format.read = read;
  format.choices = graph_choices();
  std::erase_if(format.choices, [](const ReadChoice& choice) { return choice.key == "dims"; });
  format.choices.push_back(
      {"as", "tensors with the lives of the dump, or the graph of its nodes", "tensors", {"tensors", "graph"}});
  return format;
}

}  // namespace stowage
