#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/address_timeline.h"
#include "core/io/dump.h"
#include "core/io/format.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/text_lines.h"
#include "core/io/value_tree.h"

// Four things that people write as Chrome traces:
// - address as time (ExecuTorch's activation_memory_profiler.py, ONNX Runtime's memory_info.cc): one X event for each
//   buffer and step, ts = offset, dur = size, pid = memory space, tid = step; a step counts where it has an event.
// - our own: X events with ts = start, dur = lifetime, args {offset (where there is a plan), size, pool}.
// - Kineto's "[memory]" instants: an address and bytes, negative when it is freed; older ones tell only what is in use.
// - counters: a curve of the memory in use, without buffers.

namespace stowage {

Result<std::string> write_chrome_trace(const Document& document, const WriteOptions& options);

namespace {

using Value = ValueTree::Value;

struct Keys {
  ValueTree::Key events{"traceEvents"}, other{"otherData"}, stowage{"stowage"}, phase{"ph"}, name{"name"},
      category{"cat"}, pid{"pid"}, tid{"tid"}, ts{"ts"}, duration{"dur"}, args{"args"}, offset{"offset"}, size{"size"},
      bytes{"bytes"}, address{"Addr"}, amount{"Bytes"}, device_type{"Device Type"}, device{"Device Id"}, op{"op_name"},
      fqn{"fqn"}, pool{"pool"}, memory{"Memory ID"}, alignment{"alignment"}, kind{"kind"}, requested{"requested"},
      base{"base"}, total{"Total Allocated"};
};

/// A buffer in one step.
struct Cell {
  std::string_view pid;
  std::string_view name;
  std::int64_t offset = 0;
  std::int64_t size = 0;
  std::int64_t step = 0;
  std::uint64_t at = 0;  // event
  Value args;
  auto key() const { return std::tie(pid, name, offset, size, step); }
};

class Reader {
 public:
  Reader(const std::string& name, const ReadOptions& options, ValueTree& tree)
      : tree_(tree),
        options_(options),
        dump_(name, [name](std::uint64_t at) { return fmt::format("{}: traceEvents[{}]: ", name, at); }) {}

  Result<Document> run(Value root) {
    const Value events = root.kind() == ValueTree::Kind::kList ? root : tree_.find(root, keys_.events);
    count(events);
    TimeRule rule = TimeRule::kHalfOpen;
    if (own_ > 0 || is_own_without_buffers(root)) {
      each(events, [this](Value event, std::uint64_t at) { read_own(event, at); });
      dump_.input.time_unit = "step";
    } else if (instants_ > 0) {
      read_instants(events);
    } else if (cells_marked_ > 0 || (cells_ > 0 && cells_ == slices_ && counters_ == 0)) {
      each(events, [this](Value event, std::uint64_t at) { read_cell(event, at); });
      add_cells();
      rule = TimeRule::kClosed;
    } else if (totals_ > 0) {
      read_totals(events);
      add_curves();
    } else if (counters_ > 0) {
      each_by_time(
          events, [this](Value event) { return text(event, keys_.phase) == "C"; },
          [this](Value event, std::uint64_t at) { read_counter(event, at); });
      add_curves();
    } else {
      return input_error(dump_.name() +
                         ": this Chrome trace tells nothing about memory: no buffers by address, no [memory] events, "
                         "no counters");
    }
    return dump_.finish("chrome-trace", rule_name(options_.times, rule));
  }

 private:
  template <typename Visit>
  void each(Value events, Visit&& visit) {
    std::uint64_t at = 0;
    tree_.for_each(events, [&](Value event) {
      visit(event, at++);
      return true;
    });
  }
  /// The wanted events in the order of their time; in that of the file where any of them has none.
  template <typename Wanted, typename Visit>
  void each_by_time(Value events, Wanted&& wanted, Visit&& visit) {
    struct Timed {
      double time = 0;
      std::uint64_t at = 0;
      Value event;
    };
    std::vector<Timed> timed;
    bool all = true;
    each(events, [&](Value event, std::uint64_t at) {
      if (!wanted(event)) return;
      const auto time = tree_.to_double(tree_.find(event, keys_.ts));
      all = all && time.has_value();
      timed.push_back({time.value_or(0), at, event});
    });
    const auto earlier = [](const Timed& a, const Timed& b) {
      return a.time < b.time;
    };
    if (all && !std::is_sorted(timed.begin(), timed.end(), earlier)) {
      std::stable_sort(timed.begin(), timed.end(), earlier);
      dump_.note("the events do not stand in the order of their time; they are read in that order");
    }
    for (const Timed& one : timed) visit(one.event, one.at);
  }
  std::string_view text(Value object, const ValueTree::Key& key) const {
    return tree_.to_text(tree_.find(object, key));
  }
  std::optional<std::int64_t> integer(Value object, const ValueTree::Key& key) const {
    return tree_.quoted_int64(tree_.find(object, key));
  }
  /// The same without a sign. Addresses above 2^53 are quoted, because readers that know only doubles lose their end.
  std::optional<std::uint64_t> natural(Value object, const ValueTree::Key& key) const {
    const Value value = tree_.find(object, key);
    if (value.kind() != ValueTree::Kind::kText) return tree_.to_uint64(value);
    LineScan scan(trim(tree_.to_text(value)));
    const auto number = scan.rest().starts_with("0x") ? scan.hexadecimal() : scan.natural();
    return scan.at_end() ? number : std::nullopt;
  }
  /// Numbers and texts alike.
  std::string_view label(Value object, const ValueTree::Key& key) {
    const Value value = tree_.find(object, key);
    if (value.kind() == ValueTree::Kind::kText) return tree_.to_text(value);
    const auto number = tree_.to_int64(value);
    if (!number) return {};
    return labels_.emplace(*number, std::to_string(*number)).first->second;
  }

  /// Something that Kineto says about memory.
  bool is_instant(Value event) const {
    const std::string_view phase = text(event, keys_.phase);
    const Value args = tree_.find(event, keys_.args);
    return (phase == "i" || phase == "I") && integer(args, keys_.amount) && natural(args, keys_.address);
  }

  bool is_own_without_buffers(Value root) {
    return root.kind() == ValueTree::Kind::kDict && !text(tree_.find(root, keys_.other), keys_.stowage).empty();
  }

  /// The same of versions that do not say which address.
  bool is_total(Value event) const {
    const std::string_view phase = text(event, keys_.phase);
    return (phase == "i" || phase == "I") && text(event, keys_.name) == "[memory]" &&
           integer(tree_.find(event, keys_.args), keys_.total);
  }

  /// What kind of trace it is.
  void count(Value events) {
    each(events, [this](Value event, std::uint64_t) {
      const std::string_view phase = text(event, keys_.phase);
      const Value args = tree_.find(event, keys_.args);
      if (phase == "C") ++counters_;
      if (is_instant(event)) ++instants_;
      if (is_total(event)) ++totals_;
      if (phase == "M") read_name(event, args);
      if (phase != "X") return;
      ++slices_;
      const auto duration = integer(event, keys_.duration);
      const bool placed = integer(args, keys_.offset).has_value();
      if (integer(args, keys_.size) && (placed || !text(args, keys_.pool).empty())) ++own_;
      if (!integer(event, keys_.ts) || !duration || !integer(event, keys_.tid)) return;
      ++cells_;
      const bool says = integer(args, keys_.bytes) == duration || integer(args, keys_.memory).has_value();
      if (text(event, keys_.category) == "memory_allocation" || says) ++cells_marked_;
    });
  }

  void read_name(Value event, Value args) {
    if (text(event, keys_.name) == "process_name") processes_[label(event, keys_.pid)] = text(args, keys_.name);
    if (text(event, keys_.name) == "process_base") {
      bases_[label(event, keys_.pid)] = natural(args, keys_.base).value_or(0);
    }
  }

  std::optional<std::uint16_t> space_of(std::string_view pid) {
    const auto named = processes_.find(pid);
    const auto space = named != processes_.end() && !named->second.empty() ? dump_.space(named->second)
                                                                           : dump_.space(fmt::format("memory {}", pid));
    const auto base = bases_.find(pid);
    if (space && base != bases_.end()) dump_.set_base(*space, base->second);
    return space;
  }

  void read_own(Value event, std::uint64_t at) {
    const Value args = tree_.find(event, keys_.args);
    const auto offset = integer(args, keys_.offset);
    const auto size = integer(args, keys_.size);
    if (text(event, keys_.phase) != "X" || !size) return;
    const auto start = integer(event, keys_.ts);
    const auto duration = integer(event, keys_.duration);
    const auto last = start && duration ? checked_add(*start, *duration) : std::nullopt;
    const auto end = last ? half_open_end(*last, options_.times) : std::nullopt;
    const auto space = space_of(label(event, keys_.pid));
    if (!end || *end < *start || *size < 0 || !space)
      return dump_.leave_out(at, "not a buffer with ts, dur and a size");
    Buffer buffer;
    buffer.start = *start;
    buffer.end = *end;
    buffer.size = *size;
    buffer.alignment = std::max<std::int64_t>(integer(args, keys_.alignment).value_or(1), 1);
    buffer.space = *space;
    buffer.kind = dump_.kind(text(args, keys_.kind));
    Details details;
    details.requested = integer(args, keys_.requested);
    details.op = text(args, keys_.op);
    dump_.add(text(event, keys_.name), buffer, offset.value_or(kNoOffset), at, std::move(details));
  }

  void read_cell(Value event, std::uint64_t at) {
    if (text(event, keys_.phase) != "X") return;
    const auto offset = integer(event, keys_.ts);
    const auto size = integer(event, keys_.duration);
    const auto step = integer(event, keys_.tid);
    if (!offset || !size || *size < 0 || !step)
      return dump_.leave_out(at, "not a buffer with ts, dur and tid as integers");
    if (*offset < 0) return dump_.leave_out(at, "a summary, not a buffer: its address is below 0");
    cell_list_.push_back(
        {label(event, keys_.pid), text(event, keys_.name), *offset, *size, *step, at, tree_.find(event, keys_.args)});
  }

  /// Without offsets the tool stacks what is live in each step: every step is a running sum from 0, and a buffer has
  /// other addresses in other steps.
  bool offsets_are_sums() {
    std::sort(cell_list_.begin(), cell_list_.end(), [](const Cell& a, const Cell& b) {
      return std::tie(a.pid, a.step, a.offset, a.at) < std::tie(b.pid, b.step, b.offset, b.at);
    });
    std::int64_t sum = 0;
    std::map<std::tuple<std::string_view, std::string_view, std::int64_t>, std::int64_t> seen;  // buffer -> address
    bool moved = false;
    for (std::size_t i = 0; i < cell_list_.size(); ++i) {
      const Cell& cell = cell_list_[i];
      const bool same = i > 0 && cell_list_[i - 1].pid == cell.pid && cell_list_[i - 1].step == cell.step;
      if (!same) sum = 0;
      if (cell.offset != sum) return false;
      sum = checked_add(sum, cell.size).value_or(kMaxInt64);
      const auto [known, added] = seen.emplace(std::tuple(cell.pid, cell.name, cell.size), cell.offset);
      moved = moved || (!added && known->second != cell.offset);
    }
    return moved;
  }

  void add_cells() {
    const bool sums = offsets_are_sums();
    if (sums) {
      dump_.note(
          "the addresses in this trace are running sums, other ones in each step: they are left out (in "
          "ExecuTorch, enable_memory_offsets=True writes real ones)");
      for (Cell& cell : cell_list_) cell.offset = 0;
    }
    std::sort(cell_list_.begin(), cell_list_.end(), [](const Cell& a, const Cell& b) { return a.key() < b.key(); });
    std::vector<std::pair<const Cell*, std::int64_t>> runs;  // first cell, last step
    for (const Cell& cell : cell_list_) {
      if (!runs.empty()) {
        auto& [first, last] = runs.back();
        const bool same = std::tie(first->pid, first->name, first->offset, first->size) ==
                          std::tie(cell.pid, cell.name, cell.offset, cell.size);
        if (same && cell.step == last && !sums) {
          dump_.leave_out(cell.at, "the same buffer a second time in one step");
          continue;
        }
        if (same && cell.step - 1 == last) {
          last = cell.step;
          continue;
        }
      }
      runs.emplace_back(&cell, cell.step);
    }
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first->step, a.first->at) < std::tie(b.first->step, b.first->at);
    });
    for (const auto& [cell, last] : runs) {
      const auto space = space_of(cell->pid);
      const auto end = closed_end(last, options_.times);
      if (!space || !end) continue;
      Buffer buffer;
      buffer.start = cell->step;
      buffer.end = *end;
      buffer.size = cell->size;
      buffer.space = *space;
      Details details;
      details.op = text(cell->args, keys_.op);
      details.source = text(cell->args, keys_.fqn);
      dump_.add(cell->name, buffer, sums ? kNoOffset : cell->offset, cell->at, std::move(details));
    }
    dump_.note("steps in which nothing is live have no number in such a trace");
  }

  void read_instants(Value events) {
    std::map<std::string, std::pair<AddressTimeline, std::int64_t>> devices;
    const auto wanted = [this](Value event) {
      return is_instant(event);
    };
    each_by_time(events, wanted, [&](Value event, std::uint64_t at) {
      const Value args = tree_.find(event, keys_.args);
      const std::int64_t amount = integer(args, keys_.amount).value_or(0);
      if (amount == kMinInt64) return;
      const std::string id = fmt::format("device {} {}", label(args, keys_.device_type), label(args, keys_.device));
      const auto found =
          devices
              .try_emplace(
                  id, AddressTimeline([this](std::int64_t, const std::string& text) { dump_.note_at(event_, text); }),
                  0)
              .first;
      auto& [timeline, time] = found->second;
      event_ = at;
      const std::uint64_t address = natural(args, keys_.address).value_or(0);
      if (amount >= 0) {
        AddressUse use;
        use.address = address;
        use.size = amount;
        use.at = at;
        timeline.alloc(time++, use);
      } else {
        timeline.free_completed(time++, address, -amount);
      }
    });
    for (auto& [id, device] : devices) add_uses(dump_, id, device.first.finish(device.second), options_.times);
    dump_.input.time_unit = "event";
  }

  void read_totals(Value events) {
    const auto wanted = [this](Value event) {
      return is_total(event);
    };
    each_by_time(events, wanted, [&](Value event, std::uint64_t at) {
      const Value args = tree_.find(event, keys_.args);
      const std::int64_t level = integer(args, keys_.total).value_or(0);
      if (level < 0) return dump_.leave_out(at, "less than nothing is in use");
      const std::string id = fmt::format("device {} {}", label(args, keys_.device_type), label(args, keys_.device));
      curves_[{id, std::string()}].levels.emplace_back(at, level);
    });
  }

  /// One curve for each counter and each of its series, as layers: what rises is a layer, what falls ends the highest.
  void read_counter(Value event, std::uint64_t at) {
    const Value args = tree_.find(event, keys_.args);
    tree_.for_each_pair(args, [&](std::string_view series, Value value) {
      const auto level = tree_.to_int64(value);
      if (!level || *level < 0) return dump_.leave_out(at, "a counter that is not a number of bytes");
      Curve& curve = curves_[{std::string(text(event, keys_.name)), std::string(series)}];
      curve.levels.emplace_back(at, *level);
    });
  }

  void add_curves() {
    for (const auto& [name, curve] : curves_) {
      const auto space = dump_.space(name.second.empty() ? name.first : name.first + ": " + name.second);
      if (!space) continue;
      std::vector<std::pair<std::int64_t, std::int64_t>> layers;  // start, size
      std::int64_t height = 0;
      std::int64_t time = 0;
      const auto end_layer = [&](std::uint64_t at) {
        Buffer buffer;
        buffer.start = layers.back().first;
        buffer.end = half_open_end(time, options_.times).value_or(time);
        buffer.size = layers.back().second;
        buffer.space = *space;
        dump_.add(fmt::format("layer {}", dump_.size() + 1), buffer, kNoOffset, at);
        height -= layers.back().second;
        layers.pop_back();
      };
      for (const auto& [at, level] : curve.levels) {
        while (height > level) end_layer(at);
        if (level > height) {
          layers.emplace_back(time, level - height);
          height = level;
        }
        ++time;
      }
      while (!layers.empty()) end_layer(0);
    }
    dump_.input.time_unit = "sample";
    dump_.note("this trace tells only how much is in use: the curves are shown as layers, which are no buffers");
  }

  struct Curve {
    std::vector<std::pair<std::uint64_t, std::int64_t>> levels;  // event, bytes
  };

  ValueTree& tree_;
  const ReadOptions& options_;
  Keys keys_;
  Dump dump_;
  std::map<std::int64_t, std::string> labels_;
  std::map<std::string_view, std::string_view> processes_;
  std::map<std::string_view, std::uint64_t> bases_;
  std::map<std::pair<std::string, std::string>, Curve> curves_;
  std::vector<Cell> cell_list_;
  std::uint64_t event_ = 0;  // that is being read
  std::uint64_t slices_ = 0, cells_ = 0, cells_marked_ = 0, own_ = 0, instants_ = 0, totals_ = 0, counters_ = 0;
};

bool sniff_json(const json::Outline& outline) {
  return outline.has("traceEvents") || (outline.array && outline.has("ph"));
}

/// The array of events may end without its bracket, and behind a comma: programs that stop early write it so. The text
/// that JSON wants instead; nothing when it is that already.
std::optional<std::string> closed_array(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto without_end = [&](std::string_view text) {
    return text.substr(0, text.find_last_not_of(blanks) + 1);
  };
  std::string_view text = without_end(bytes);
  const std::size_t begin = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '[') return std::nullopt;
  const bool closed = text.ends_with(']');
  if (closed) text = without_end(text.substr(0, text.size() - 1));
  const bool comma = text.ends_with(',');
  if (comma) text.remove_suffix(1);
  if (closed ? !comma : !comma && !text.ends_with('}')) return std::nullopt;
  return std::string(text) + "]";
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const auto closed = closed_array(bytes);  // must outlive the tree
  if (closed) bytes = *closed;
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  return Reader(name, options, tree).run(*root);
}

}  // namespace

Format chrome_trace_format() {
  Format format;
  format.id = "chrome-trace";
  format.title = "Chrome trace";
  format.extension = ".trace.json";
  format.summary =
      "buffers by address (ExecuTorch, ONNX Runtime), [memory] events (Kineto), counters; written for Perfetto";
  format.sniff_json = sniff_json;
  format.read = read;
  format.write = write_chrome_trace;
  return format;
}

}  // namespace stowage
