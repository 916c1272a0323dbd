#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/sharing.h"
#include "core/io/value_tree.h"
#include "core/io/xla_proto_fields.h"

// An HloProto printed as JSON (as XProf's memory viewer keeps it), and XProf's own blocks. 64-bit numbers are strings,
// and what is zero may be missing. Time is the position in the heap simulator's trace; a buffer that shares another's
// bytes is tied to it. Each colour is a memory space; its allocations lie one above the other there.
// (openxla/xla, hlo.proto; openxla/xprof, memory_viewer_preprocess.proto.)

namespace stowage {

Format xla_hlo_proto_format();

namespace {

using Value = ValueTree::Value;
using xla::describe_place;
using xla::place_in;
using xla::ProtoKey;
using xla::Within;

struct Logical {
  std::string name;
  std::int64_t size = 0;
  std::int64_t color = 0;
  std::uint64_t at = 0;
};
struct Instruction {
  std::string_view name;
  std::string_view op;
  std::string source;
};
struct Piece {
  std::int64_t buffer = 0;
  std::int64_t offset = 0;  // from the beginning of its memory space
  std::int64_t size = 0;
  std::uint16_t space = 0;
  std::string_view kind;
  std::uint64_t at = 0;
};
struct Life {
  std::int64_t start = 0;
  std::int64_t end = -1;  // open
  std::int64_t shares = -1;
};

class Reader {
 public:
  Reader(const std::string& name, const ReadOptions& options, ValueTree& tree)
      : tree_(tree),
        options_(options),
        dump_(name, [name](std::uint64_t at) { return fmt::format("{}: {}: ", name, describe_place(at)); }) {
    with_given_ = xla_hlo_proto_format().choice(options, "constants") == "on";
  }

  Result<Document> run(Value root) {
    // XProf's requests hold the module one level deeper.
    if (const Value proto = keys_.proto.in(tree_, root); proto.kind() == ValueTree::Kind::kDict) root = proto;
    const Value assignment = keys_.assignment.in(tree_, root);
    const Value blocks = keys_.blocks.in(tree_, root);
    if (assignment.kind() == ValueTree::Kind::kDict) {
      read_module(keys_.module.in(tree_, root));
      read_assignment(assignment);
    } else if (blocks.kind() == ValueTree::Kind::kList) {
      read_blocks(blocks);
    } else if (is_processed(root)) {
      return input_error(dump_.name() +
                         ": this looks like what XProf's memory viewer made of a module, without \"bufferBlocks\": it "
                         "has curves and peaks, but no buffer with a place; open the HloProto that it was made from");
    } else {
      return input_error(dump_.name() + ": this HLO module has no \"bufferAssignment\", so nothing is planned in it");
    }
    if (hidden_ > 0) {
      dump_.note(fmt::format("{} parameters and constants are not shown; --choose constants=on shows them", hidden_));
    }
    dump_.input.time_unit = assignment.kind() == ValueTree::Kind::kDict ? "event" : "step";
    return dump_.finish("xla-hlo-proto", rule_name(options_.times, TimeRule::kHalfOpen));
  }

 private:
  bool is_processed(Value root) const {
    for (const ProtoKey* key : {&keys_.heap_sizes, &keys_.spans, &keys_.max_heap}) {
      if (key->in(tree_, root) != ValueTree::null()) return true;
    }
    return false;
  }

  /// A number, or a string of one; 0 when it is missing, as proto3 has it; nothing when it is something else.
  std::optional<std::int64_t> number(const ProtoKey& key, Value object) const {
    const Value value = key.in(tree_, object);
    if (value == ValueTree::null()) return 0;
    return tree_.quoted_int64(value);
  }
  bool flag(const ProtoKey& key, Value object) const { return key.in(tree_, object) == ValueTree::boolean(true); }
  std::string_view text(const ProtoKey& key, Value object) const { return tree_.to_text(key.in(tree_, object)); }
  template <typename Visit>
  void each(const ProtoKey& key, Value object, Visit&& visit) const {
    tree_.for_each(key.in(tree_, object), [&](Value item) {
      visit(item);
      return true;
    });
  }

  void read_module(Value module) {
    dump_.input.name = text(keys_.name, module);
    each(keys_.computations, module, [&](Value computation) {
      each(keys_.instructions, computation, [&](Value item) {
        const Value metadata = keys_.metadata.in(tree_, item);
        Instruction instruction{text(keys_.name, item), text(keys_.op_name, metadata), {}};
        const std::string_view file = text(keys_.source_file, metadata);
        if (!file.empty())
          instruction.source = fmt::format("{}:{}", file, number(keys_.source_line, metadata).value_or(0));
        if (const auto id = number(keys_.id, item)) by_id_[*id] = instruction.name;
        instructions_.emplace(instruction.name, std::move(instruction));
      });
    });
  }

  void read_assignment(Value assignment) {
    std::uint64_t buffers = 0;
    each(keys_.buffers, assignment, [&](Value item) {
      const std::uint64_t at = place_in(Within::kLogicalBuffers, 0, buffers++);
      const auto id = number(keys_.id, item);
      const auto size = number(keys_.size, item);
      const auto color = number(keys_.color, item);
      if (!id || !size || !color) return dump_.leave_out(at, "its id, size and color are not all integers");
      logical_.insert_or_assign(*id, Logical{defined_name(keys_.defined.in(tree_, item)), *size, *color, at});
    });
    std::uint64_t allocations = 0;
    each(keys_.allocations, assignment, [&](Value item) { read_allocation(item, allocations++); });
    each(keys_.traces, assignment, [&](Value trace) { read_trace(trace, traces_++); });
    if (traces_ > 1) {
      dump_.note(
          fmt::format("there are {} heap simulator traces; each counts its events from 0, so that steps of "
                      "different traces do not belong together",
                      traces_));
    }
    add_pieces();
  }

  std::string defined_name(Value where) const {
    std::string name(text(keys_.instruction, where));
    if (name.empty()) {
      const auto found = by_id_.find(number(keys_.instruction_id, where).value_or(0));
      if (found != by_id_.end() && keys_.instruction_id.in(tree_, where) != ValueTree::null()) name = found->second;
    }
    std::string index;
    each(keys_.shape_index, where, [&](Value item) {
      const auto value = tree_.to_int64(item);
      index += (index.empty() ? "" : ",") + (value ? std::to_string(*value) : std::string(tree_.to_text(item)));
    });
    return index.empty() ? name : name + "{" + index + "}";
  }

  void read_allocation(Value item, std::uint64_t which) {
    const bool parameter = flag(keys_.parameter, item);
    const bool constant = flag(keys_.constant, item);
    std::int64_t count = 0;
    each(keys_.assigned, item, [&](Value) { ++count; });
    if ((parameter || constant) && !with_given_) {
      ++hidden_;
      each(keys_.assigned, item, [&](Value assigned) {
        if (const auto id = number(keys_.buffer_id, assigned)) hidden_buffers_[*id] = true;
      });
      return;
    }
    const std::string_view kind = parameter                    ? "input"
                                  : constant                   ? "constant"
                                  : flag(keys_.live_out, item) ? "output"
                                  : flag(keys_.local, item)    ? "workspace"
                                                               : "activation";
    const auto color = number(keys_.color, item);
    const auto whole = number(keys_.size, item);
    const auto space = color ? dump_.space(fmt::format("memory {}", *color)) : std::nullopt;
    if (!space || !whole) {
      return dump_.leave_out(place_in(Within::kAllocations, which, 0),
                             color && whole ? "there are more than 65,535 memory spaces"
                                            : "size and color of its allocation are not both integers");
    }
    std::int64_t& top = tops_[*color];
    std::uint64_t inner = 0;
    each(keys_.assigned, item, [&](Value assigned) {
      const std::uint64_t at = place_in(Within::kAllocations, which, inner++);
      const auto buffer = number(keys_.buffer_id, assigned);
      const auto size = number(keys_.size, assigned);
      const auto inside = number(keys_.offset, assigned);
      const auto offset = inside ? checked_add(top, *inside) : std::nullopt;
      if (!buffer || !size || !offset || *size < 0) {
        return dump_.leave_out(at, buffer ? fmt::format("buffer {} has no sound place", *buffer)
                                          : std::string("its logicalBufferId is no integer"));
      }
      pieces_.push_back(Piece{*buffer, *offset, *size, *space, kind, at});
    });
    top = checked_add(top, std::max<std::int64_t>(*whole, 0)).value_or(kMaxInt64);
  }

  /// ALLOC, FREE and SHARE_WITH in order. A buffer that shares lives on by itself when the other is freed.
  void read_trace(Value trace, std::uint64_t which) {
    std::int64_t events = 0;
    std::vector<std::int64_t> own;  // buffers of this trace
    each(keys_.events, trace, [&](Value event) {
      const std::int64_t now = events++;
      const std::uint64_t at = place_in(Within::kEvents, which, static_cast<std::uint64_t>(now));
      const auto read_buffer = number(keys_.event_buffer, event);
      const auto canonical = number(keys_.canonical, event);
      if (!read_buffer || !canonical) return dump_.leave_out(at, "its buffers are not integers");
      const std::int64_t buffer = *read_buffer;
      const auto [first, added] = trace_of_.emplace(buffer, which);
      if (added) own.push_back(buffer);
      if (first->second != which) {
        return dump_.leave_out(at, fmt::format("buffer {} is in an earlier trace already", buffer));
      }
      const Value kind_value = keys_.kind.in(tree_, event);
      const std::string_view kind = tree_.to_text(kind_value);
      const std::int64_t code = kind_value == ValueTree::null() ? 0 : tree_.to_int64(kind_value).value_or(-1);
      auto& lives = lives_[buffer];
      const bool live = !lives.empty() && lives.back().end < 0;
      if (kind == "FREE" || (kind.empty() && code == 1)) {
        if (!live) return dump_.leave_out(at, fmt::format("buffer {} is freed, but not in use", buffer));
        lives.back().end = now;
      } else if (kind == "SHARE_WITH" || (kind.empty() && code == 2)) {
        if (live) lives.back().end = now;
        lives.push_back({now, -1, *canonical});
      } else if (kind == "ALLOC" || (kind.empty() && code == 0)) {
        if (live) {
          dump_.note_at(at, fmt::format("buffer {} is allocated twice without a free between", buffer));
          lives.back().end = now;
        }
        lives.push_back({now, -1, -1});
      } else {
        dump_.leave_out(at, fmt::format("an event of unknown kind \"{}\"", shown(kind)));
      }
      const std::string_view name = text(keys_.instruction, event);
      if (kind != "FREE" && !name.empty()) event_names_.emplace(buffer, name);
    });
    longest_ = std::max(longest_, events);
    for (const std::int64_t buffer : own) {
      auto& lives = lives_[buffer];
      if (!lives.empty() && lives.back().end < 0) lives.back().end = events;
    }
  }

  void add_pieces() {
    std::vector<BufferIndex> untraced;
    std::vector<std::int64_t> owners;  // by row: the buffer whose bytes they are
    bool shared = false;
    for (const Piece& piece : pieces_) {
      const auto traced = lives_.find(piece.buffer);
      if (traced == lives_.end() || traced->second.empty()) {
        const std::int64_t whole = std::max<std::int64_t>(longest_, 1);
        if (add(piece, {0, whole, -1})) untraced.push_back(static_cast<BufferIndex>(dump_.size() - 1));
        continue;
      }
      for (const Life& life : traced->second) {
        if (!add(piece, life)) continue;
        owners.resize(dump_.size(), -1);
        owners.back() = life.shares >= 0 ? owner_of(life.shares) : owner_of(piece.buffer);
        shared = shared || life.shares >= 0;
      }
      drawn_[piece.buffer] = true;
    }
    for (const auto& [buffer, lives] : lives_) {
      if (drawn_.count(buffer) == 0 && hidden_buffers_.count(buffer) == 0 && !lives.empty())
        add_unplaced(buffer, lives);
    }
    share_bytes_once(dump_.input, dump_.offsets, untraced);
    if (!shared) return;
    owners.resize(dump_.size(), -1);
    tie_shared(dump_.input, dump_.offsets, [&](const SharedBytes& pair) {
      return owners[pair.first] >= 0 && owners[pair.first] == owners[pair.second];
    });
  }

  /// Follows who shares with whom; a circle ends somewhere in it.
  std::int64_t owner_of(std::int64_t buffer) const {
    constexpr int most = 1000;
    for (int step = 0; step < most; ++step) {
      const auto found = lives_.find(buffer);
      if (found == lives_.end() || found->second.empty() || found->second.front().shares < 0) break;
      buffer = found->second.front().shares;
    }
    return buffer;
  }

  bool add(const Piece& piece, const Life& life) {
    const auto end = half_open_end(life.end, options_.times);
    if (!end) return false;
    const auto logical = logical_.find(piece.buffer);
    Buffer buffer;
    buffer.start = life.start;
    buffer.end = std::max(*end, life.start);
    buffer.size =
        piece.size > 0 || logical == logical_.end() ? piece.size : std::max<std::int64_t>(logical->second.size, 0);
    buffer.space = piece.space;
    buffer.kind = dump_.kind(piece.kind);
    dump_.add(name_of(piece.buffer), buffer, piece.offset, piece.at, details_of(piece.buffer));
    return true;
  }

  void add_unplaced(std::int64_t id, const std::vector<Life>& lives) {
    const auto logical = logical_.find(id);
    if (logical == logical_.end() || logical->second.size < 0) {
      return dump_.note(
          fmt::format("buffer {} is in the trace, but neither a logical buffer nor assigned (left out)", id));
    }
    const auto space = dump_.space(fmt::format("memory {}", logical->second.color));
    for (const Life& life : lives) {
      Buffer buffer;
      buffer.start = life.start;
      buffer.end = life.end;
      buffer.size = logical->second.size;
      buffer.space = space.value_or(0);
      dump_.add(name_of(id), buffer, kNoOffset, logical->second.at, details_of(id));
    }
  }

  std::string name_of(std::int64_t id) const {
    const auto logical = logical_.find(id);
    if (logical != logical_.end() && !logical->second.name.empty()) return logical->second.name;
    const auto event = event_names_.find(id);
    return event != event_names_.end() ? std::string(event->second) : fmt::format("buffer {}", id);
  }

  Details details_of(std::int64_t id) const {
    Details details;
    std::string name = name_of(id);
    name = name.substr(0, name.find('{'));
    const auto found = instructions_.find(name);
    if (found == instructions_.end()) return details;
    details.op = found->second.op;
    details.source = found->second.source;
    return details;
  }

  void read_blocks(Value blocks) {
    std::uint64_t at = 0;
    tree_.for_each(blocks, [&](Value block) {
      read_block(block, at++);
      return true;
    });
  }

  /// A block of XProf; id -1 is the frame around the blocks of an allocation.
  void read_block(Value block, std::uint64_t at) {
    if (number(keys_.buffer_id, block) == -1) return;
    const auto size = number(keys_.size, block);
    const auto offset = number(keys_.offset, block);
    const auto start = number(keys_.start, block);
    const auto last = number(keys_.end, block);
    const auto color = number(keys_.color, block);
    const auto end = last ? half_open_end(*last, options_.times) : std::nullopt;
    const auto space = color ? dump_.space(fmt::format("memory {}", *color)) : std::nullopt;
    if (!size || *size < 0 || !offset || !start || !end || *end < *start || !space) {
      return dump_.leave_out(at, "a block without sound size, offset and steps");
    }
    const std::int64_t unpadded = number(keys_.unpadded, block).value_or(0);
    Buffer buffer;
    buffer.start = *start;
    buffer.end = *end;
    buffer.size = *size;
    buffer.space = *space;
    buffer.kind = dump_.kind(text(keys_.category, block));
    Details details;
    if (unpadded > 0 && unpadded < *size) details.requested = unpadded;
    details.op = text(keys_.tf_op, block);
    details.source = source_of(keys_.source_info.in(tree_, block));
    if (const std::string_view shape = text(keys_.shape, block); !shape.empty()) {
      json::ObjectWriter writer(details.extra);
      writer.text("hlo_shape", shape);
      writer.close();
    }
    dump_.add(text(keys_.name, block), buffer, *offset, at, std::move(details));
  }

  /// A text, or the name of a file with a line.
  std::string source_of(Value info) const {
    if (info.kind() != ValueTree::Kind::kDict) return std::string(tree_.to_text(info));
    const std::string_view file = text(keys_.file_name, info);
    return file.empty() ? std::string() : fmt::format("{}:{}", file, number(keys_.line_number, info).value_or(0));
  }

  ValueTree& tree_;
  const ReadOptions& options_;
  xla::ProtoKeys keys_;
  Dump dump_;
  bool with_given_ = false;
  std::int64_t hidden_ = 0;
  std::uint64_t traces_ = 0;
  std::int64_t longest_ = 0;  // events of a trace, at most
  std::unordered_map<std::int64_t, std::uint64_t> trace_of_;
  std::map<std::int64_t, std::int64_t> tops_;  // by colour
  std::unordered_map<std::int64_t, Logical> logical_;
  std::unordered_map<std::int64_t, std::string_view> by_id_;
  std::unordered_map<std::string_view, Instruction> instructions_;
  std::vector<Piece> pieces_;
  std::map<std::int64_t, std::vector<Life>> lives_;
  std::unordered_map<std::int64_t, std::string_view> event_names_;
  std::unordered_map<std::int64_t, bool> hidden_buffers_;
  std::unordered_map<std::int64_t, bool> drawn_;
};

bool sniff_json(const json::Outline& outline) {
  for (const std::string_view key : {"bufferAssignment", "buffer_assignment", "hloModule", "hlo_module", "hloProto",
                                     "hlo_proto", "bufferBlocks", "heapSizes", "logicalBufferSpans"}) {
    if (outline.has(key)) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  return Reader(name, options, tree).run(*root);
}

}  // namespace

Format xla_hlo_proto_format() {
  Format format;
  format.id = "xla-hlo-proto";
  format.title = "XLA HloProto as JSON";
  format.extension = ".json";
  format.summary = "buffer assignment and heap simulator traces as XProf's memory viewer keeps them";
  format.sniff_json = sniff_json;
  format.read = read;
  format.choices = {{"constants", "show parameters and constants as well", "off", {"off", "on"}}};
  return format;
}

}  // namespace stowage
