#include "core/transforms/storage_policy.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/transforms/in_place_rule.h"

namespace stowage {
namespace {

/// Why a pair is not taken; empty: it is.
using Objection = std::string;

class Planner {
 public:
  Planner(const Staged& staged, const Entries& entries, const StoragePolicy& policy, RunContext& context,
          Teller& teller)
      : staged_(staged),
        graph_(staged.graph),
        entries_(entries),
        policy_(policy),
        context_(context),
        teller_(teller),
        colours_(longest_path_colours(staged, policy.colours)),
        free_(policy.free_list, policy.range),
        run_{StoragePlan(staged.graph.tensors().size()), {}} {}

  Result<StorageRun> run() {
    if (const auto counted = count_sizes(); !counted) return tl::unexpected(counted.error());
    if (policy_.inputs_own) open_inputs();
    for (step_ = 0; step_ < staged_.schedule.order.size(); ++step_) {
      if (step_ % 256 == 0 && context_.should_stop()) {
        return fail(Error::Kind::kCancelled, "stopped before its end");
      }
      plan(staged_.schedule.order[step_]);
    }
    for (const auto& [order, freed] : freed_) run_.freed.push_back(freed);
    run_.plan.complete(entries_);
    return std::move(run_);
  }

 private:
  static constexpr std::int64_t kForEver = std::int64_t{1} << 40U;

  void open_inputs() {
    const auto open = [&](TensorIndex t) {
      if (entries_.of(t) == t && !entries_.is_made(t) && run_.plan.storage_of[t] == kNoStorage) found_own(t);
    };
    for (const TensorIndex t : graph_.input().inputs) open(t);
    for (TensorIndex t = 0; t < graph_.tensors().size(); ++t) {
      if (graph_.tensor(t).kind != TensorKind::kConstant && !graph_.readers(t).empty()) open(t);
    }
  }

  /// A storage that never comes back.
  void found_own(TensorIndex t) {
    const std::uint32_t storage = open(t);
    pending_[storage] = kForEver;
    if (teller_.records()) teller_.take(t, storage, "its own for ever");
  }

  std::uint32_t open(TensorIndex entry) {
    const std::uint32_t storage = run_.plan.open(entry, bytes_of(entry));
    pending_.push_back(entries_.readers(entry));
    occupant_.push_back(entry);
    return storage;
  }

  void plan(OpIndex n) {
    const Op& op = graph_.op(n);
    if (policy_.inputs_own) {  // constants come to be where they are read first
      for (const TensorIndex t : op.in) {
        if (!entries_.is_made(entries_.of(t)) && run_.plan.storage_of[entries_.of(t)] == kNoStorage) {
          found_own(entries_.of(t));
        }
      }
    }
    const std::vector<TensorIndex> made = entries_.made_by(n);
    if (policy_.in_place != InPlaceTest::kNever) in_place(n);
    allocate(n, made);
    if (policy_.outputs_first) release_unread(n, made);
    for (const TensorIndex entry : entries_.read_by(n)) release(entry, n);
    if (!policy_.outputs_first) release_unread(n, made);
  }

  // In place.

  void in_place(OpIndex n) {
    const Op& op = graph_.op(n);
    std::vector<TensorIndex> taken;  // entries
    std::vector<SlotPair> pairs = op.inplace;
    if (policy_.in_place == InPlaceTest::kOrt) {  // output by output
      std::stable_sort(pairs.begin(), pairs.end(), [](const SlotPair& a, const SlotPair& b) { return a.out < b.out; });
    }
    for (const SlotPair& pair : pairs) {
      const TensorIndex in = op.in[pair.in];
      const TensorIndex out = op.out[pair.out];
      if (entries_.of(out) != out || run_.plan.storage_of[out] != kNoStorage) continue;
      const bool taken_already = std::find(taken.begin(), taken.end(), entries_.of(in)) != taken.end();
      const Objection objection = taken_already ? fmt::format("{} is taken already", teller_.id(in)) : object(n, pair);
      if (!objection.empty()) {
        teller_.remark(
            Remark::Kind::kRefused, n, out,
            fmt::format("{}: {} may not take the memory of {}: {}", op.id, teller_.id(out), teller_.id(in), objection));
        if (teller_.records()) teller_.consider(out, fmt::format("not in place: {}", objection));
        continue;
      }
      taken.push_back(entries_.of(in));
      const std::uint32_t storage = run_.plan.storage_of[entries_.of(in)];
      run_.plan.put(out, storage, bytes_of(out));
      run_.plan.in_place.push_back(InPlace{n, out, in});
      pending_[storage] += entries_.readers(out);
      occupant_[storage] = out;
      teller_.remark(Remark::Kind::kDone, n, out,
                     fmt::format("{}: {} takes the memory of {} in place", op.id, teller_.id(out), teller_.id(in)));
      if (teller_.records()) {
        teller_.take(out, storage, fmt::format("in place on {}, which only {} still reads", teller_.id(in), op.id));
      }
    }
  }

  Objection object(OpIndex n, const SlotPair& pair) const {
    const Op& op = graph_.op(n);
    const TensorIndex in = op.in[pair.in];
    const TensorIndex out = op.out[pair.out];
    const TensorIndex entry = entries_.of(in);
    const std::uint32_t storage = run_.plan.storage_of[entry];
    if (!entries_.is_made(entry)) return fmt::format("{} is there from the start", teller_.id(in));
    if (storage == kNoStorage) return fmt::format("{} has no storage", teller_.id(in));
    if (entries_.is_output(out) && (policy_.outputs_pinned || !policy_.outputs_planned)) {
      return fmt::format("{} is a graph output and has memory of its own", teller_.id(out));
    }
    if (!entries_.at_start(in)) return fmt::format("{} is only a part of {}", teller_.id(in), teller_.id(entry));
    if (graph_.tensor(in).space != graph_.tensor(out).space) return "they lie in different memories";
    if (const Objection readers = object_to_readers(n, pair, storage); !readers.empty()) return readers;
    if (std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), pair.in) != op.ignored_inputs.end()) {
      return fmt::format("{} does not wait for what is in {}", op.id, teller_.id(in));  // it may be free already
    }
    const bool unread_counts = policy_.in_place == InPlaceTest::kNnvm || policy_.in_place == InPlaceTest::kMxnet;
    if (unread_counts && entries_.readers(out) == 0) return fmt::format("nobody reads {}", teller_.id(out));
    return object_to_sizes(graph_.tensor(in), graph_.tensor(out));
  }

  Objection object_to_readers(OpIndex n, const SlotPair& pair, std::uint32_t storage) const {
    const Op& op = graph_.op(n);
    if (policy_.identity && is_identity(graph_, n, pair)) return {};
    std::int64_t allowed = 1;
    if (policy_.in_place == InPlaceTest::kInductor) {
      // The same element at the same time through several inputs is one read.
      allowed = 0;
      for (const SlotPair& other : op.inplace) {
        const bool read =
            std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), other.in) == op.ignored_inputs.end();
        if (read && other.out == pair.out && op.in[other.in] == op.in[pair.in]) ++allowed;
      }
    }
    if (pending_[storage] <= allowed) return {};
    return fmt::format("{} is read {} more times", teller_.id(op.in[pair.in]), pending_[storage] - 1);
  }

  Objection object_to_sizes(const Tensor& in, const Tensor& out) const {
    const auto unless = [&](bool fine, std::string_view what) {
      return fine ? Objection() : fmt::format("{} and {} differ in {}", out.id, in.id, what);
    };
    const bool shapes = in.shape && out.shape;
    switch (policy_.in_place) {
      case InPlaceTest::kNnvm:
      case InPlaceTest::kMxnet: {
        const bool exact = policy_.in_place == InPlaceTest::kNnvm;
        if (exact ? in.type != out.type : bits_of(in.type) != bits_of(out.type)) return unless(false, "type");
        return unless(shapes ? element_count(*in.shape) == element_count(*out.shape) : in.bytes == out.bytes, "size");
      }
      case InPlaceTest::kOrt:
        return unless(shapes && in.shape == out.shape && bits_of(in.type) == bits_of(out.type), "shape");
      case InPlaceTest::kInductor: {
        if (in.type != out.type) return unless(false, "type");
        const std::int64_t room = in.bytes.value_or(0);
        const std::int64_t need = out.bytes.value_or(0);
        return unless(need <= room && static_cast<Int128>(need) * 100 >= static_cast<Int128>(room) * 95, "size");
      }
      default:
        return unless(in.bytes == out.bytes, "size");
    }
  }

  // Allocation.

  void allocate(OpIndex n, const std::vector<TensorIndex>& made) {
    std::vector<TensorIndex> open_ones;
    for (const TensorIndex entry : made) {
      if (run_.plan.storage_of[entry] == kNoStorage) open_ones.push_back(entry);
    }
    if (policy_.largest_first) {
      std::stable_sort(open_ones.begin(), open_ones.end(),
                       [&](TensorIndex a, TensorIndex b) { return bytes_of(a) > bytes_of(b); });
    }
    for (const TensorIndex entry : open_ones) {
      if (!entries_.is_known(entry) && !policy_.unknown_planned) {
        ++run_.plan.not_planned;
        teller_.remark(Remark::Kind::kNote, n, entry, fmt::format("{}: size unknown, not planned", teller_.id(entry)));
      } else if (!entries_.is_output(entry) || policy_.outputs_planned) {
        request(n, entry);
      }
    }
  }

  void request(OpIndex n, TensorIndex entry) {
    const bool own =
        (policy_.outputs_pinned && entries_.is_output(entry)) || (policy_.unread_own && entries_.readers(entry) == 0);
    std::optional<std::uint32_t> found;
    const std::optional<std::string> key = key_of(entry);
    if (!own && key) found = free_.take(bytes_of(entry), *key, colours_.of[n]);
    if (!found) {
      const bool empty = free_.empty();
      const std::uint32_t storage = open(entry);
      if (teller_.records()) {
        teller_.take(entry, storage,
                     own     ? "new: it has memory of its own"
                     : empty ? "new: the box is empty"
                             : "new: nothing in the box fits");
      }
      return;
    }
    const std::int64_t grown = bytes_of(entry) - run_.plan.storages[*found].bytes;
    if (teller_.records()) {
      teller_.take(entry, *found,
                   fmt::format("out of the box, where {} lay last{}", teller_.id(occupant_[*found]),
                               grown > 0 ? fmt::format("; it grows by {}", format_bytes(grown)) : std::string()));
    }
    teller_.remark(Remark::Kind::kDone, n, entry,
                   fmt::format("{}: {} takes storage {}, where {} lay last", graph_.op(n).id, teller_.id(entry),
                               *found + 1, teller_.id(occupant_[*found])));
    run_.plan.put(entry, *found, bytes_of(entry));
    pending_[*found] = entries_.readers(entry);
    occupant_[*found] = entry;
    unfree(*found);
  }

  // Coming back.

  void release(TensorIndex entry, OpIndex n) {
    const std::uint32_t storage = run_.plan.storage_of[entry];
    if (storage == kNoStorage || --pending_[storage] > 0) return;
    give_back(storage, n, fmt::format("{} was the last to read {}", graph_.op(n).id, teller_.id(entry)));
  }

  void release_unread(OpIndex n, const std::vector<TensorIndex>& made) {
    for (const TensorIndex entry : made) {
      const std::uint32_t storage = run_.plan.storage_of[entry];
      if (storage == kNoStorage || entries_.readers(entry) > 0 || pending_[storage] > 0 || policy_.unread_own) continue;
      if (occupant_[storage] == entry) give_back(storage, n, fmt::format("nobody reads {}", teller_.id(entry)));
    }
  }

  void give_back(std::uint32_t storage, OpIndex n, std::string why) {
    if (freed_at_.contains(storage)) return;  // an unread result in place: its input has gone back already
    const TensorIndex occupant = occupant_[storage];
    if (const auto key = key_of(occupant)) {
      const bool exact = policy_.free_list == FreeList::kExact;
      free_.put(storage, exact ? bytes_of(occupant) : run_.plan.storages[storage].bytes, *key, colours_.of[n]);
    }
    freed_at_[storage] = returns_;
    freed_.emplace(returns_++, Freed{storage, step_});
    if (teller_.records()) teller_.give_back(occupant, storage, std::move(why));
  }

  void unfree(std::uint32_t storage) {
    const auto at = freed_at_.find(storage);
    freed_.erase(at->second);
    freed_at_.erase(at);
  }

  // Sizes and keys.

  std::int64_t bytes_of(TensorIndex entry) const { return sizes_[entry]; }

  /// Refused when they cannot be added up.
  Result<void> count_sizes() {
    sizes_.assign(graph_.tensors().size(), 0);
    Int128 sum = 0;
    for (TensorIndex t = 0; t < sizes_.size(); ++t) {
      const TensorIndex entry = entries_.of(t);
      Int128 bytes = entries_.bytes(entry);
      if (policy_.bytes != ElementBytes::kAsGraph && entries_.at_start(t)) bytes = counted_bytes(graph_.tensor(t));
      sum += std::max<Int128>(bytes, 0);
      if (sum > kMaxInt64) return fail(Error::Kind::kRefused, "the tensors together need more than 2^63-1 bytes");
      sizes_[entry] = std::max(sizes_[entry], static_cast<std::int64_t>(bytes));
    }
    return {};
  }

  Int128 counted_bytes(const Tensor& tensor) const {
    if (!tensor.shape) return tensor.bytes.value_or(0);
    const std::int64_t each = policy_.bytes == ElementBytes::kFour ? 4 : (bits_of(tensor.type) + 7) / 8;
    return static_cast<Int128>(element_count(*tensor.shape).value_or(0)) * each;
  }

  /// What a storage must have in common with a request; nothing: it shares with nobody.
  std::optional<std::string> key_of(TensorIndex entry) const {
    const Tensor& tensor = graph_.tensor(entry);
    std::string key = tensor.space;
    if (policy_.type_in_key) key += fmt::format("|{}", name_of(tensor.type));
    if (policy_.alignment_in_key) key += fmt::format("|{}", tensor.alignment);
    if (!policy_.shape_in_key) return key;
    if (!tensor.shape || tensor.shape->empty()) return std::nullopt;
    return key + fmt::format("|{}|{}", bits_of(tensor.type), fmt::join(*tensor.shape, ","));
  }

  const Staged& staged_;
  const Graph& graph_;
  const Entries& entries_;
  const StoragePolicy& policy_;
  RunContext& context_;
  Teller& teller_;
  Colours colours_;
  FreeStorages free_;
  StorageRun run_;
  std::size_t step_ = 0;
  std::vector<std::int64_t> sizes_;     // by entry
  std::vector<std::int64_t> pending_;   // by storage: readers still to come
  std::vector<TensorIndex> occupant_;   // by storage: who lies in it now, or lay in it last
  std::map<std::size_t, Freed> freed_;  // by order of coming back
  std::map<std::uint32_t, std::size_t> freed_at_;
  std::size_t returns_ = 0;
};

}  // namespace

std::optional<StoragePolicy> storage_policy(std::string_view name) {
  StoragePolicy policy;
  if (name == "nnvm") return policy;
  if (name == "mxnet") {
    policy.in_place = InPlaceTest::kMxnet;
    return policy;
  }
  policy.largest_first = false;
  policy.identity = false;
  if (name == "tags") {
    policy.in_place = InPlaceTest::kTags;
    policy.free_list = FreeList::kOldest;
    return policy;
  }
  if (name == "ort") {
    policy.in_place = InPlaceTest::kOrt;
    policy.free_list = FreeList::kExact;
    policy.shape_in_key = true;
    policy.outputs_pinned = true;
    policy.unknown_planned = true;
    return policy;
  }
  if (name == "inductor") {
    policy.in_place = InPlaceTest::kInductor;
    policy.free_list = FreeList::kExact;
    policy.type_in_key = true;
    policy.alignment_in_key = true;
    return policy;
  }
  policy.in_place = InPlaceTest::kNever;
  policy.bytes = ElementBytes::kWholeEach;
  if (name == "tvm-relay") {
    policy.inputs_own = true;
    policy.outputs_first = true;
    return policy;
  }
  if (name == "tvm-relax") {
    policy.type_in_key = true;
    policy.outputs_planned = false;
    policy.unread_own = true;
    return policy;
  }
  return std::nullopt;
}

Result<StorageRun> plan_storages(const Staged& staged, const Entries& entries, const StoragePolicy& policy,
                                 RunContext& context, Teller& teller) {
  return Planner(staged, entries, policy, context, teller).run();
}

std::vector<std::string> ort_kinds(const Staged& staged, const Entries& entries, const StoragePlan& plan) {
  const Graph& graph = staged.graph;
  std::vector<std::string> kinds;
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
    const Tensor& tensor = graph.tensor(t);
    const TensorIndex entry = entries.of(t);
    if (graph.producer(t) == kNoOp && entry == t) {
      const bool weight = tensor.kind == TensorKind::kWeight || tensor.kind == TensorKind::kConstant ||
                          tensor.kind == TensorKind::kState;
      kinds.emplace_back(weight ? "AllocateStatically" : "PreExisting");
    } else if (graph.is_output(t)) {
      kinds.emplace_back("AllocateOutput");
    } else {
      const std::uint32_t storage = plan.storage_of[t];
      const TensorIndex original = storage == kNoStorage ? entry : plan.storages[storage].members.front();
      kinds.push_back(original == t ? "Allocate" : fmt::format("Reuse({})", graph.tensor(original).id));
    }
  }
  return kinds;
}

}  // namespace stowage
