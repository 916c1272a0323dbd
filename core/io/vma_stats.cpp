#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/value_tree.h"

// The JSON statistics of the Vulkan and D3D12 Memory Allocators (vmaBuildStatsString, BuildStatsString): blocks with
// what lies in them at one instant. Each block is a space, each dedicated allocation one of its own. Offsets are taken
// from the file, since what aliases cannot be found by adding sizes up.
// Dumps of before VMA 3 have custom pools as "Pools" by their number and dedicated allocations at the root; those of
// older D3D12MA call them committed.
// (GPUOpen-LibrariesAndSDKs/VulkanMemoryAllocator, vk_mem_alloc.h.)

namespace stowage {
namespace {

using Value = ValueTree::Value;

struct Counts {
  std::int64_t blocks = 0, items = 0, free = 0;
};

class Reader {
 public:
  Reader(const std::string& name, ValueTree& tree)
      : tree_(tree), dump_(name, [this](std::uint64_t at) {
          return fmt::format("{}: {}: ", dump_.name(), at < places_.size() ? places_[at] : std::string("$"));
        }) {}

  Result<Document> run(Value root) {
    Counts counts;
    read_pools("DefaultPools", tree_.find(root, ValueTree::Key("DefaultPools")), counts);
    tell("default pools", counts);
    counts = {};
    read_pools("CustomPools", tree_.find(root, ValueTree::Key("CustomPools")), counts);
    read_pools("Pools", tree_.find(root, ValueTree::Key("Pools")), counts);
    tell("custom pools", counts);
    counts = {};
    tree_.for_each_pair(root, [&](std::string_view key, Value value) { read_other(key, value, counts); });
    tell("outside the pools", counts);
    if (dump_.size() > 4 && equal_ * 10 >= 9 * dump_.size()) {
      dump_.note("nearly every offset equals its size: old dumps of D3D12MA had the two swapped");
    }
    compare_total(tree_.find(root, ValueTree::Key("Total")));
    dump_.input.time_unit = "instant";
    return dump_.finish("vma-stats", "half-open");
  }

 private:
  void tell(std::string_view which, const Counts& counts) {
    if (counts.blocks + counts.items == 0) return;
    dump_.note(fmt::format("{}: {} blocks, {} suballocations and dedicated allocations, {} of them free", which,
                           counts.blocks, counts.items, counts.free));
  }

  /// What stands at the root besides the pools. Only sums may be passed over in silence.
  void read_other(std::string_view key, Value value, Counts& counts) {
    if (key == "DefaultPools" || key == "CustomPools" || key == "Pools") return;
    if (key == "DedicatedAllocations" || key == "CommittedAllocations") {
      return tree_.for_each_pair(value, [&](std::string_view type, Value list) {
        read_dedicated(fmt::format("{}.{}", key, shown(type)), std::string(type), list, counts);
      });
    }
    for (const std::string_view sums : {"General", "Total", "MemoryInfo", "Heap ", "Budget"}) {
      if (key.starts_with(sums)) return;
    }
    const bool sums = tree_.find(value, blocks_).kind() == ValueTree::Kind::kInteger;  // how many, not which
    const bool holds = value.kind() == ValueTree::Kind::kDict || value.kind() == ValueTree::Kind::kList;
    if (holds && !sums) dump_.note(fmt::format("\"{}\" is not read: nothing is known of it", shown(key)));
  }

  /// Types of memory, each with one pool or a list of them.
  void read_pools(const std::string& where, Value types, Counts& counts) {
    tree_.for_each_pair(types, [&](std::string_view type, Value pools) {
      if (pools.kind() == ValueTree::Kind::kDict) {
        const std::string name = text(pools, name_);
        const std::string pool =
            where == "Pools" ? fmt::format("pool {}", name.empty() ? type : name) : std::string(type);
        return read_pool(fmt::format("{}.{}", where, shown(type)), pool, pools, counts);
      }
      std::size_t number = 0;
      tree_.for_each(pools, [&](Value pool) {
        const std::string name = text(pool, name_);
        read_pool(fmt::format("{}.{}[{}]", where, shown(type), number),
                  fmt::format("{}, pool {}", type, name.empty() ? std::to_string(number) : name), pool, counts);
        ++number;
        return true;
      });
    });
  }

  void read_pool(const std::string& where, const std::string& pool, Value value, Counts& counts) {
    tree_.for_each_pair(tree_.find(value, blocks_), [&](std::string_view id, Value block) {
      ++counts.blocks;
      const auto space = dump_.space(fmt::format("{}, block {}", pool, id));
      read_items(fmt::format("{}.Blocks.{}.Suballocations", where, shown(id)), tree_.find(block, suballocations_),
                 space, tree_.to_int64(tree_.find(block, total_bytes_)).value_or(kMaxInt64), counts);
    });
    read_dedicated(where + ".DedicatedAllocations", pool, tree_.find(value, dedicated_), counts);
    read_dedicated(where + ".CommittedAllocations", pool, tree_.find(value, committed_), counts);
  }

  void read_dedicated(const std::string& where, const std::string& pool, Value list, Counts& counts) {
    std::size_t number = 0;
    tree_.for_each(list, [&](Value item) {
      const auto space = dump_.space(fmt::format("{}, dedicated {}", pool, number));
      ++counts.items;
      read_item(fmt::format("{}[{}]", where, number), item, space, 0, kMaxInt64);
      ++number;
      return true;
    });
  }

  void read_items(const std::string& where, Value list, std::optional<std::uint16_t> space, std::int64_t block,
                  Counts& counts) {
    std::size_t number = 0;
    tree_.for_each(list, [&](Value item) {
      ++counts.items;
      if (text(item, type_) == "FREE") {
        ++counts.free;
      } else {
        const auto offset = tree_.to_int64(tree_.find(item, offset_));
        read_item(fmt::format("{}[{}]", where, number), item, space, offset.value_or(-1), block);
      }
      ++number;
      return true;
    });
  }

  void read_item(const std::string& where, Value item, std::optional<std::uint16_t> space, std::int64_t offset,
                 std::int64_t block) {
    const std::uint64_t at = places_.size();
    places_.push_back(where);
    const auto size = tree_.to_int64(tree_.find(item, size_));
    if (!space || !size || *size < 0 || offset < 0)
      return dump_.leave_out(at, "not an allocation with an Offset and a Size");
    if (*size > block - std::min(block, offset)) {
      dump_.note_at(at, fmt::format("ends outside its block of {} bytes", block));
    }
    if (offset == *size) ++equal_;
    Buffer buffer;
    buffer.end = 1;
    buffer.size = *size;
    buffer.space = *space;
    buffer.kind = dump_.kind(text(item, type_));
    std::string name = text(item, name_);
    if (name.empty()) name = fmt::format("{} {}", text(item, type_), dump_.size());
    Details details;
    details.source = text(item, custom_data_);
    if (details.source.empty()) details.source = text(item, user_data_);
    if (const auto usage = tree_.to_int64(tree_.find(item, usage_))) {
      json::ObjectWriter writer(details.extra);
      writer.integer("Usage", *usage);
      writer.close();
    }
    dump_.add(name, buffer, offset, at, std::move(details));
  }

  std::string text(Value item, const ValueTree::Key& key) const {
    return std::string(tree_.to_text(tree_.find(item, key)));
  }

  void compare_total(Value total) {
    const auto newer = tree_.to_int64(tree_.find(total, ValueTree::Key("AllocationBytes")));
    const auto said = newer ? newer : tree_.to_int64(tree_.find(total, ValueTree::Key("UsedBytes")));
    Int128 sum = 0;
    for (const Buffer& buffer : dump_.input.buffers) sum += buffer.size;
    if (said && sum != *said) {
      dump_.note(fmt::format("Total.{} is {}, the allocations listed add up to {}",
                             newer ? "AllocationBytes" : "UsedBytes", *said,
                             sum <= kMaxInt64 ? std::to_string(static_cast<std::int64_t>(sum)) : "more than 2^63-1"));
    }
  }

  ValueTree& tree_;
  Dump dump_;
  std::vector<std::string> places_;
  std::size_t equal_ = 0;
  ValueTree::Key blocks_{"Blocks"}, suballocations_{"Suballocations"}, dedicated_{"DedicatedAllocations"},
      committed_{"CommittedAllocations"}, user_data_{"UserData"}, type_{"Type"}, size_{"Size"}, offset_{"Offset"},
      name_{"Name"}, custom_data_{"CustomData"}, usage_{"Usage"}, total_bytes_{"TotalBytes"};
};

bool sniff_json(const json::Outline& outline) {
  return outline.has("DefaultPools") || outline.has("CustomPools") ||
         (outline.has("Total") && (outline.has("General") || outline.has("MemoryInfo") || outline.has("Pools") ||
                                   outline.has("DedicatedAllocations")));
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  return Reader(name, tree).run(*root);
}

}  // namespace

Format vma_stats_format() {
  Format format;
  format.id = "vma-stats";
  format.title = "VMA and D3D12MA statistics";
  format.extension = ".json";
  format.summary = "detailed JSON of the Vulkan and D3D12 Memory Allocators: blocks at one instant";
  format.sniff_json = sniff_json;
  format.read = read;
  return format;
}

}  // namespace stowage
