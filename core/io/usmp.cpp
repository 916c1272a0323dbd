// The buffers of TVM's unified static memory planner. It writes no file; this is the JSON for those who print it:
//
//   {"pools": [{"name": "global", "size": 65536}],
//    "buffers": [{"name": "a", "size": 64, "align": 1, "conflicts": ["b", "d"], "pool": "global", "offset": 0}]}
//
// or the list of buffers alone. The names of TVM's own structures are taken as well: name_hint, size_bytes, alignment,
// pool_candidates, pool_name, byte_offset, size_hint_bytes (-1: no limit). Lifetimes are unknown, the lists of
// conflicts alone count. (apache/tvm, include/tvm/tir/usmp/utils.h.)

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json_text.h"
#include "core/io/value_tree.h"

namespace stowage {

Format usmp_format();

namespace {

using Value = ValueTree::Value;

class Reader {
 public:
  Reader(const std::string& name, const ValueTree& tree)
      : tree_(tree), dump_(name, [name](std::uint64_t at) { return fmt::format("{}: buffer [{}]: ", name, at); }) {}

  Result<Document> run(Value root) {
    read_pools(find(root, {"pools"}));
    std::uint64_t at = 0;
    const bool bare = root.kind() == ValueTree::Kind::kList;
    tree_.for_each(bare ? root : find(root, {"buffers"}), [&](Value buffer) {
      add(at++, buffer);
      return true;
    });
    if (at == 0) return input_error(dump_.name() + ": $.buffers: there are no buffers");
    add_conflicts();
    dump_.input.constraints.conflicts_only = true;
    dump_.note("there is no time in the file: the lists of conflicts say who may not share memory");
    auto document = dump_.finish("usmp", "half-open");
    if (!document || capacities_.empty()) return document;
    return limited(std::move(*document));
  }

 private:
  /// The first member of one of these names; null when there is none.
  Value find(Value object, std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const Value value = tree_.find(object, ValueTree::Key(name));
      if (value.kind() != ValueTree::Kind::kNull) return value;
    }
    return {};
  }

  /// A number, or one in quotes, as JSON of 64-bit numbers often has it.
  std::optional<std::int64_t> number(Value value) const { return tree_.quoted_int64(value); }

  void read_pools(Value pools) {
    tree_.for_each(pools, [&](Value pool) {
      const std::string_view name = tree_.to_text(find(pool, {"name", "pool_name"}));
      const auto size = number(find(pool, {"size", "size_hint_bytes"}));
      const auto space = dump_.space(name);
      if (space && size && *size >= 0) capacities_.insert_or_assign(std::string(name), *size);
      return space.has_value();
    });
  }

  void add(std::uint64_t at, Value value) {
    const std::string name(tree_.to_text(find(value, {"name", "name_hint"})));
    const auto size = number(find(value, {"size", "size_bytes"}));
    const auto alignment = number(find(value, {"align", "alignment"}));
    const Value offset_value = find(value, {"offset", "byte_offset"});
    const auto offset = number(offset_value);
    rows_.emplace_back(kNoBuffer, find(value, {"conflicts"}));
    if (name.empty()) return dump_.leave_out(at, "it has no name");
    if (!size || *size < 0) return dump_.leave_out(at, "its size is no number of bytes");
    if (alignment && *alignment < 1) return dump_.leave_out(at, "its alignment is below 1");
    if (offset_value.kind() != ValueTree::Kind::kNull && !offset) {
      return dump_.leave_out(at, "its offset is no integer");
    }
    std::vector<std::string> pools;
    tree_.for_each(find(value, {"pool_candidates"}), [&](Value pool) {
      const std::string_view own = tree_.to_text(pool);
      pools.emplace_back(own.empty() ? tree_.to_text(find(pool, {"name", "pool_name"})) : own);
      return true;
    });
    Details details;
    for (const std::string& pool : pools) {
      const auto space = dump_.space(pool);
      const auto& known = details.candidates;
      if (space && std::find(known.begin(), known.end(), *space) == known.end()) details.candidates.push_back(*space);
    }
    const std::string_view placed = tree_.to_text(find(value, {"pool", "pool_name"}));
    const auto space = dump_.space(!placed.empty() ? placed : pools.empty() ? "global" : std::string_view(pools[0]));
    if (!space) return dump_.leave_out(at, "too many pools");
    if (details.candidates.size() < 2) details.candidates.clear();  // no choice
    Buffer buffer;
    buffer.end = 1;
    buffer.size = *size;
    buffer.alignment = alignment.value_or(1);
    buffer.space = *space;
    const auto index = static_cast<BufferIndex>(dump_.size());
    if (!index_.emplace(name, index).second) {
      dump_.note_at(at, "there is another buffer \"" + shown(name) + "\"; conflicts with that name mean the first");
    }
    rows_.back().first = index;
    dump_.add(name, buffer, offset.value_or(kNoOffset), at, std::move(details));
  }

  void add_conflicts() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto& [buffer, conflicts] = rows_[row];
      if (buffer == kNoBuffer) continue;
      tree_.for_each(conflicts, [&, buffer = buffer](Value other) {
        const std::string name(tree_.to_text(other));
        const auto found = index_.find(name);
        if (found == index_.end()) {
          dump_.note_at(row, "a conflict with \"" + shown(name) + "\", which is not there, is left out");
        } else if (found->second != buffer) {
          dump_.input.constraints.conflicts.push_back({buffer, found->second});
        }
        return true;
      });
    }
  }

  Result<Document> limited(Document document) const {
    ProblemInput input = document.problem->input();
    for (Space& space : input.spaces) {
      const auto capacity = capacities_.find(space.id);
      if (capacity != capacities_.end()) space.capacity = capacity->second;
    }
    auto problem = make_problem(std::move(input));
    if (!problem) return input_error(fmt::format("{}: {}", dump_.name(), problem.error().front().message));
    document.problem = std::make_shared<const Problem>(std::move(*problem));
    return document;
  }

  const ValueTree& tree_;
  Dump dump_;
  std::vector<std::pair<BufferIndex, Value>> rows_;  // by element of the file: its buffer and its conflicts
  std::unordered_map<std::string, BufferIndex> index_;
  std::unordered_map<std::string, std::int64_t> capacities_;  // by pool
};

/// The outline shows the first buffer only, which need not be in conflict with any.
bool sniff_json(const json::Outline& outline) {
  constexpr std::string_view own[] = {"conflicts", "size_bytes", "pool_candidates", "pool", "pool_name", "byte_offset"};
  const auto has = [&](std::string_view key) {
    return outline.array ? outline.has(key) : outline.buffer_has(key);
  };
  return (outline.array || !outline.has("format")) && (has("name") || has("name_hint")) &&
         (!outline.array || has("size") || has("size_bytes")) && std::any_of(std::begin(own), std::end(own), has);
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  return Reader(name, tree).run(*root);
}

}  // namespace

Format usmp_format() {
  Format format;
  format.id = "usmp";
  format.title = "TVM USMP buffers";
  format.extension = ".json";
  format.summary = "buffers of TVM's static memory planner with their conflicts, pools and offsets";
  format.sniff_json = sniff_json;
  format.read = read;
  return format;
}

}  // namespace stowage
