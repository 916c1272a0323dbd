#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/value_tree.h"

// Problems of the ASPLOS contest on intra-operator parallelism: each node picks one strategy, whose usage is its size
// during a half-open interval; usage_limit is the capacity. Numbers may stand in quotes. (google/iopddl.)

namespace stowage {

Format iopddl_format();

namespace {

using Value = ValueTree::Value;

class Reader {
 public:
  Reader(const std::string& name, const ReadOptions& options, ValueTree& tree)
      : tree_(tree),
        options_(options),
        dump_(name, [name](std::uint64_t at) { return fmt::format("{}: $.problem.nodes[{}]: ", name, at); }),
        rule_(iopddl_format().choice(options, "strategy")) {}

  Result<Document> run(Value root) {
    const Value problem = tree_.find(root, ValueTree::Key("problem"));
    const Value nodes = tree_.find(problem, ValueTree::Key("nodes"));
    const std::vector<Value> intervals = items(tree_.find(nodes, ValueTree::Key("intervals")));
    const std::vector<Value> usages = items(tree_.find(nodes, ValueTree::Key("usages")));
    const std::vector<Value> costs = items(tree_.find(nodes, ValueTree::Key("costs")));
    if (nodes.kind() != ValueTree::Kind::kDict) return input_error(dump_.name() + ": $.problem.nodes: is missing");
    if (const auto error = read_choices(usages.size())) return usage_error(*error);
    if (intervals.size() != usages.size()) {
      dump_.note(fmt::format("{} intervals, but usages for {} nodes", intervals.size(), usages.size()));
    }
    for (std::size_t i = 0; i < std::min(intervals.size(), usages.size()); ++i) {
      add(i, items(intervals[i]), items(usages[i]), i < costs.size() ? items(costs[i]) : std::vector<Value>());
    }
    dump_.input.name = tree_.to_text(tree_.find(problem, ValueTree::Key("name")));
    const Value limit_value = tree_.find(problem, ValueTree::Key("usage_limit"));
    if (const auto limit = tree_.quoted_int64(limit_value); limit && *limit >= 0) {
      dump_.input.capacity = *limit;
    } else if (limit_value.kind() != ValueTree::Kind::kNull) {
      dump_.note("usage_limit is no number of bytes below 2^63; the problem has no capacity");
    }
    dump_.note("each node has the strategy \"" + rule_ + "\"; edges and their costs play no part here");
    return dump_.finish("iopddl", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  std::vector<Value> items(Value list) const {
    std::vector<Value> found;
    tree_.for_each(list, [&](Value item) {
      found.push_back(item);
      return true;
    });
    return found;
  }

  /// "0,2,1,...": one number a node.
  std::optional<std::string> read_choices(std::size_t nodes) {
    if (rule_ == "smallest" || rule_ == "largest") return std::nullopt;
    for (const std::string& word : split(rule_, ',')) {
      const auto number = parse_int(word);
      if (!number || *number < 0) {
        return fmt::format("strategy is smallest, largest or a number for each node, not '{}'", shown(rule_));
      }
      chosen_.push_back(*number);
    }
    if (chosen_.size() == nodes) return std::nullopt;
    return fmt::format("{} strategies for {} nodes", chosen_.size(), nodes);
  }

  void add(std::size_t node, const std::vector<Value>& interval, const std::vector<Value>& usages,
           const std::vector<Value>& costs) {
    const auto begin = interval.size() == 2 ? tree_.quoted_int64(interval[0]) : std::optional<std::int64_t>(0);
    const auto last = interval.size() == 2 ? tree_.quoted_int64(interval[1]) : std::optional<std::int64_t>(0);
    const auto end = last ? half_open_end(*last, options_.times) : std::nullopt;
    if (!begin || !end || (interval.size() != 2 && !interval.empty())) {
      return dump_.leave_out(node, "its interval is not two integers");
    }
    std::size_t best = usages.size();
    std::int64_t size = 0;
    for (std::size_t k = 0; k < usages.size(); ++k) {
      const auto usage = tree_.quoted_int64(usages[k]);
      if (!usage || *usage < 0) return dump_.leave_out(node, fmt::format("usage {} is no number of bytes", k));
      const bool takes = !chosen_.empty()        ? chosen_[node] == static_cast<std::int64_t>(k)
                         : best == usages.size() ? true
                         : rule_ == "largest"    ? *usage > size
                                                 : *usage < size;
      if (!takes) continue;
      best = k;
      size = *usage;
    }
    if (best == usages.size()) return dump_.leave_out(node, "it has no such strategy");
    Buffer buffer;
    buffer.start = *begin;
    buffer.end = std::max(*begin, *end);  // an interval may be empty
    buffer.size = size;
    Details details;
    json::ObjectWriter writer(details.extra);
    writer.integer("strategy", static_cast<std::int64_t>(best));
    if (best < costs.size()) {
      if (const auto cost = tree_.quoted_int64(costs[best])) writer.integer("cost", *cost);
    }
    writer.close();
    dump_.add(std::to_string(node), buffer, kNoOffset, node, std::move(details));
  }

  ValueTree& tree_;
  const ReadOptions& options_;
  Dump dump_;
  std::string rule_;
  std::vector<std::int64_t> chosen_;
};

bool sniff_json(const json::Outline& outline) {
  return outline.has("problem") && outline.problem_has("nodes") && !outline.has("format");
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  return Reader(name, options, tree).run(*root);
}

}  // namespace

Format iopddl_format() {
  Format format;
  format.id = "iopddl";
  format.title = "IOPDDL problem";
  format.extension = ".json";
  format.summary = "intervals and usages of sharding strategies, one chosen for each node";
  format.sniff_json = sniff_json;
  format.read = read;
  format.choices = {{"strategy", "smallest, largest, or one number a node: 0,2,1", "smallest", {}}};
  return format;
}

}  // namespace stowage
