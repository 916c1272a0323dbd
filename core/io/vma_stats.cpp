#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/unpack.h"
#include "core/io/value_tree.h"

// The JSON statistics of the Vulkan and D3D12 Memory Allocators (vmaBuildStatsString, BuildStatsString): blocks with
// what lies in them at one instant. Each block is a space, each dedicated allocation one of its own. Offsets are taken
// from the file, since what aliases cannot be found by adding sizes up.
// Dumps of before VMA 3 have custom pools as "Pools" by their number and dedicated allocations at the root; those of
// older D3D12MA call them committed.
// Several dumps make a time axis of one step a dump: a list of them in one file, or files that follow the one that is
// opened. What has the same block, offset, size, type, name and data in two dumps, one after the other, is the same
// allocation; dedicated ones have no address and are the same when all else is.
// (GPUOpen-LibrariesAndSDKs/VulkanMemoryAllocator, vk_mem_alloc.h.)

namespace stowage {

Format vma_stats_format();

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

  /// Reads the next dump. `prefix` says which one it is, in messages.
  void read_dump(Value root, std::string prefix) {
    prefix_ = std::move(prefix);
    bytes_ = 0;
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
    compare_total(tree_.find(root, ValueTree::Key("Total")));
    before_ = std::move(now_);
    now_.clear();
    ++instant_;
  }

  Result<Document> finish() {
    if (dump_.size() > 4 && equal_ * 10 >= 9 * dump_.size()) {
      dump_.note("nearly every offset equals its size: old dumps of D3D12MA had the two swapped");
    }
    if (instant_ > 1) dump_.note(fmt::format("{} dumps, one step each", instant_));
    dump_.input.time_unit = instant_ > 1 ? "dump" : "instant";
    return dump_.finish("vma-stats", "half-open");
  }

 private:
  /// What is the same allocation in two dumps.
  struct Identity {
    std::string place;  // a block, or a pool with dedicated allocations
    std::int64_t offset = 0, size = 0;
    std::string type, name, data;
    auto operator<=>(const Identity&) const = default;
  };
  using Seen = std::map<Identity, std::deque<BufferIndex>>;

  void tell(std::string_view which, const Counts& counts) {
    if (counts.blocks + counts.items == 0) return;
    dump_.note(fmt::format("{}{}: {} blocks, {} suballocations and dedicated allocations, {} of them free", prefix_,
                           which, counts.blocks, counts.items, counts.free));
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
    if (holds && !sums) dump_.note(fmt::format("{}\"{}\" is not read: nothing is known of it", prefix_, shown(key)));
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
    const auto read_block = [&](std::string_view id, Value block) {
      ++counts.blocks;
      read_items(fmt::format("{}.Blocks.{}.Suballocations", where, shown(id)), tree_.find(block, suballocations_),
                 fmt::format("{}, block {}", pool, id),
                 tree_.quoted_int64(tree_.find(block, total_bytes_)).value_or(kMaxInt64), counts);
    };
    const Value blocks = tree_.find(value, blocks_);
    tree_.for_each_pair(blocks, read_block);
    std::size_t number = 0;
    tree_.for_each(blocks, [&](Value block) {  // of writers that give them no names
      read_block(std::to_string(number++), block);
      return true;
    });
    read_dedicated(where + ".DedicatedAllocations", pool, tree_.find(value, dedicated_), counts);
    read_dedicated(where + ".CommittedAllocations", pool, tree_.find(value, committed_), counts);
  }

  void read_dedicated(const std::string& where, const std::string& pool, Value list, Counts& counts) {
    std::size_t number = 0;
    tree_.for_each(list, [&](Value item) {
      ++counts.items;
      read_item(fmt::format("{}[{}]", where, number), item, pool, true, 0, kMaxInt64);
      ++number;
      return true;
    });
  }

  void read_items(const std::string& where, Value list, const std::string& space, std::int64_t block, Counts& counts) {
    std::size_t number = 0;
    tree_.for_each(list, [&](Value item) {
      ++counts.items;
      if (text(item, type_) == "FREE") {
        ++counts.free;
      } else {
        const auto offset = tree_.quoted_int64(tree_.find(item, offset_));
        read_item(fmt::format("{}[{}]", where, number), item, space, false, offset.value_or(-1), block);
      }
      ++number;
      return true;
    });
  }

  void read_item(const std::string& where, Value item, const std::string& place, bool dedicated, std::int64_t offset,
                 std::int64_t block) {
    const std::uint64_t at = places_.size();
    places_.push_back(prefix_ + where);
    const auto size = tree_.quoted_int64(tree_.find(item, size_));
    if (!size || *size < 0 || offset < 0) return dump_.leave_out(at, "not an allocation with an Offset and a Size");
    bytes_ += *size;
    std::string data = text(item, custom_data_);
    if (data.empty()) data = text(item, user_data_);
    const Identity identity{place, offset, *size, text(item, type_), text(item, name_), data};
    if (lives_on(identity)) return;
    const auto space =
        dump_.space(dedicated ? fmt::format("{}, dedicated {}", place, dedicated_seen_[place]++) : place);
    if (!space) return dump_.leave_out(at, "there are more than 65,535 spaces");
    if (*size > block - std::min(block, offset)) {
      dump_.note_at(at, fmt::format("ends outside its block of {} bytes", block));
    }
    if (offset == *size) ++equal_;
    Buffer buffer;
    buffer.start = instant_;
    buffer.end = instant_ + 1;
    buffer.size = *size;
    buffer.space = *space;
    buffer.kind = dump_.kind(identity.type);
    std::string name = identity.name;
    if (name.empty()) name = fmt::format("{} {}", identity.type, dump_.size());
    Details details;
    details.source = std::move(data);
    if (const auto usage = tree_.quoted_int64(tree_.find(item, usage_))) {
      json::ObjectWriter writer(details.extra);
      writer.integer("Usage", *usage);
      writer.close();
    }
    now_[identity].push_back(static_cast<BufferIndex>(dump_.size()));
    dump_.add(name, buffer, offset, at, std::move(details));
  }

  /// Whether the dump before has the same allocation, which then lives one step longer.
  bool lives_on(const Identity& identity) {
    const auto found = before_.find(identity);
    if (found == before_.end() || found->second.empty()) return false;
    const BufferIndex buffer = found->second.front();
    found->second.pop_front();
    dump_.input.buffers[buffer].end = instant_ + 1;
    now_[identity].push_back(buffer);
    return true;
  }

  std::string text(Value item, const ValueTree::Key& key) const {
    return std::string(tree_.to_text(tree_.find(item, key)));
  }

  void compare_total(Value total) {
    const auto newer = tree_.quoted_int64(tree_.find(total, ValueTree::Key("AllocationBytes")));
    const auto said = newer ? newer : tree_.quoted_int64(tree_.find(total, ValueTree::Key("UsedBytes")));
    if (said && bytes_ != *said) {
      dump_.note(fmt::format(
          "{}Total.{} is {}, the allocations listed add up to {}", prefix_, newer ? "AllocationBytes" : "UsedBytes",
          *said, bytes_ <= kMaxInt64 ? std::to_string(static_cast<std::int64_t>(bytes_)) : "more than 2^63-1"));
    }
  }

  ValueTree& tree_;
  Dump dump_;
  std::vector<std::string> places_;
  std::size_t equal_ = 0;
  std::string prefix_;
  std::int64_t instant_ = 0;
  Int128 bytes_ = 0;  // of the allocations of this dump
  Seen before_, now_;
  std::map<std::string, std::size_t> dedicated_seen_;  // how many there have been, by pool
  ValueTree::Key blocks_{"Blocks"}, suballocations_{"Suballocations"}, dedicated_{"DedicatedAllocations"},
      committed_{"CommittedAllocations"}, user_data_{"UserData"}, type_{"Type"}, size_{"Size"}, offset_{"Offset"},
      name_{"Name"}, custom_data_{"CustomData"}, usage_{"Usage"}, total_bytes_{"TotalBytes"};
};

bool sniff_json(const json::Outline& outline) {
  return outline.has("DefaultPools") || outline.has("CustomPools") ||
         (outline.has("Total") && (outline.has("General") || outline.has("MemoryInfo") || outline.has("Pools") ||
                                   outline.has("DedicatedAllocations")));
}

/// "dump_009.json" -> "dump_010.json": the last number of a name, one higher and as wide. Nothing without a number.
std::optional<std::string> next_name(std::string name) {
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return std::nullopt;
  for (std::size_t at = last;; --at) {
    if (name[at] < '9') {
      ++name[at];
      return name;
    }
    name[at] = '0';
    if (at == 0 || name[at - 1] < '0' || name[at - 1] > '9') return name.insert(at, "1");
  }
}

/// The dumps that follow the first one, out of its folder.
class Followers {
 public:
  Followers(const std::string& name, const std::string& choice, const ReadOptions& options)
      : options_(options), numbered_(choice == "numbered"), last_(name.substr(name.find_last_of('/') + 1)) {
    if (!numbered_ && choice != "off") names_ = split(choice, ',');
  }

  /// The name of the next one; nothing behind the last.
  std::optional<std::string> next() {
    std::optional<std::string> name;
    if (numbered_ && count_ < kMostDumps) {
      name = next_name(last_);
    } else if (count_ < names_.size()) {
      name = std::string(trim(names_[count_]));
    }
    ++count_;
    if (!name || !options_.beside) return std::nullopt;
    auto bytes = options_.beside(*name);
    if (!bytes && numbered_) return std::nullopt;
    last_ = *name;
    bytes_ = std::move(bytes);
    return name;
  }
  /// The bytes of the one that next() named; nothing when there is no such file.
  std::optional<std::string>& bytes() { return bytes_; }

 private:
  static constexpr std::size_t kMostDumps = 10'000;
  const ReadOptions& options_;
  bool numbered_;
  std::string last_;
  std::vector<std::string> names_;
  std::size_t count_ = 0;
  std::optional<std::string> bytes_;
};

/// Reads what follows; an error names the dump that could not be read.
Result<void> read_followers(Followers followers, ValueTree& tree, std::deque<std::string>& texts, Reader& reader,
                            const std::string& name, const ReadOptions& options) {
  const std::string folder = name.substr(0, name.find_last_of('/') + 1);
  while (const auto next = followers.next()) {
    const std::string path = folder + *next;
    if (!followers.bytes()) return input_error(fmt::format("{}: there is no such file beside {}", path, name));
    auto inside = unpack(*followers.bytes(), path, options.watch);
    if (!inside) return tl::unexpected<Error>(inside.error());
    texts.push_back(std::move(*inside ? **inside : *followers.bytes()));
    const auto root = parse_json(texts.back(), path, tree, options.watch);
    if (!root) return tl::unexpected<Error>(root.error());
    reader.read_dump(*root, fmt::format("{}: ", *next));
  }
  return {};
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  std::deque<std::string> texts;  // the tree has views of them
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  Reader reader(name, tree);
  if (root->kind() == ValueTree::Kind::kList) {
    std::size_t number = 0;
    tree.for_each(*root, [&](Value dump) {
      reader.read_dump(dump, fmt::format("[{}]: ", number++));
      return true;
    });
  } else {
    reader.read_dump(*root, "");
  }
  const std::string choice = vma_stats_format().choice(options, "sequence");
  const auto followed = read_followers(Followers(name, choice, options), tree, texts, reader, name, options);
  if (!followed) return tl::unexpected<Error>(followed.error());
  return reader.finish();
}

}  // namespace

Format vma_stats_format() {
  Format format;
  format.id = "vma-stats";
  format.title = "VMA and D3D12MA statistics";
  format.extension = ".json";
  format.summary =
      "detailed JSON of the Vulkan and D3D12 Memory Allocators: blocks at one instant, or over several dumps";
  format.sniff_json = sniff_json;
  format.read = read;
  format.choices = {{"sequence",
                     "the dumps that follow this one in its folder, a step each: off, numbered (the number in the name "
                     "counts up), or "
                     "names with commas between them",
                     "off",
                     {}}};
  return format;
}

}  // namespace stowage
