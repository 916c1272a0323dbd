#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/chunked.h"
#include "core/base/integers.h"
#include "core/io/read_watch.h"

namespace stowage {

/// Plain data out of a large file (a pickle, a JSON text): numbers, texts, lists and dicts, 8 bytes a value. Texts are
/// views of the file. Dicts with the same keys in the same order share them, as objects of one class do: an event
/// costs its values only. Small dicts with the same values share these as well. Containers may hold themselves (pickles
/// can say that), so nobody may walk all of it blindly.
class ValueTree {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kInteger, kBigInteger, kNoInteger, kText, kList, kDict };

  /// One value; means something only together with its tree.
  struct Value {
    std::uint64_t bits = 0;
    Kind kind() const { return static_cast<Kind>(bits & 0xFU); }
    bool operator==(const Value&) const = default;
  };

  /// A key that is looked up in many dicts; remembers where it stands in each class of them.
  class Key {
   public:
    explicit Key(std::string_view name) : name_(name) {}

   private:
    friend class ValueTree;
    static constexpr std::int32_t kUnknown = -2;
    std::string name_;
    mutable std::vector<std::int32_t> at_;  // by shape; -1: it is not there
  };

  // Building.
  static Value null() { return {}; }
  static Value boolean(bool value) { return {(value ? 0x10U : 0U) | static_cast<std::uint64_t>(Kind::kBool)}; }
  /// A number that is no integer, or one of more than 64 bits.
  static Value no_integer() { return {static_cast<std::uint64_t>(Kind::kNoInteger)}; }
  /// A number that is no integer, of kind kNoInteger as well, whose value is kept.
  Value real(double value);
  Value integer(std::int64_t value);
  Value natural(std::uint64_t value);
  /// `text` must outlive the tree.
  Value text(std::string_view text);
  /// A text that is kept in the tree.
  Value own_text(std::string text);
  Value list();
  Value dict();
  void append(Value list, std::span<const Value> items);
  /// Keys and values in turn. Pairs whose key is neither text nor integer, or not to be kept, are dropped.
  void set(Value dict, std::span<const Value> pairs);

  // What nobody is going to look at need not be stored; to be said before building.
  /// Of dicts only the pairs under these keys are kept.
  void keep_only(const std::vector<std::string_view>& keys);
  /// Of what is added to a list at a time, a part is kept.
  using Part = std::function<std::span<const Value>(std::span<const Value> items)>;
  void keep_of_lists(Part part) { part_ = std::move(part); }

  // Reading. Of a value of another kind: nothing, or empty.
  std::optional<std::int64_t> to_int64(Value value) const;
  std::optional<std::uint64_t> to_uint64(Value value) const;
  /// The same of a text of digits: programs quote numbers of 64 bits, since many others read them as doubles.
  std::optional<std::int64_t> quoted_int64(Value value) const;
  /// Of an integer, or of what real() made.
  std::optional<double> to_double(Value value) const;
  std::string_view to_text(Value value) const;
  /// The last value under a key; null when there is none.
  Value find(Value dict, const Key& key) const;
  std::uint64_t size(Value list) const;
  /// Calls visit(Value) for each item of a list until it says false.
  template <typename Visit>
  void for_each(Value list, Visit&& visit) const {
    if (list.kind() != Kind::kList) return;
    for (std::uint32_t c = containers_[payload(list)].first; c != kNone; c = chunks_[c].next) {
      const Chunk chunk = chunks_[c];
      for (std::uint64_t i = 0; i < chunk.size; ++i) {
        if (!visit(Value{values_[chunk.begin + i]})) return;
      }
    }
  }

  /// Calls visit(std::string_view key, Value) for each pair of a dict.
  template <typename Visit>
  void for_each_pair(Value dict, Visit&& visit) const {
    if (dict.kind() != Kind::kDict) return;
    for (std::uint32_t c = containers_[payload(dict)].first; c != kNone; c = chunks_[c].next) {
      const std::vector<std::uint32_t>& keys = shapes_[chunks_[c].size];
      for (std::size_t i = 0; i < keys.size(); ++i) visit(keys_[keys[i]], Value{values_[chunks_[c].begin + i]});
    }
  }

  /// Roughly what all of it occupies.
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kShared = kNone - 1;  // as Container::last: its chunk is that of others, too
  struct Chunk {
    std::uint64_t begin = 0;  // in values_
    std::uint32_t size = 0;   // of a list: items; of a dict: its shape
    std::uint32_t next = kNone;
  };
  struct Container {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  /// What a small dict holds.
  struct SmallDict {
    static constexpr std::size_t kMost = 3;
    std::uint32_t shape = 0;
    std::array<std::uint64_t, kMost> values = {};
    bool operator==(const SmallDict&) const = default;
  };
  struct SmallDictHash {
    std::size_t operator()(const SmallDict& dict) const;
  };

  static std::size_t payload(Value value) { return value.bits >> 4U; }
  static Value make(Kind kind, std::uint64_t payload) { return {payload << 4U | static_cast<std::uint64_t>(kind)}; }
  void add_chunk(Value container, Chunk chunk);
  void add_dict(Value dict, std::uint64_t begin, std::uint32_t shape);
  /// What the keys of a dict come to; objects of one class have the same ones again and again.
  struct KeyList {
    std::vector<Value> keys;
    std::vector<std::size_t> kept;  // positions of those that are kept
    std::uint32_t shape = kNone;
  };
  const KeyList& key_list(std::span<const Value> pairs);
  std::optional<std::uint32_t> key_number(Value key);
  std::uint32_t shape_number(std::span<const std::uint32_t> keys);
  std::int32_t position(std::uint32_t shape, const Key& key) const;

  Chunked<std::uint64_t> values_;
  Chunked<Chunk> chunks_;
  Chunked<Container> containers_;
  Chunked<std::string_view> texts_;
  std::deque<std::string> own_texts_;
  std::size_t own_bytes_ = 0;
  std::deque<Int128> big_;
  std::deque<double> reals_;
  Part part_;
  std::array<KeyList, 16> key_lists_;                         // the last one of each length
  std::optional<std::unordered_set<std::string>> kept_keys_;  // of all when there is none
  std::vector<std::string_view> keys_;
  std::unordered_map<std::string_view, std::uint32_t> key_numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> key_of_value_;  // kNone: not kept
  std::vector<std::vector<std::uint32_t>> shapes_;
  std::unordered_map<std::string, std::uint32_t> shape_numbers_;
  std::unordered_map<SmallDict, std::uint32_t, SmallDictHash> small_dicts_;  // their chunks
  std::size_t shape_bytes_ = 0;
};

/// Fills a tree from a JSON text that passed json::validate. Texts that occur often are stored once.
ValueTree::Value read_json_tree(std::string_view text, ValueTree& tree, WatchedPass pass = {});

}  // namespace stowage
