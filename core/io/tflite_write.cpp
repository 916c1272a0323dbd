// Puts a plan into a copy of the model that a document was read from, as metadata OfflineMemoryAllocation. FlatBuffers
// point forward only, so nothing can be added behind what is there: a new head goes in front of the old file, with the
// root table and the two lists that grow. All else stays where it is, relative to itself:
//
//   | root, lists, plan | padding | the old file, its own root now unused |

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/io/format.h"
#include "core/io/graph_file.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/tflite_model.h"

namespace stowage {

Result<std::string> write_tflite(const Document& document, const WriteOptions& options);

namespace {

using namespace tflite;

constexpr std::size_t kRoom = 64;  // the old file moves by a multiple: its data keeps its alignment

std::size_t subgraph_of(const Document& document) {
  if (document.graph == nullptr || document.graph->input().extra.empty()) return 0;
  json::Members members(json::root(document.graph->input().extra));
  while (const auto member = members.next()) {
    if (member->key == "tflite_subgraph") return json::to_uint64(member->value).value_or(0);
  }
  return 0;
}

/// Offsets by the id of the tensor.
using Offsets = std::map<std::string, std::int64_t, std::less<>>;

Offsets offsets_by_id(const Document& document, const Plan& plan) {
  const Problem& problem = *document.problem;
  Offsets offsets;
  for (BufferIndex i = 0; i < problem.size(); ++i) offsets.emplace(std::string(problem.id(i)), plan.offsets[i]);
  if (document.staged == nullptr) return offsets;
  // Of tensors in one memory only the first has a buffer of its name.
  const auto lowered = lowered_again(document);
  if (!lowered || !(lowered->problem.input().ids == problem.input().ids)) return offsets;
  for (TensorIndex t = 0; t < lowered->buffer_of.size(); ++t) {
    const BufferIndex buffer = lowered->buffer_of[t];
    if (buffer == kNoBuffer || plan.offsets[buffer] == kNoOffset) continue;
    const auto offset = checked_add(plan.offsets[buffer], lowered->offset_in[t]);
    offsets.insert_or_assign(document.staged->graph.tensor(t).id, offset.value_or(kMaxInt64));
  }
  return offsets;
}

/// The interpreter runs the ops of the file in the order of the file; a plan for another graph is wrong for it.
bool same_ops(const Document& document, const GraphInput& model) {
  if (document.staged == nullptr) return true;
  const std::vector<OpIndex>& order = document.staged->schedule.order;
  if (order.size() != model.ops.size()) return false;
  for (std::size_t step = 0; step < order.size(); ++step) {
    if (document.staged->graph.op(order[step]).id != model.ops[step].id) return false;
  }
  return true;
}

bool in_one_space(const Problem& problem, const Plan& plan) {
  std::optional<std::uint16_t> space;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (plan.offsets[i] == kNoOffset) continue;
    const std::uint16_t own = plan.spaces.empty() ? problem[i].space : plan.spaces[i];
    if (space.value_or(own) != own) return false;
    space = own;
  }
  return true;
}

Result<std::vector<std::int32_t>> offsets_of_tensors(const Document& document, const Plan& plan,
                                                     const GraphInput& model) {
  if (!same_ops(document, model)) {
    return input_error("the plan is for other ops, or another order of them, than the model has");
  }
  if (!in_one_space(*document.problem, plan))
    return input_error("the plan needs several spaces, a model has one arena");
  const Offsets offsets = offsets_by_id(document, plan);
  std::vector<std::int32_t> numbers;
  for (const Tensor& tensor : model.tensors) {
    const auto found = offsets.find(tensor.id);
    const std::int64_t offset = found == offsets.end() ? kNoOffset : found->second;
    if (offset != kNoOffset && (offset < 0 || offset > std::numeric_limits<std::int32_t>::max())) {
      return input_error(
          fmt::format("{}: offset {} is not one of the 31 bits that a model has for it", tensor.id, offset));
    }
    numbers.push_back(offset == kNoOffset ? -1 : static_cast<std::int32_t>(offset));
  }
  return numbers;
}

template <typename T>
void put_at(std::string& out, std::size_t at, T value) {
  std::memcpy(out.data() + at, &value, sizeof(T));
}

/// Bytes in front of the old file, with references into it that are known by their old place.
class Head {
 public:
  std::string bytes;

  template <typename T>
  std::size_t put(T value) {
    const std::size_t at = bytes.size();
    bytes.append(sizeof(T), '\0');
    put_at(bytes, at, value);
    return at;
  }
  /// Zeros until `size` more bytes would end at a multiple of `step`.
  void align(std::size_t step, std::size_t size = 0) {
    while ((bytes.size() + size) % step != 0) bytes += '\0';
  }
  std::size_t reference() { return put(std::uint32_t{0}); }
  void refer_here(std::size_t reference) {
    put_at(bytes, reference, static_cast<std::uint32_t>(bytes.size() - reference));
  }
  void refer_to_old(std::size_t reference, std::size_t old) { old_.emplace_back(reference, old); }
  /// A table whose first field has the smallest offset; every field takes 4 bytes. Returns where they stand.
  std::vector<std::size_t> table(std::size_t reference, const std::vector<bool>& has) {
    align(4, 2 * has.size());
    const std::size_t list = bytes.size();
    put(static_cast<std::uint16_t>(4 + 2 * has.size()));
    const auto fields = static_cast<std::size_t>(std::count(has.begin(), has.end(), true));
    put(static_cast<std::uint16_t>(4 + 4 * fields));
    std::uint16_t offset = 4;
    for (const bool there : has) {
      put(there ? offset : std::uint16_t{0});
      if (there) offset = static_cast<std::uint16_t>(offset + 4);
    }
    refer_here(reference);
    put(static_cast<std::int32_t>(bytes.size() - list));
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < fields; ++i) places.push_back(put(std::uint32_t{0}));
    return places;
  }
  /// Everything, the old file behind it. Nothing when a reference would be too far.
  std::optional<std::string> before(std::string_view old) {
    align(kRoom);
    for (const auto& [reference, target] : old_) {
      const std::size_t distance = bytes.size() + target - reference;
      if (distance > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
      put_at(bytes, reference, static_cast<std::uint32_t>(distance));
    }
    return bytes + std::string(old);
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> old_;
};

class Writer {
 public:
  Writer(flat::File& file, std::size_t subgraph, const std::vector<std::int32_t>& offsets)
      : file_(file), model_(file.root()), subgraph_(subgraph), offsets_(offsets) {}

  Result<std::string> run() {
    for (std::size_t field = model_field::kCount; field < model_.fields(); ++field) {
      if (model_.has(field)) return input_error("the model has fields that are newer than this program");
    }
    const auto buffers = targets(model_field::kBuffers);
    write_root();
    write_buffers(buffers);
    write_metadata(buffers.size());
    write_plan();
    auto bytes = head_.before(file_.bytes());
    if (!bytes) return input_error("the model is too large to get a plan");
    move_places(*bytes, bytes->size() - file_.bytes().size());
    return std::move(*bytes);
  }

 private:
  /// Where the elements of a list of tables stand.
  std::vector<std::size_t> targets(std::size_t field) const {
    std::vector<std::size_t> places;
    for (const flat::Table& table : model_.tables(field)) places.push_back(table.at());
    return places;
  }

  void write_root() {
    const std::size_t root = head_.reference();
    head_.bytes += "TFL3";
    std::vector<bool> has;
    for (std::size_t field = 0; field < model_field::kCount; ++field) has.push_back(model_.has(field));
    has[model_field::kBuffers] = true;
    has[model_field::kMetadata] = true;
    const std::vector<std::size_t> places = head_.table(root, has);
    std::size_t next = 0;
    for (std::size_t field = 0; field < model_field::kCount; ++field) {
      if (!has[field]) continue;
      const std::size_t place = places[next++];
      if (field == model_field::kBuffers) {
        buffers_ = place;
      } else if (field == model_field::kMetadata) {
        metadata_ = place;
      } else if (field == model_field::kVersion) {
        put_at(head_.bytes, place, model_.scalar<std::uint32_t>(field));
      } else if (const auto old = model_.place(field, sizeof(std::uint32_t))) {
        if (const auto target = file_.follow(*old, "a list")) head_.refer_to_old(place, *target);
      }
    }
  }

  /// Returns where the reference to the one that is added stands.
  std::size_t write_list(std::size_t reference, const std::vector<std::size_t>& old) {
    head_.refer_here(reference);
    head_.put(static_cast<std::uint32_t>(old.size() + 1));
    for (const std::size_t target : old) head_.refer_to_old(head_.reference(), target);
    return head_.reference();
  }

  void write_buffers(const std::vector<std::size_t>& old) {
    const std::size_t added = write_list(buffers_, old);
    data_ = head_.table(added, {true})[0];
  }

  void write_metadata(std::size_t buffer) {
    std::vector<std::size_t> old;
    for (const flat::Table& table : model_.tables(model_field::kMetadata)) {
      if (!is_replaced(table)) old.push_back(table.at());
    }
    const std::size_t added = write_list(metadata_, old);
    const std::vector<std::size_t> fields = head_.table(added, {true, true});
    put_at(head_.bytes, fields[metadata_field::kBuffer], static_cast<std::uint32_t>(buffer));
    head_.refer_here(fields[metadata_field::kName]);
    head_.put(static_cast<std::uint32_t>(kOfflinePlanName.size()));
    head_.bytes += kOfflinePlanName;
    head_.bytes += '\0';
    head_.align(4);
  }

  /// A plan of the same subgraph, or one of which nobody knows whose it is.
  bool is_replaced(const flat::Table& metadata) const {
    if (metadata.text(metadata_field::kName) != kOfflinePlanName) return false;
    const flat::Table buffer =
        model_.element(model_field::kBuffers, metadata.scalar<std::uint32_t>(metadata_field::kBuffer));
    const flat::Extent data = buffer.vector(buffer_field::kData, 1);
    return data.count < 8 || file_.number<std::uint32_t>(data.at + 4) == subgraph_;
  }

  void write_plan() {
    head_.align(16, sizeof(std::uint32_t));
    head_.refer_here(data_);
    head_.put(static_cast<std::uint32_t>(4 * (3 + offsets_.size())));
    head_.put(std::int32_t{1});
    head_.put(static_cast<std::int32_t>(subgraph_));
    head_.put(static_cast<std::int32_t>(offsets_.size()));
    for (const std::int32_t offset : offsets_) head_.put(offset);
  }

  /// Data of models above 2 GB stand at places counted from the begin of the file, which is `shift` further away now.
  void move_places(std::string& bytes, std::size_t shift) {
    std::set<std::size_t> places;
    const auto take = [&](const flat::Table& table, std::size_t field) {
      if (table.scalar<std::uint64_t>(field) > 1) places.insert(*table.place(field, sizeof(std::uint64_t)));
    };
    for (const flat::Table& buffer : model_.tables(model_field::kBuffers)) take(buffer, buffer_field::kOffset);
    for (const flat::Table& subgraph : model_.tables(model_field::kSubgraphs)) {
      for (const flat::Table& op : subgraph.tables(subgraph_field::kOperators)) {
        take(op, operator_field::kLargeOptionsOffset);
      }
    }
    for (const std::size_t place : places) {
      put_at(bytes, shift + place, file_.number<std::uint64_t>(place) + std::uint64_t{shift});
    }
  }

  flat::File& file_;
  flat::Table model_;
  std::size_t subgraph_;
  const std::vector<std::int32_t>& offsets_;
  Head head_;
  std::size_t buffers_ = 0;  // references in the head that are yet to be set
  std::size_t metadata_ = 0;
  std::size_t data_ = 0;
};

/// In a sound model every part has bytes of its own; where parts overlap, writing one changes another.
bool reads_back(const std::string& bytes, const Subgraph& model, const std::vector<std::int32_t>& offsets) {
  flat::File file(bytes);
  auto again = read_subgraph(file, {fmt::format("{}", model.index), {}});
  if (!again || again->graph.tensors != model.graph.tensors || again->graph.ops != model.graph.ops) return false;
  const auto plan = find_offline_plan(file, model.index, offsets.size(), again->notes);
  return plan && plan->offsets == offsets;
}

}  // namespace

Result<std::string> write_tflite(const Document& document, const WriteOptions& options) {
  if (document.original == nullptr) {
    return input_error(
        "a plan is written into a copy of the .tflite that it was made for; this document was not read from one, and "
        "convert --into MODEL.tflite says which it is");
  }
  const auto plan = plan_to_write(document, options);
  if (!plan) return tl::unexpected(plan.error());
  if (*plan == nullptr) return input_error("there is no plan to write into the model");

  flat::File file(*document.original);
  const std::size_t index = subgraph_of(document);
  auto subgraph = read_subgraph(file, {fmt::format("{}", index), {}});
  if (!subgraph) return tl::unexpected(subgraph.error());
  const auto offsets = offsets_of_tensors(document, **plan, subgraph->graph);
  if (!offsets) return tl::unexpected(offsets.error());

  std::string bytes = *document.original;
  if (const auto old = find_offline_plan(file, index, offsets->size(), subgraph->notes)) {
    for (std::size_t t = 0; t < offsets->size(); ++t) put_at(bytes, old->at + 4 * t, (*offsets)[t]);
  } else {
    flat::File again(*document.original);
    auto longer = Writer(again, index, *offsets).run();
    if (!longer) return longer;
    if (again.damage()) return input_error("the model is " + again.damage_text());
    bytes = std::move(*longer);
  }
  if (!reads_back(bytes, *subgraph, *offsets)) {
    return input_error("parts of the model share bytes, so that a plan cannot be put into it without harm");
  }
  return bytes;
}

}  // namespace stowage
