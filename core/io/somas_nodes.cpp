#include "core/io/somas_nodes.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/intake.h"

namespace stowage::somas {
namespace {

/// What stands between the brackets behind a name: "inputs" of "ctrl_inputs[] inputs[%1T, ]" is "%1T, ".
std::string_view list_named(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t open = at + name.size();
    const bool whole = at == 0 || line[at - 1] == '\t' || line[at - 1] == ' ' || line[at - 1] == ']';
    if (!whole || open >= line.size() || line[open] != '[') continue;
    return line.substr(open + 1, std::min(line.find(']', open), line.size()) - open - 1);
  }
  return {};
}

/// The numbers of a list that end with these letters: "T" tensors, "P" parameters, "CT" control.
std::vector<std::int64_t> numbers_of(std::string_view list, std::string_view letters) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(list, ',')) {
    const std::string_view one = trim(part);
    const std::size_t digits = one.find_last_of("0123456789");
    if (digits == std::string_view::npos || one.substr(digits + 1) != letters) continue;
    if (const auto number = number_of(one)) numbers.push_back(*number);
  }
  return numbers;
}

/// Cells between tabs, or between blanks where the text was pasted without tabs.
std::vector<std::string> cells_before_lists(std::string_view line) {
  line = line.substr(0, std::min(line.find('['), line.size()));
  std::vector<std::string> cells;
  for (const std::string& cell : split(line, line.find('\t') == std::string_view::npos ? ' ' : '\t')) {
    if (!trim(cell).empty()) cells.emplace_back(trim(cell));
  }
  return cells;
}

}  // namespace

std::optional<std::int64_t> number_of(std::string_view cell) {
  cell = trim(cell);
  if (!cell.empty() && (cell[0] == '%' || cell[0] == '#' || cell[0] == '&' || cell[0] == '@')) cell.remove_prefix(1);
  while (!cell.empty() && cell.back() >= 'A' && cell.back() <= 'Z') cell.remove_suffix(1);
  return parse_int(cell);
}

bool Nodes::read_parameter(std::string_view line) {
  const std::vector<std::string> cells = cells_before_lists(line);
  if (cells.size() < 2 || !cells[0].starts_with('%') || !cells[0].ends_with('P')) return false;
  const auto number = number_of(cells[0]);
  const auto size = number_of(cells[1]);
  if (!number || !size || *size < 0) return false;
  parameters_.push_back({*number, *size, cells.size() > 2 ? cells[2] : std::string()});
  return true;
}

bool Nodes::read_node(std::string_view line) {
  if (!line.starts_with('$')) return false;
  const std::vector<std::string> cells = cells_before_lists(line);
  Node node;
  node.name = cells.size() > 1 ? cells[1] : cells[0];
  node.type = node.name.substr(node.name.find_last_of('/') + 1);
  node.type = node.type.substr(0, node.type.find("-op"));
  const std::string_view in = list_named(line, "inputs");
  node.in = numbers_of(in, "T");
  node.parameters = numbers_of(in, "P");
  node.out = numbers_of(list_named(line, "outputs"), "T");
  node.workspace = numbers_of(list_named(line, "workspace"), "T");
  node.waits_for = numbers_of(list_named(line, "ctrl_inputs"), "CT");
  node.tells = numbers_of(list_named(line, "ctrl_outputs"), "CT");
  const auto stream = number_of(list_named(line, "streamID"));
  if (stream && *stream >= 0 && *stream <= 0xFFFF) node.stream = static_cast<std::uint32_t>(*stream);
  nodes_.push_back(std::move(node));
  return true;
}

bool Nodes::read_stream_group(std::string_view line) {
  constexpr std::string_view kStream = "stm";
  std::vector<std::uint32_t> streams;
  for (const std::string& word : split(line, ' ')) {
    if (!std::string_view(word).starts_with(kStream)) continue;
    const auto stream = parse_int(std::string_view(word).substr(kStream.size()));
    if (stream && *stream >= 0 && *stream <= 0xFFFF) streams.push_back(static_cast<std::uint32_t>(*stream));
  }
  if (streams.empty()) return false;
  stream_groups_.push_back(std::move(streams));
  return true;
}

/// Events from each stream of a group to the next one.
void Nodes::hand_on(GraphFile& file) const {
  struct Ends {
    OpIndex first = kNoOp;
    OpIndex last = kNoOp;
  };
  std::map<std::uint32_t, Ends> of_stream;
  for (OpIndex n = 0; n < nodes_.size(); ++n) {
    Ends& ends = of_stream[nodes_[n].stream];
    if (ends.first == kNoOp) ends.first = n;
    ends.last = n;
  }
  std::size_t at_once = 0;
  for (const std::vector<std::uint32_t>& group : stream_groups_) {
    OpIndex before = kNoOp;
    for (const std::uint32_t stream : group) {
      const auto found = of_stream.find(stream);
      if (found == of_stream.end()) continue;
      const Ends& ends = found->second;
      if (before != kNoOp && before < ends.first) file.graph.events.push_back({before, ends.first});
      if (before != kNoOp && before >= ends.first) ++at_once;
      before = ends.last;
    }
  }
  if (at_once > 0) {
    file.notes.push_back(fmt::format(
        "{} streams of a group begin before the one in front of them has ended: nothing is handed on to those",
        at_once));
  }
}

GraphFile Nodes::graph(const std::vector<Row>& rows, const std::vector<std::vector<std::int64_t>>& groups) const {
  GraphFile file;
  GraphInput& graph = file.graph;
  std::map<std::int64_t, TensorIndex> tensors, parameters;
  for (const Row& row : rows) {
    Tensor tensor;
    tensor.id = fmt::format("{}", row.index);
    tensor.bytes = row.size;
    const TensorIndex index = graph.add(std::move(tensor));
    if (!tensors.emplace(row.index, index).second) graph.tensors[index].id += fmt::format(" (line {})", row.line);
  }
  for (const Parameter& parameter : parameters_) {
    Tensor tensor;
    tensor.id = fmt::format("P{}", parameter.number);
    tensor.bytes = parameter.size;
    tensor.kind = TensorKind::kWeight;
    tensor.source = printable_utf8(parameter.name);
    if (parameters.count(parameter.number) == 0) parameters.emplace(parameter.number, graph.add(std::move(tensor)));
  }

  std::size_t unknown = 0;
  std::vector<bool> made(graph.tensors.size(), false), read(graph.tensors.size(), false);
  const auto add_all = [&](const std::vector<std::int64_t>& numbers, const std::map<std::int64_t, TensorIndex>& known,
                           std::vector<TensorIndex>& to, bool output) {
    for (const std::int64_t number : numbers) {
      const auto found = known.find(number);
      if (found == known.end() || (output && made[found->second])) {
        ++unknown;
        continue;
      }
      (output ? made : read)[found->second] = true;
      to.push_back(found->second);
    }
  };
  std::map<std::int64_t, OpIndex> told_by;
  std::set<std::string> names;
  for (const Node& node : nodes_) {
    Op op;
    op.id = printable_utf8(node.name);
    for (int copy = 2; !names.insert(op.id).second; ++copy) op.id = fmt::format("{} ({})", node.name, copy);
    op.type = printable_utf8(node.type);
    op.stream = node.stream;
    add_all(node.in, tensors, op.in, false);
    add_all(node.parameters, parameters, op.in, false);
    add_all(node.out, tensors, op.out, true);
    const std::size_t outputs = op.out.size();
    add_all(node.workspace, tensors, op.out, true);
    for (std::size_t k = outputs; k < op.out.size(); ++k) graph.tensors[op.out[k]].kind = TensorKind::kWorkspace;
    const OpIndex number = graph.add(std::move(op));
    for (const std::int64_t control : node.tells) told_by.emplace(control, number);
  }
  for (OpIndex n = 0; n < nodes_.size(); ++n) {
    for (const std::int64_t control : nodes_[n].waits_for) {
      const auto found = told_by.find(control);
      if (found != told_by.end() && found->second != n) graph.events.push_back({found->second, n});
    }
  }
  hand_on(file);
  for (TensorIndex t = 0; t < rows.size(); ++t) {
    const bool workspace = graph.tensors[t].kind == TensorKind::kWorkspace;
    if (made[t] && !read[t] && !workspace) graph.outputs.push_back(t);
  }
  for (const auto& group : groups) {
    TensorGroup together;
    for (const std::int64_t number : group) {
      if (const auto found = tensors.find(number); found != tensors.end()) together.members.push_back(found->second);
    }
    if (together.members.size() > 1) graph.groups.push_back(std::move(together));
  }
  if (unknown > 0) file.notes.push_back(fmt::format("{} tensors of nodes are not listed, or made twice", unknown));
  return file;
}

}  // namespace stowage::somas
