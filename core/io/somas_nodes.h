#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/graph_file.h"

namespace stowage::somas {

/// "%12T" -> 12, "#64S" -> 64, "&0" -> 0, "7" -> 7: the digits between a sign and letters.
std::optional<std::int64_t> number_of(std::string_view cell);

/// A line of "All Tensors:".
struct Row {
  std::int64_t index = 0, size = 0, original = 0, offset = 0, start = 0, last = 0;
  bool whole = false;
  std::string type;
  std::string node;
  std::uint64_t line = 0;
};

/// The sections "All Parameters:", "All Nodes:" and "All Stream Groups:" of a dump, which hold the graph:
///
///   $3  conv  0  inputs[%0P, %1T, ]  outputs[%2T, ]  workspace[%3T, ]  ctrl_inputs[%0CT, ]  ctrl_outputs[]
///   streamID[@1]
///
///   stm0 stm1
///
/// Nodes run in the order of their lines; a control tensor makes its reader wait for its writer, and the first node of
/// a stream in a group waits for the last one of the stream before it.
class Nodes {
 public:
  /// False when the line is none of its section.
  bool read_parameter(std::string_view line);
  bool read_node(std::string_view line);
  bool read_stream_group(std::string_view line);
  bool empty() const { return nodes_.empty(); }

  /// The graph of the nodes with the tensors of the rows: tensor k of the graph is row k, parameters follow.
  /// `groups`: tensors that lie one behind the other, by number.
  GraphFile graph(const std::vector<Row>& rows, const std::vector<std::vector<std::int64_t>>& groups) const;

 private:
  struct Node {
    std::string name;
    std::string type;
    std::vector<std::int64_t> in, parameters, out, workspace, waits_for, tells;
    std::uint32_t stream = 0;
  };
  struct Parameter {
    std::int64_t number = 0;
    std::int64_t size = 0;
    std::string name;
  };

  void hand_on(GraphFile& file) const;

  std::vector<Node> nodes_;
  std::vector<Parameter> parameters_;
  std::vector<std::vector<std::uint32_t>> stream_groups_;
};

}  // namespace stowage::somas
