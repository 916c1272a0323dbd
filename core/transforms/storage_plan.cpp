#include "core/transforms/storage_plan.h"

#include <algorithm>

namespace stowage {

Entries::Entries(const Staged& staged) : graph_(staged.graph), storages_(find_storages(staged)) {
  const std::size_t count = graph_.tensors().size();
  bytes_.assign(count, 0);
  readers_.assign(count, 0);
  outputs_.assign(count, 0);
  for (TensorIndex t = 0; t < count; ++t) {
    const TensorIndex entry = of(t);
    bytes_[entry] = std::max(bytes_[entry], storages_.offset[t] + graph_.tensor(t).bytes.value_or(0));
    readers_[entry] += static_cast<std::int64_t>(graph_.readers(t).size());
    if (!graph_.is_output(t)) continue;
    ++outputs_[entry];
    ++readers_[entry];
  }
}

bool Entries::is_known(TensorIndex entry) const {
  return graph_.tensor(entry).bytes.has_value();
}

std::vector<TensorIndex> Entries::read_by(OpIndex n) const {
  const Op& op = graph_.op(n);
  std::vector<TensorIndex> entries;
  for (std::size_t slot = 0; slot < op.in.size(); ++slot) {
    const bool ignored = std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) != op.ignored_inputs.end();
    if (!ignored) entries.push_back(of(op.in[slot]));
  }
  return entries;
}

std::vector<TensorIndex> Entries::made_by(OpIndex n) const {
  std::vector<TensorIndex> entries;
  for (const TensorIndex t : graph_.op(n).out) {
    if (of(t) == t) entries.push_back(t);
  }
  return entries;
}

std::uint32_t StoragePlan::open(TensorIndex entry, std::int64_t bytes) {
  storages.push_back(SharedStorage{});
  const auto storage = static_cast<std::uint32_t>(storages.size() - 1);
  put(entry, storage, bytes);
  return storage;
}

void StoragePlan::put(TensorIndex entry, std::uint32_t storage, std::int64_t bytes) {
  storages[storage].members.push_back(entry);
  storages[storage].bytes = std::max(storages[storage].bytes, bytes);
  storage_of[entry] = storage;
}

void StoragePlan::complete(const Entries& entries) {
  for (TensorIndex t = 0; t < storage_of.size(); ++t) {
    if (storage_of[t] == kNoStorage) storage_of[t] = storage_of[entries.of(t)];
  }
}

std::int64_t StoragePlan::total() const {
  std::int64_t total = 0;
  for (const SharedStorage& storage : storages) total += storage.bytes;
  return total;
}

}  // namespace stowage
