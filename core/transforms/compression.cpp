#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/encodings.h"
#include "core/transforms/layer_kinds.h"
#include "core/transforms/param_values.h"
#include "core/transforms/registry.h"
#include "core/transforms/rewriter.h"
#include "core/transforms/training_parts.h"

namespace stowage {
namespace {

struct Settings {
  std::optional<Encoding> only;     // none: by what makes and reads a value
  std::optional<Encoding> reduced;  // of values that are neither binary nor sparse; none: they stay as they are
  double sparsity = 0.8;
  std::int64_t index_bytes = 1;
  double bytes_per_unit = 5e5;  // that encoding and decoding read and write
};

Result<Settings> settings_of(const ParamValues& params) {
  Settings settings;
  settings.only = encoding(params.at("encoding"));
  settings.reduced = encoding(params.at("reduced"));
  const auto sparsity = number_param(params, "sparsity", 0, 1, "compression");
  if (!sparsity) return tl::unexpected(sparsity.error());
  settings.sparsity = *sparsity;
  settings.index_bytes = params.at("index") == "4" ? 4 : 1;
  const auto speed = optional_bytes(params, "bandwidth", "compression");
  if (!speed) return tl::unexpected(speed.error());
  const auto unit = number_param(params, "microseconds", 1e-9, 1e12, "compression");
  if (!unit) return tl::unexpected(unit.error());
  if (speed->value_or(0) == 0) return usage_error("compression: bandwidth must be above 0");
  settings.bytes_per_unit = static_cast<double>(**speed) * *unit * 1e-6;
  return settings;
}

/// A value that is stashed encoded between its last forward and its first backward use.
struct Stash {
  TensorIndex value = kNoTensor;
  Encoding encoding = Encoding::kFloat16;
  std::int64_t encoded_bytes = 0;
  std::size_t encode_after = 0;   // step
  std::size_t decode_before = 0;  // step; of a binarized value the first reader of the code
  bool decodes = true;
};

/// A max pooling whose way back reads where its maxima lay, not what it read and made.
struct PoolMap {
  OpIndex pool = kNoOp;
  std::vector<OpIndex> back;
};

class Compressor {
 public:
  Compressor(const Staged& staged, const TrainingParts& parts, const Settings& settings)
      : staged_(staged), graph_(staged.graph), parts_(parts), settings_(settings), steps_(staged.schedule.steps()) {
    find_bound();
  }

  Result<Transformed> run(const RunContext& context) {
    if (!settings_.only || *settings_.only == Encoding::kBinarize) find_pools();
    for (const OpIndex n : parts_.forward) {
      for (const TensorIndex t : graph_.op(n).out) consider(t);
    }
    for (const Remark& remark : report_.remarks) {
      if (remark.tensor != kNoTensor) context.say({step::Consider{remark.tensor}, remark.text});
    }
    Transformed result;
    if (stashes_.empty() && pools_.empty()) {
      result.staged = staged_;
    } else {
      auto written = write();
      if (!written) return tl::unexpected(written.error());
      result.staged = std::move(*written);
    }
    result.report = std::move(report_);
    return result;
  }

 private:
  void find_bound() {
    bound_.assign(graph_.tensors().size(), "");
    for (const TensorIndex t : graph_.outputs()) bound_[graph_.base(t)] = "it is an output";
    for (const auto groups : {graph_.groups(), std::span<const TensorGroup>(staged_.groups)}) {
      for (const TensorGroup& group : groups) {
        for (const TensorIndex t : group.members) bound_[graph_.base(t)] = "it is part of a contiguous group";
      }
    }
    for (OpIndex n = 0; n < graph_.ops().size(); ++n) {
      for (const TensorIndex t : graph_.op(n).in) {
        if (writes_over_input(graph_.op(n))) bound_[graph_.base(t)] = "it may be written over";
      }
    }
    for (const Loop& loop : graph_.loops()) {
      for (const OpIndex n : loop.ops) {
        for (const TensorIndex t : graph_.op(n).in) bound_[graph_.base(t)] = "an op in a loop reads it";
        for (const TensorIndex t : graph_.op(n).out) bound_[graph_.base(t)] = "it is made in a loop";
      }
    }
    family_.resize(graph_.tensors().size());
    for (TensorIndex t = 0; t < family_.size(); ++t) family_[graph_.base(t)].push_back(t);
  }

  void remark(Remark::Kind kind, TensorIndex t, std::string text) {
    report_.remarks.push_back({kind, graph_.producer(t), t, fmt::format("{}: {}", graph_.tensor(t).id, text)});
  }

  std::optional<std::int64_t> elements(TensorIndex t) const {
    const Tensor& tensor = graph_.tensor(t);
    if (tensor.shape) return element_count(*tensor.shape);
    if (!tensor.bytes) return std::nullopt;
    const std::int64_t each = std::max(1, bits_of(tensor.type) / 8);
    return *tensor.bytes / each + (*tensor.bytes % each != 0 ? 1 : 0);
  }

  /// Max poolings of a ReLU whose way back can do with the places of the maxima.
  void find_pools() {
    for (const OpIndex n : parts_.forward) {
      const Op& pool = graph_.op(n);
      if (!is_max_pool(pool) || pool.in.empty() || pool.out.size() != 1) continue;
      const TensorIndex x = pool.in[0];
      const OpIndex maker = graph_.producer(x);
      if (maker == kNoOp || !is_relu(graph_.op(maker)) || graph_.is_view(x) || graph_.is_view(pool.out[0])) continue;
      PoolMap map;
      map.pool = n;
      for (const OpIndex reader : graph_.readers(x)) {
        const Op& op = graph_.op(reader);
        const bool both = std::find(op.in.begin(), op.in.end(), pool.out[0]) != op.in.end();
        if (parts_.is_forward[reader] == 0 && is_max_pool_gradient(op) && both) map.back.push_back(reader);
      }
      if (map.back.empty() || !elements(pool.out[0])) continue;
      for (const OpIndex back : map.back) mapped_.emplace(back, pools_.size());
      remark(Remark::Kind::kDone, pool.out[0],
             fmt::format("{} reads where its maxima lay, {} instead of what it read and made",
                         graph_.op(map.back.front()).id, format_bytes(pool_map_bytes(*elements(pool.out[0])))));
      pools_.push_back(std::move(map));
    }
  }

  struct Uses {
    std::size_t last_forward = 0;
    std::optional<std::size_t> first_back;
    bool only_signs = true;  // the way back needs no more
  };
  Uses uses_of(TensorIndex t) const {
    Uses uses;
    uses.last_forward = steps_[graph_.producer(t)];
    for (const TensorIndex member : family_[t]) {
      if (graph_.producer(member) != kNoOp)
        uses.last_forward = std::max(uses.last_forward, steps_[graph_.producer(member)]);
      for (const OpIndex reader : graph_.readers(member)) {
        if (parts_.is_forward[reader] != 0) {
          uses.last_forward = std::max(uses.last_forward, steps_[reader]);
        } else if (!mapped_.contains(reader)) {
          uses.first_back = std::min(uses.first_back.value_or(steps_[reader]), steps_[reader]);
          uses.only_signs = uses.only_signs && member == t && is_relu_gradient(graph_.op(reader)) &&
                            graph_.base(graph_.op(reader).in.front()) != t;
        }
      }
    }
    return uses;
  }

  bool feeds(TensorIndex t, bool (*kind)(const Op&)) const {
    const auto readers = graph_.readers(t);
    return std::any_of(readers.begin(), readers.end(),
                       [&](OpIndex n) { return parts_.is_forward[n] != 0 && kind(graph_.op(n)); });
  }

  /// The encoding that suits what makes the value and what reads it.
  std::optional<Encoding> suitable(TensorIndex t, const Uses& uses) const {
    const Op& maker = graph_.op(graph_.producer(t));
    const bool binary = is_relu(maker) && uses.only_signs && feeds(t, is_max_pool);
    const bool pooled_relu = is_max_pool(maker) && !maker.in.empty() && graph_.producer(maker.in[0]) != kNoOp &&
                             is_relu(graph_.op(graph_.producer(maker.in[0])));
    const bool sparse = (is_relu(maker) || pooled_relu) && feeds(t, is_conv);
    if (settings_.only) {
      if (*settings_.only == Encoding::kBinarize && !binary) return std::nullopt;
      if (*settings_.only == Encoding::kSparse && !sparse) return std::nullopt;
      return settings_.only;
    }
    if (binary) return Encoding::kBinarize;
    if (sparse) return Encoding::kSparse;
    return settings_.reduced;
  }

  std::int64_t encoded_bytes(TensorIndex t, Encoding encoding, std::int64_t count) const {
    switch (encoding) {
      case Encoding::kBinarize:
        return packed_bits_bytes(count, 1);
      case Encoding::kSparse:
        return sparse_bytes(count, std::max(1, bits_of(graph_.tensor(t).type) / 8), settings_.sparsity,
                            settings_.index_bytes);
      default:
        return reduced_bytes(count, encoding);
    }
  }

  void consider(TensorIndex t) {
    const std::int64_t bytes = own_bytes(graph_, t);
    if (bytes == 0) return;
    const Uses uses = uses_of(t);
    if (!uses.first_back) return;
    if (!bound_[t].empty()) return remark(Remark::Kind::kRefused, t, "stays as it is: " + bound_[t]);
    if (*uses.first_back <= uses.last_forward + 1) {
      return remark(Remark::Kind::kRefused, t, "stays as it is: nothing runs between its uses");
    }
    const std::optional<Encoding> encoding = suitable(t, uses);
    const auto count = elements(t);
    if (!encoding || !count) return remark(Remark::Kind::kRefused, t, "stays as it is: no encoding suits its uses");
    const bool reduces = *encoding != Encoding::kBinarize && *encoding != Encoding::kSparse;
    if (reduces && graph_.tensor(t).type != DataType::kFloat32) {
      return remark(Remark::Kind::kRefused, t, "stays as it is: only 32-bit floats are reduced");
    }
    Stash stash;
    stash.value = t;
    stash.encoding = *encoding;
    stash.encoded_bytes = encoded_bytes(t, *encoding, *count);
    stash.encode_after = uses.last_forward;
    stash.decode_before = *uses.first_back;
    stash.decodes = *encoding != Encoding::kBinarize;
    if (stash.encoded_bytes >= bytes) {
      return remark(Remark::Kind::kRefused, t,
                    fmt::format("stays as it is: {} would take {} instead of {}", name_of(*encoding),
                                format_bytes(stash.encoded_bytes), format_bytes(bytes)));
    }
    remark(Remark::Kind::kDone, t,
           fmt::format("{} as {} between its uses, {:.2f} times smaller{}", format_bytes(stash.encoded_bytes),
                       name_of(*encoding), static_cast<double>(bytes) / static_cast<double>(stash.encoded_bytes),
                       reduces ? ", not exactly" : ""));
    stashes_.push_back(stash);
  }

  double time_of(std::int64_t bytes) const { return static_cast<double>(bytes) / settings_.bytes_per_unit; }

  /// The op between the two tensors; both are there while it runs.
  OpIndex convert(Rewriter& rewriter, const char* type, std::vector<TensorIndex> from, TensorIndex to, OpIndex serves) {
    Op op;
    std::int64_t bytes = rewriter.tensor(to).bytes.value_or(0);
    for (const TensorIndex t : from) bytes += rewriter.tensor(t).bytes.value_or(0);
    op.id = rewriter.tensor(to).id + (type[0] == 'E' ? ".encode" : ".decode");
    op.type = type;
    op.in = std::move(from);
    op.out = {to};
    op.stream = graph_.op(serves).stream;
    op.duration = time_of(bytes);
    report_.bytes_moved += bytes;
    report_.extra_time += op.duration;
    ++report_.extra_ops;
    return rewriter.insert(std::move(op), serves);
  }

  TensorIndex add_code(Rewriter& rewriter, TensorIndex of, std::string_view suffix, std::int64_t bytes) const {
    Tensor code;
    code.id = fmt::format("{}.{}", graph_.tensor(of).id, suffix);
    code.bytes = bytes;
    code.type = DataType::kUint8;
    code.alignment = graph_.tensor(of).alignment;
    code.space = graph_.tensor(of).space;
    return rewriter.add(std::move(code));
  }

  Result<Staged> write() {
    const std::vector<OpIndex>& order = staged_.schedule.order;
    std::vector<std::vector<std::size_t>> encodes(order.size());
    std::vector<std::vector<std::size_t>> decodes(order.size());
    for (std::size_t i = 0; i < stashes_.size(); ++i) {
      encodes[stashes_[i].encode_after].push_back(i);
      decodes[stashes_[i].decode_before].push_back(i);
    }
    std::vector<TensorIndex> codes(stashes_.size(), kNoTensor);
    std::vector<TensorIndex> maps(pools_.size(), kNoTensor);
    std::map<OpIndex, std::size_t> pool_at;
    for (std::size_t i = 0; i < pools_.size(); ++i) pool_at.emplace(pools_[i].pool, i);
    Rewriter rewriter(staged_);
    for (std::size_t step = 0; step < order.size(); ++step) {
      const OpIndex n = order[step];
      for (const std::size_t i : decodes[step]) decode(rewriter, stashes_[i], codes[i], n);
      emit(rewriter, n, maps);
      const auto pool = pool_at.find(n);
      if (pool != pool_at.end()) {
        const Op& op = graph_.op(n);
        const TensorIndex map = add_code(rewriter, op.out[0], "map", pool_map_bytes(*elements(op.out[0])));
        convert(rewriter, "Encode", {rewriter.current(op.in[0]), rewriter.current(op.out[0])}, map, n);
        maps[pool->second] = map;
      }
      for (const std::size_t i : encodes[step]) {
        codes[i] = add_code(rewriter, stashes_[i].value, name_of(stashes_[i].encoding), stashes_[i].encoded_bytes);
        convert(rewriter, "Encode", {rewriter.current(stashes_[i].value)}, codes[i], n);
      }
    }
    return rewriter.finish();
  }

  void decode(Rewriter& rewriter, const Stash& stash, TensorIndex code, OpIndex reader) {
    if (!stash.decodes) return rewriter.replace(stash.value, code, false);
    Tensor back = graph_.tensor(stash.value);
    back.id += ".decoded";
    const TensorIndex decoded = rewriter.add(std::move(back));
    const auto before = static_cast<OpIndex>(rewriter.ops() - 1);
    rewriter.order(before, convert(rewriter, "Decode", {code}, decoded, reader));  // not earlier than it is read
    rewriter.replace(stash.value, decoded, true);
  }

  /// The way back of a mapped pooling reads the map in both places.
  void emit(Rewriter& rewriter, OpIndex n, const std::vector<TensorIndex>& maps) const {
    const auto mapped = mapped_.find(n);
    if (mapped == mapped_.end()) {
      rewriter.emit(n);
      return;
    }
    const Op& pool = graph_.op(pools_[mapped->second].pool);
    const TensorIndex x = rewriter.current(pool.in[0]);
    const TensorIndex y = rewriter.current(pool.out[0]);
    rewriter.replace(pool.in[0], maps[mapped->second], false);
    rewriter.replace(pool.out[0], maps[mapped->second], false);
    rewriter.emit(n);
    rewriter.replace(pool.in[0], x, false);
    rewriter.replace(pool.out[0], y, false);
  }

  const Staged& staged_;
  const Graph& graph_;
  const TrainingParts& parts_;
  const Settings& settings_;
  std::vector<std::size_t> steps_;                // by op
  std::vector<std::string> bound_;                // by base: why it stays
  std::vector<std::vector<TensorIndex>> family_;  // by base: itself and its views
  std::vector<PoolMap> pools_;
  std::map<OpIndex, std::size_t> mapped_;  // ops of the way back, by pool
  std::vector<Stash> stashes_;
  TransformReport report_;
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  if (const auto early = refuse_after_sharing(staged, "compression"); !early) return tl::unexpected(early.error());
  const auto settings = settings_of(params);
  if (!settings) return tl::unexpected(settings.error());
  const auto parts = find_training_parts(staged, "compression");
  if (!parts) return tl::unexpected(parts.error());
  context.say({step::Phase{"compression"}, ""});
  return Compressor(staged, *parts, *settings).run(context);
}

}  // namespace

Transform compression_transform() {
  Transform transform;
  transform.id = "compression";
  transform.title = "Compression";
  transform.summary =
      "Stashes forward values in an encoding between their last forward and their first backward use; both forms are "
      "there while one is made of the other.";
  transform.source = "Jain et al., Gist, ISCA 2018";
  transform.params = {
      {"encoding",
       "auto: signs of a ReLU that feeds a max pooling, sparse rows of one that feeds a convolution, else `reduced`",
       "auto",
       {"auto", "binarize", "sparse", "fp16", "fp10", "fp8"},
       true},
      {"reduced",
       "auto: how many bits other values keep; they come back changed",
       "off",
       {"off", "fp16", "fp10", "fp8"},
       true},
      {"sparsity", "sparse: the share of zeros", "0.8", {}, false},
      {"index", "sparse: bytes of an index, 1 in rows of 256 values", "1", {"1", "4"}, true},
      {"bandwidth", "bytes a second that encoding and decoding read and write", "500GB", {}, false},
      {"microseconds", "how long a unit of the graph's durations is", "1", {}, false},
  };
  transform.run = run;
  return transform;
}

}  // namespace stowage
