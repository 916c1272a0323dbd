#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/address_timeline.h"
#include "core/io/code_origins.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/pickle.h"
#include "core/io/value_tree.h"

// What torch.cuda.memory._dump_snapshot writes: segments (memory from the driver, cut into blocks) and for each device
// a trace of alloc, free_requested, free_completed and others. Time is the position in the trace of the device (or what
// the event says, when asked for), so a buffer lives [event that gives it, event that takes it back). Sizes are those
// asked for; the caching allocator rounds them up to 512 bytes, which is what the alignment says where all addresses
// have it.
// (pytorch/pytorch, torch/cuda/_memory_viz.py and c10/cuda/CUDACachingAllocator.cpp.)

namespace stowage {

Format torch_snapshot_format();

namespace {

using Kind = ValueTree::Kind;
using Value = ValueTree::Value;

constexpr std::int64_t kRounding = 512;  // kMinBlockSize of the caching allocator

struct Segment {
  std::uint64_t address = 0;
  std::uint64_t end = 0;
  std::int64_t device = 0;
  Value blocks;
};

struct Keys {
  std::vector<std::string_view> names() const {
    return {"segments", "device_traces", "device", "address",        "total_size", "blocks",
            "size",     "state",         "frames", "action",         "addr",       "category",
            "filename", "line",          "name",   "requested_size", "history",    "real_size"};
  }
  ValueTree::Key segments{"segments"}, traces{"device_traces"}, device{"device"}, address{"address"},
      total{"total_size"}, blocks{"blocks"}, size{"size"}, state{"state"}, frames{"frames"}, action{"action"},
      addr{"addr"}, category{"category"}, requested{"requested_size"}, history{"history"}, real_size{"real_size"},
      time{"time_us"};
};

class Reader {
 public:
  Reader(const std::string& name, const ReadOptions& options, ValueTree& tree)
      : tree_(tree), origins_(tree), dump_(name, [name](std::uint64_t at) {
          return fmt::format("{}: $.device_traces[{}][{}]: ", name, at >> 40U, at & ((std::uint64_t{1} << 40U) - 1));
        }) {
    const Format format = torch_snapshot_format();
    device_ = format.choice(options, "device");
    by_segment_ = format.choice(options, "spaces") == "segments";
    rounded_ = format.choice(options, "sizes") == "rounded";
    with_older_ = format.choice(options, "older") == "on";
    in_microseconds_ = format.choice(options, "time") == "us";
    times_ = options.times;
    release_ = options.release;
    std::vector<std::string_view> names = keys_.names();
    if (in_microseconds_) names.push_back("time_us");
    tree_.keep_only(names);
    tree_.keep_of_lists([this](std::span<const Value> items) { return origins_.without_other_frames(items); });
  }

  Result<Document> run(Value root) {
    const Value traces = tree_.find(root, keys_.traces);
    const Value segments = root.kind() == Kind::kList ? root : tree_.find(root, keys_.segments);
    if (traces.kind() != Kind::kList && !is_list_of_dicts(segments)) {
      return input_error(dump_.name() +
                         ": this holds plain data, but no memory snapshot of PyTorch: there is neither a list "
                         "\"segments\" nor \"device_traces\"");
    }
    read_segments(segments);
    std::int64_t devices = 0;
    tree_.for_each(traces, [&](Value) { return ++devices > 0; });
    for (const Segment& segment : segments_) devices = std::max(devices, segment.device + 1);
    if (devices > kMostDevices) return input_error(dump_.name() + ": more than 4,096 devices");
    if (in_microseconds_) find_first_time(traces);
    std::int64_t device = 0;
    tree_.for_each(traces, [&](Value trace) {
      read_device(device++, trace);
      return true;
    });
    for (; device < devices; ++device) read_device(device, ValueTree::null());
    tree_ = ValueTree();
    if (release_) release_();
    add_all();
    if (!device_.empty() && device_ != "all" && !shown_) {
      return usage_error(fmt::format("{}: there is no device {} in it; it has {}", dump_.name(), device_, devices));
    }
    dump_.input.time_unit = in_microseconds_ ? "us" : "event";
    return dump_.finish("torch-snapshot", rule_name(times_, TimeRule::kHalfOpen));
  }

 private:
  static constexpr std::int64_t kMostDevices = 4096;

  bool is_list_of_dicts(Value list) const {
    bool all = list.kind() == Kind::kList;
    tree_.for_each(list, [&](Value item) { return all = all && item.kind() == Kind::kDict; });
    return all;
  }

  void read_segments(Value list) {
    std::size_t number = 0;
    tree_.for_each(list, [&](Value item) {
      Segment segment;
      const auto address = address_in(tree_.find(item, keys_.address));
      const auto total = tree_.quoted_int64(tree_.find(item, keys_.total));
      if (!address || !total || *total < 0) {
        dump_.note(fmt::format("$.segments[{}]: not a segment with address and total_size (left out)", number));
      } else {
        segment.address = *address;
        segment.end = *address + static_cast<std::uint64_t>(*total);
        segment.device = std::max<std::int64_t>(tree_.quoted_int64(tree_.find(item, keys_.device)).value_or(0), 0);
        segment.blocks = tree_.find(item, keys_.blocks);
        if (segment.device < kMostDevices) segments_.push_back(segment);
      }
      ++number;
      return true;
    });
    std::sort(segments_.begin(), segments_.end(),
              [](const Segment& a, const Segment& b) { return a.address < b.address; });
  }

  /// Times are shown from the first one of all devices on.
  void find_first_time(Value traces) {
    std::optional<std::int64_t> first;
    tree_.for_each(traces, [&](Value trace) {
      tree_.for_each(trace, [&](Value event) {
        const auto time = tree_.quoted_int64(tree_.find(event, keys_.time));
        if (time && (!first || *time < *first)) first = time;
        return true;
      });
      return true;
    });
    if (!first) dump_.note("the events have no time_us: times are positions in the trace");
    in_microseconds_ = first.has_value();
    first_time_ = first.value_or(0);
  }

  /// The time of an event, or its position; what was there before the trace and stays behind it is one step further.
  std::int64_t time_of(std::int64_t event) const {
    if (!in_microseconds_ || clock_.empty()) return event;
    if (event < 0) return clock_.front() - 1;
    const auto at = static_cast<std::size_t>(event);
    return at < clock_.size() ? clock_[at] : clock_.back() + 1;
  }

  /// No event is earlier than the one before it.
  void read_clock(Value event) {
    const std::int64_t before = clock_.empty() ? 0 : clock_.back();
    const auto time = tree_.quoted_int64(tree_.find(event, keys_.time));
    const auto since = time ? checked_sub(*time, first_time_) : std::nullopt;
    clock_.push_back(std::min(std::max(since.value_or(before), before), kMaxInt64 / 2));
  }

  void read_device(std::int64_t device, Value trace) {
    if (!device_.empty() && device_ != "all" && std::to_string(device) != device_) return;
    shown_ = true;
    AddressTimeline timeline(
        [&](std::int64_t event, const std::string& text) { dump_.note_at(at(device, event), text); });
    std::int64_t event = 0;
    clock_.clear();
    tree_.for_each(trace, [&](Value item) {
      if (in_microseconds_) read_clock(item);
      read_event(timeline, device, event++, item);
      return true;
    });
    read_blocks(timeline, device, event > 0);
    Uses uses;
    uses.device = device;
    uses.blocks = timeline.finish(event);
    uses.clock = std::move(clock_);
    uses_.push_back(std::move(uses));
  }

  static std::uint64_t at(std::int64_t device, std::int64_t event) {
    return static_cast<std::uint64_t>(device) << 40U | static_cast<std::uint64_t>(std::max<std::int64_t>(event, 0));
  }

  void read_event(AddressTimeline& timeline, std::int64_t device, std::int64_t event, Value item) {
    const std::string_view action = tree_.to_text(tree_.find(item, keys_.action));
    const bool gives = action == "alloc";
    const bool asks = action == "free_requested";
    const bool takes = action == "free_completed" || action == "free";
    if (!gives && !asks && !takes) {
      if (action.empty()) dump_.leave_out(at(device, event), "not an event with an action");
      return;  // segments, snapshots and failures move no block
    }
    const auto address = address_in(tree_.find(item, keys_.addr));
    const auto size = tree_.quoted_int64(tree_.find(item, keys_.size));
    if (!address || ((gives || takes) && (!size || *size < 0))) {
      return dump_.leave_out(at(device, event), fmt::format("{} without an address and a size", action));
    }
    if (gives) {
      AddressUse use;
      use.address = *address;
      use.size = *size;
      use.source = origins_.of(tree_.find(item, keys_.frames));
      use.kind = dump_.kind(tree_.to_text(tree_.find(item, keys_.category)));
      timeline.alloc(event, use);
    } else if (asks) {
      timeline.free_requested(event, *address);
    } else {
      timeline.free_completed(event, *address, *size);
    }
  }

  /// Blocks that are in use at the end though the trace never says so: they were there before it began.
  void read_blocks(AddressTimeline& timeline, std::int64_t device, bool traced) {
    std::int64_t older = 0;
    Int128 bytes = 0;
    for (const Segment& segment : segments_) {
      if (segment.device != device) continue;
      std::uint64_t next = segment.address;
      tree_.for_each(segment.blocks, [&](Value item) {
        const std::uint64_t address = address_in(tree_.find(item, keys_.address)).value_or(next);
        const auto size = tree_.quoted_int64(tree_.find(item, keys_.size));
        if (!size || *size < 0) {
          dump_.note(fmt::format("a block of the segment at 0x{:x} has no size (left out)", segment.address));
          return false;
        }
        next = address + static_cast<std::uint64_t>(*size);
        const std::string_view state = tree_.to_text(tree_.find(item, keys_.state));
        if (!state.starts_with("active") || timeline.knows(address)) return true;
        const std::int64_t asked = requested(item).value_or(*size);
        if (traced && !with_older_) {
          ++older;
          bytes += asked;
          return true;
        }
        AddressUse use;
        use.address = address;
        use.size = asked;
        use.source = origins_.of(frames_of(item));
        if (!timeline.still_there(use)) {
          dump_.note(fmt::format("the block at 0x{:x} is in use, but the trace says otherwise (left out)", address));
        }
        return true;
      });
    }
    if (older > 0) {
      dump_.note(fmt::format(
          "device {}: {} blocks with {} are in use and older than the trace, which never names them; they are not "
          "shown, --choose older=on shows them",
          device, older, bytes <= kMaxInt64 ? format_bytes(static_cast<std::int64_t>(bytes)) : "more than 2^63 bytes"));
    }
  }

  /// Newer snapshots say what was asked for; older ones keep it in the history of the block.
  std::optional<std::int64_t> requested(Value block) const {
    auto asked = tree_.quoted_int64(tree_.find(block, keys_.requested));
    if (!asked) asked = tree_.quoted_int64(tree_.find(first(tree_.find(block, keys_.history)), keys_.real_size));
    return asked && *asked >= 0 ? asked : std::nullopt;
  }
  Value frames_of(Value block) const {
    const Value frames = tree_.find(block, keys_.frames);
    return frames.kind() == Kind::kList ? frames : tree_.find(first(tree_.find(block, keys_.history)), keys_.frames);
  }
  Value first(Value list) const {
    Value found;
    tree_.for_each(list, [&](Value item) {
      found = item;
      return false;
    });
    return found;
  }

  void add_all() {
    std::size_t count = 0;
    for (const Uses& uses : uses_) count += uses.blocks.size();
    dump_.reserve(count);
    for (Uses& uses : uses_) {
      clock_ = std::move(uses.clock);
      add(uses.device, std::exchange(uses.blocks, {}));
    }
  }

  void add(std::int64_t device, AddressUses blocks) {
    if (blocks.empty()) return;
    const bool round = std::all_of(blocks.begin(), blocks.end(),
                                   [](const AddressUse& block) { return block.address % kRounding == 0; });
    device_name_ = fmt::format("device {}", device);
    std::uint64_t lowest = blocks.front().address;
    for (const AddressUse& block : blocks) lowest = std::min(lowest, block.address);
    for (; !blocks.empty(); blocks.pop_front()) {  // what is taken over is there once
      const AddressUse& block = blocks.front();
      const auto place =
          by_segment_ ? place_in_segment(block.address, lowest) : place_in(device_name_, block.address, lowest);
      if (!place) {
        dump_.leave_out(at(device, block.start), fmt::format("0x{:x} is too far from the others", block.address));
        continue;
      }
      add(device, block, *place, round);
    }
  }

  struct SpaceOffset {
    std::uint16_t space = 0;
    std::int64_t offset = 0;
  };

  std::optional<SpaceOffset> place_in_segment(std::uint64_t address, std::uint64_t lowest) {
    auto after = std::upper_bound(segments_.begin(), segments_.end(), address,
                                  [](std::uint64_t a, const Segment& segment) { return a < segment.address; });
    const bool inside = after != segments_.begin() && (after - 1)->end > address;
    if (!inside) return place_in(device_name_ + ", segments that are gone", address, lowest);
    const std::uint64_t base = (after - 1)->address;
    return place_in(fmt::format("{}, segment 0x{:x}", device_name_, base), address, base);
  }

  std::optional<SpaceOffset> place_in(const std::string& space, std::uint64_t address, std::uint64_t base) {
    if (address - base > static_cast<std::uint64_t>(kMaxInt64)) return std::nullopt;
    if (space != last_space_.first) {  // mostly it is that of the buffer before
      const auto number = dump_.space(space);
      if (!number) return std::nullopt;
      dump_.set_base(*number, base);
      last_space_ = {space, *number};
    }
    return SpaceOffset{last_space_.second, static_cast<std::int64_t>(address - base)};
  }

  void add(std::int64_t device, const AddressUse& block, SpaceOffset place, bool round) {
    const auto end = half_open_end(time_of(block.end), times_);
    if (!end) return;
    Buffer buffer;
    buffer.start = time_of(block.start);
    buffer.end = *end;
    buffer.size = block.size;
    buffer.alignment = round ? kRounding : 1;
    buffer.space = place.space;
    buffer.kind = block.kind;
    const std::string id = fmt::format("b{:x}_{}", block.address, block.use);
    if (!(rounded_ && round) && block.waiting_since < 0) {
      buffer.details = common_details(block);
      return dump_.add(id, buffer, place.offset, at(device, block.start));
    }
    Details details = details_of(block);
    if (rounded_ && round) {
      details.requested = block.size;
      buffer.size = align_up(block.size, kRounding);
    }
    if (block.waiting_since >= 0) {
      json::ObjectWriter writer(details.extra);
      writer.integer("free_requested", time_of(block.waiting_since));
      writer.close();
    }
    dump_.add(id, buffer, place.offset, at(device, block.start), std::move(details));
  }

  /// What depends on where a block was asked for and whether its ends are known.
  Details details_of(const AddressUse& block) const {
    Details details;
    details.open_start = block.open_start;
    details.open_end = block.open_end;
    if (block.source > 0) {
      details.op = origins_[block.source].op;
      details.source = origins_[block.source].source;
    }
    return details;
  }

  /// details_of(), which are stored once for all blocks that have the same.
  std::uint32_t common_details(const AddressUse& block) {
    if (block.source == 0 && !block.open_start && !block.open_end) return Buffer::kNoDetails;
    const std::uint64_t key =
        std::uint64_t{block.source} << 2U | std::uint64_t{block.open_start} << 1U | std::uint64_t{block.open_end};
    const auto known = common_details_.find(key);
    if (known != common_details_.end()) return known->second;
    return common_details_[key] = dump_.store(details_of(block));
  }

  /// A number, or a text such as "0x7f00" that programs write for it.
  std::optional<std::uint64_t> address_in(Value value) const {
    std::string_view text = tree_.to_text(value);
    if (text.empty()) return tree_.to_uint64(value);
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t address = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, address, hexadecimal ? 16 : 10);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(address) : std::nullopt;
  }

  /// What one device did, until all is known.
  struct Uses {
    std::int64_t device = 0;
    AddressUses blocks;
    std::vector<std::int64_t> clock;
  };

  ValueTree& tree_;
  Keys keys_;
  CodeOrigins origins_;
  Dump dump_;
  std::string device_;  // "all", or a number
  bool by_segment_ = false;
  bool rounded_ = false;
  bool with_older_ = false;
  bool in_microseconds_ = false;
  std::int64_t first_time_ = 0;
  std::vector<std::int64_t> clock_;  // by event of the device that is being read, from the first time on
  bool shown_ = false;
  TimeRule times_ = TimeRule::kDefault;
  std::vector<Segment> segments_;  // by address
  std::vector<Uses> uses_;
  std::unordered_map<std::uint64_t, std::uint32_t> common_details_;  // by origin and open ends
  std::string device_name_;                                          // of the device that is being added
  std::pair<std::string, std::uint16_t> last_space_;
  std::function<void()> release_;
};

bool sniff(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 9;
}

bool sniff_json(const json::Outline& outline) {
  return outline.has("segments") || outline.has("device_traces") ||
         (outline.array && outline.has("total_size") && outline.has("blocks"));
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  Reader reader(name, options, tree);
  const bool text = json::looks_like_json(bytes);
  const auto root = text ? parse_json(bytes, name, tree, options.watch) : read_pickle(bytes, tree, options.watch);
  if (!root) return text ? tl::unexpected<Error>(root.error()) : input_error(name + ": " + root.error().message);
  return reader.run(*root);
}

}  // namespace

Format torch_snapshot_format() {
  Format format;
  format.id = "torch-snapshot";
  format.title = "PyTorch memory snapshot";
  format.extension = ".pickle";
  format.summary =
      "of torch.cuda.memory, as a pickle (read as data only) or as JSON: blocks over the events of a device";
  format.sniff = sniff;
  format.sniff_json = sniff_json;
  format.binary = true;
  format.read = read;
  format.choices = {
      {"device", "which device: all, or its number", "all", {}},
      {"spaces", "one address axis for each device, or for each segment", "devices", {"devices", "segments"}},
      {"sizes", "as asked for, or rounded up as the allocator does", "requested", {"requested", "rounded"}},
      {"time", "positions in the trace, or microseconds", "event", {"event", "us"}},
      {"older", "show blocks that the trace never names", "off", {"off", "on"}}};
  return format;
}

}  // namespace stowage
