#include "core/io/value_tree.h"

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace stowage {
namespace {

constexpr std::int64_t kSmall = std::int64_t{1} << 58;
constexpr std::size_t kMostSmallDicts = 100'000;  // distinct ones; what comes later is rarely seen again

}  // namespace

ValueTree::Value ValueTree::integer(std::int64_t value) {
  if (value >= -kSmall && value < kSmall) {
    return {static_cast<std::uint64_t>(value) << 4U | static_cast<std::uint64_t>(Kind::kInteger)};
  }
  big_.push_back(value);
  return make(Kind::kBigInteger, big_.size() - 1);
}

ValueTree::Value ValueTree::natural(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(kMaxInt64)) return integer(static_cast<std::int64_t>(value));
  big_.push_back(value);
  return make(Kind::kBigInteger, big_.size() - 1);
}

ValueTree::Value ValueTree::real(double value) {
  reals_.push_back(value);
  return make(Kind::kNoInteger, reals_.size());  // from 1: no_integer() has 0
}

ValueTree::Value ValueTree::text(std::string_view text) {
  texts_.push_back(text);
  return make(Kind::kText, texts_.size() - 1);
}

ValueTree::Value ValueTree::own_text(std::string text) {
  own_bytes_ += text.size() + sizeof(std::string);
  own_texts_.push_back(std::move(text));
  return this->text(own_texts_.back());
}

ValueTree::Value ValueTree::list() {
  containers_.push_back({});
  return make(Kind::kList, containers_.size() - 1);
}

ValueTree::Value ValueTree::dict() {
  containers_.push_back({});
  return make(Kind::kDict, containers_.size() - 1);
}

void ValueTree::add_chunk(Value container, Chunk chunk) {
  Container& owner = containers_[payload(container)];
  if (owner.last == kShared) {
    chunks_.push_back(chunks_[owner.first]);
    owner.first = owner.last = static_cast<std::uint32_t>(chunks_.size() - 1);
  }
  const auto number = static_cast<std::uint32_t>(chunks_.size());
  chunks_.push_back(chunk);
  if (owner.first == kNone) {
    owner.first = number;
  } else {
    chunks_[owner.last].next = number;
  }
  owner.last = number;
}

void ValueTree::append(Value list, std::span<const Value> items) {
  constexpr std::size_t most = 0x7FFFFFFF;
  if (list.kind() != Kind::kList) return;
  if (part_) items = part_(items);
  if (items.empty()) return;
  Container& owner = containers_[payload(list)];
  const std::uint64_t begin = values_.size();
  for (const Value item : items) values_.push_back(item.bits);
  if (owner.last != kNone) {  // right behind what the list has already
    Chunk& last = chunks_[owner.last];
    if (last.begin + last.size == begin && last.size + items.size() < most) {
      last.size += static_cast<std::uint32_t>(items.size());
      return;
    }
  }
  add_chunk(list, {begin, static_cast<std::uint32_t>(std::min(items.size(), most)), kNone});
}

std::optional<std::uint32_t> ValueTree::key_number(Value key) {
  const auto known = key_of_value_.find(key.bits);
  if (known != key_of_value_.end()) return known->second == kNone ? std::nullopt : std::optional(known->second);
  std::string_view name = to_text(key);
  if (key.kind() == Kind::kInteger) {
    own_texts_.push_back(std::to_string(to_int64(key).value_or(0)));
    own_bytes_ += sizeof(std::string);
    name = own_texts_.back();
  } else if (key.kind() != Kind::kText) {
    return std::nullopt;
  }
  if (kept_keys_ && kept_keys_->count(std::string(name)) == 0) {
    key_of_value_.emplace(key.bits, kNone);
    return std::nullopt;
  }
  const auto [found, added] = key_numbers_.emplace(name, static_cast<std::uint32_t>(keys_.size()));
  if (added) keys_.push_back(name);
  key_of_value_.emplace(key.bits, found->second);
  return found->second;
}

std::uint32_t ValueTree::shape_number(std::span<const std::uint32_t> keys) {
  const std::string name(reinterpret_cast<const char*>(keys.data()), keys.size_bytes());
  const auto [found, added] = shape_numbers_.emplace(name, static_cast<std::uint32_t>(shapes_.size()));
  if (added) {
    shapes_.emplace_back(keys.begin(), keys.end());
    shape_bytes_ += 2 * keys.size_bytes() + 100;
  }
  return found->second;
}

void ValueTree::keep_only(const std::vector<std::string_view>& keys) {
  kept_keys_.emplace();
  for (const std::string_view key : keys) kept_keys_->emplace(key);
}

const ValueTree::KeyList& ValueTree::key_list(std::span<const Value> pairs) {
  const std::size_t count = pairs.size() / 2;
  KeyList& list = key_lists_[count % key_lists_.size()];
  bool same = list.keys.size() == count;
  for (std::size_t k = 0; same && k < count; ++k) same = list.keys[k] == pairs[2 * k];
  if (same) return list;
  list.keys.clear();
  list.kept.clear();
  std::vector<std::uint32_t> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    list.keys.push_back(pairs[2 * k]);
    const auto number = key_number(pairs[2 * k]);
    if (!number) continue;
    numbers.push_back(*number);
    list.kept.push_back(k);
  }
  list.shape = numbers.empty() ? kNone : shape_number(numbers);
  return list;
}

void ValueTree::set(Value dict, std::span<const Value> pairs) {
  if (dict.kind() != Kind::kDict) return;
  const KeyList& list = key_list(pairs);
  const std::uint64_t begin = values_.size();
  for (const std::size_t k : list.kept) values_.push_back(pairs[2 * k + 1].bits);
  if (!list.kept.empty()) add_dict(dict, begin, list.shape);
}

std::size_t ValueTree::SmallDictHash::operator()(const SmallDict& dict) const {
  std::uint64_t hash = dict.shape;
  for (const std::uint64_t value : dict.values) hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(hash ^ hash >> 32U);
}

/// Gives a dict the values behind `begin`; where an equal dict has them already, those.
void ValueTree::add_dict(Value dict, std::uint64_t begin, std::uint32_t shape) {
  const std::uint64_t count = values_.size() - begin;
  Container& owner = containers_[payload(dict)];
  if (count > SmallDict::kMost || owner.first != kNone) return add_chunk(dict, {begin, shape, kNone});
  SmallDict small;
  small.shape = shape;
  for (std::size_t k = 0; k < count; ++k) small.values[k] = values_[begin + k];
  const auto known = small_dicts_.find(small);
  if (known != small_dicts_.end()) {
    values_.cut_to(begin);
    owner = {known->second, kShared};
    return;
  }
  add_chunk(dict, {begin, shape, kNone});
  if (small_dicts_.size() >= kMostSmallDicts) return;
  small_dicts_.emplace(small, owner.first);
  owner.last = kShared;
}

std::optional<std::int64_t> ValueTree::to_int64(Value value) const {
  if (value.kind() == Kind::kInteger) return static_cast<std::int64_t>(value.bits) >> 4;
  if (value.kind() != Kind::kBigInteger) return std::nullopt;
  const Int128 big = big_[payload(value)];
  if (big < kMinInt64 || big > kMaxInt64) return std::nullopt;
  return static_cast<std::int64_t>(big);
}

std::optional<std::uint64_t> ValueTree::to_uint64(Value value) const {
  if (value.kind() == Kind::kBigInteger && big_[payload(value)] >= 0) {
    return static_cast<std::uint64_t>(big_[payload(value)]);
  }
  const auto small = to_int64(value);
  if (!small || *small < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*small);
}

std::optional<std::int64_t> ValueTree::quoted_int64(Value value) const {
  return value.kind() == Kind::kText ? parse_int(to_text(value)) : to_int64(value);
}

std::optional<double> ValueTree::to_double(Value value) const {
  if (value.kind() == Kind::kBigInteger) return static_cast<double>(big_[payload(value)]);
  if (value.kind() == Kind::kNoInteger && payload(value) > 0) return reals_[payload(value) - 1];
  const auto integer = to_int64(value);
  return integer ? std::optional<double>(static_cast<double>(*integer)) : std::nullopt;
}

std::string_view ValueTree::to_text(Value value) const {
  return value.kind() == Kind::kText ? texts_[payload(value)] : std::string_view();
}

std::int32_t ValueTree::position(std::uint32_t shape, const Key& key) const {
  if (key.at_.size() <= shape) key.at_.resize(shapes_.size(), Key::kUnknown);
  std::int32_t& at = key.at_[shape];
  if (at == Key::kUnknown) {
    at = -1;
    const std::vector<std::uint32_t>& keys = shapes_[shape];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys_[keys[i]] == key.name_) at = static_cast<std::int32_t>(i);
    }
  }
  return at;
}

ValueTree::Value ValueTree::find(Value dict, const Key& key) const {
  Value found;
  if (dict.kind() != Kind::kDict) return found;
  for (std::uint32_t c = containers_[payload(dict)].first; c != kNone; c = chunks_[c].next) {
    const std::int32_t at = position(chunks_[c].size, key);
    if (at >= 0) found = Value{values_[chunks_[c].begin + static_cast<std::uint64_t>(at)]};
  }
  return found;
}

std::uint64_t ValueTree::size(Value list) const {
  std::uint64_t count = 0;
  if (list.kind() != Kind::kList) return count;
  for (std::uint32_t c = containers_[payload(list)].first; c != kNone; c = chunks_[c].next) count += chunks_[c].size;
  return count;
}

std::size_t ValueTree::bytes() const {
  constexpr std::size_t node = 64;  // of a hash table, with its key
  return 8 * values_.size() + sizeof(Chunk) * chunks_.size() + sizeof(Container) * containers_.size() +
         sizeof(std::string_view) * texts_.size() + own_bytes_ + sizeof(Int128) * big_.size() +
         sizeof(double) * reals_.size() + shape_bytes_ +
         node * (keys_.size() + key_of_value_.size() + small_dicts_.size());
}

}  // namespace stowage
