#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"

namespace stowage {
namespace {

constexpr const char* kId = "slab";

struct Settings {
  std::int64_t smallest = 64;
  bool doubling = false;  // classes are powers of two times the smallest; else each is a quarter above the last
  std::int64_t objects = 16;
  std::int64_t empties = 1;
  std::int64_t largest = std::int64_t{1} << 20U;  // requests above have segments of their own
};

/// Objects of one size, side by side in one segment.
struct Slab {
  std::vector<BlockId> objects;
  std::set<std::size_t> free;  // positions
  bool is_empty() const { return free.size() == objects.size(); }
};

struct SizeClass {
  std::int64_t size = 0;
  std::uint32_t group = 0;
  std::map<std::uint32_t, Slab> slabs;  // by segment, so in the order of opening
  std::set<std::uint32_t> partial;      // some objects are free, some are not
  std::set<std::uint32_t> empty;
};

/// Requests are rounded to size classes; each class has slabs of equal objects and nothing is ever split or merged.
class SlabPool : public PoolSimulator {
 public:
  SlabPool(const PoolSetup& setup, Settings settings)
      : PoolSimulator(setup, FreeOrder::kAddress), settings_(settings), own_(heap_.add_group("own segment")) {
    for (std::int64_t size = settings.smallest; size <= settings.largest; size = next_size(size)) {
      sizes_.push_back(size);
    }
    if (sizes_.empty() || sizes_.back() < settings.largest) sizes_.push_back(settings.largest);
    classes_.resize(sizes_.size());
  }

  Grant allocate(BufferIndex i) override {
    const Allocation& asked = request(i);
    if (asked.bytes == 0) {
      if (records()) say_next(i, "nothing is asked for, nothing is given");
      return Grant::nothing();
    }
    if (sizes_.empty() || asked.bytes > sizes_.back()) return allocate_alone(i);
    const auto number =
        static_cast<std::size_t>(std::lower_bound(sizes_.begin(), sizes_.end(), asked.bytes) - sizes_.begin());
    SizeClass& kind = class_at(number);
    if (records()) say_next(i, fmt::format("size class {}", format_exact_bytes(kind.size)));
    if (kind.partial.empty() && kind.empty.empty() && !open_slab(kind)) {
      return Grant::failure(kind.size * settings_.objects, heap_.available());
    }
    return take_object(i, kind);
  }

  void free(BufferIndex i) override {
    const BlockId block = block_of_[i];
    heap_.release(block);
    if (heap_[block].group == own_) {
      heap_.close_segment(block);
      if (records()) say_freed(i, "its segment goes back to the device");
      return;
    }
    --used_;
    SizeClass& kind = classes_[class_of_[heap_[block].group]];
    const std::uint32_t number = heap_[block].segment;
    Slab& slab = kind.slabs.at(number);
    slab.free.insert(position_.at(block));
    if (!slab.is_empty()) {
      kind.partial.insert(number);
      if (records()) say_freed(i, "its slab has others in it");
      return;
    }
    kind.partial.erase(number);
    kind.empty.insert(number);
    const bool too_many = static_cast<std::int64_t>(kind.empty.size()) > settings_.empties;
    if (too_many) close_slab(kind, number);
    if (records()) {
      say_freed(i, too_many ? "its slab is empty and goes back: enough empty ones are kept" : "its slab is empty");
    }
  }

  void empty() override {
    for (SizeClass& kind : classes_) {
      while (!kind.empty.empty()) close_slab(kind, *kind.empty.begin());
    }
    if (records()) say_note("all empty slabs go back to the device");
  }

  std::vector<PoolFact> facts() const override { return {{"objects used at most", used_highest_, false}}; }

 private:
  std::int64_t next_size(std::int64_t size) const {
    return settings_.doubling ? 2 * size : align_up(size + (size + 3) / 4, 8);
  }

  SizeClass& class_at(std::size_t number) {
    SizeClass& kind = classes_[number];
    if (kind.size == 0) {
      kind.size = sizes_[number];
      kind.group = heap_.add_group("objects of " + format_exact_bytes(kind.size));
      class_of_[kind.group] = number;
    }
    return kind;
  }

  bool open_slab(SizeClass& kind) {
    BlockId block = heap_.open_segment(kind.size * settings_.objects, kind.group);
    if (block == kNoBlock) return false;
    const std::uint32_t number = heap_[block].segment;
    Slab& slab = kind.slabs[number];
    for (std::int64_t k = 0; k < settings_.objects; ++k) {
      position_[block] = slab.objects.size();
      slab.free.insert(slab.objects.size());
      slab.objects.push_back(block);
      if (heap_[block].size > kind.size) block = heap_.split(block, kind.size);
    }
    kind.empty.insert(number);
    if (records()) {
      say_note(fmt::format("every slab of the class is full: a new one of {} objects", settings_.objects));
    }
    return true;
  }

  void close_slab(SizeClass& kind, std::uint32_t number) {
    const Slab& slab = kind.slabs.at(number);
    BlockId whole = slab.objects.front();
    for (std::size_t k = 1; k < slab.objects.size(); ++k) whole = heap_.merge(whole, slab.objects[k]);
    heap_.close_segment(whole);
    kind.empty.erase(number);
    kind.slabs.erase(number);
  }

  Grant take_object(BufferIndex i, SizeClass& kind) {
    const bool is_partial = !kind.partial.empty();
    const std::uint32_t number = is_partial ? *kind.partial.begin() : *kind.empty.begin();
    Slab& slab = kind.slabs.at(number);
    const std::size_t position = *slab.free.begin();
    slab.free.erase(slab.free.begin());
    kind.empty.erase(number);
    if (slab.free.empty()) {
      kind.partial.erase(number);
    } else {
      kind.partial.insert(number);
    }
    block_of_[i] = heap_.take(slab.objects[position], kind.size, i, request(i).bytes);
    used_highest_ = std::max(used_highest_, ++used_);
    const std::int64_t address = heap_[block_of_[i]].address;
    if (records()) {
      say_placed(i, address, fmt::format("the lowest free object of the first slab with room, number {}", position));
    }
    return Grant::at(address);
  }

  Grant allocate_alone(BufferIndex i) {
    const std::int64_t bytes = request(i).bytes;
    if (records()) say_next(i, "above the largest class: a segment of its own");
    const BlockId block = bytes > kAddressLimit / 2 ? kNoBlock : heap_.open_segment(bytes, own_);
    if (block == kNoBlock) return Grant::failure(bytes, heap_.available());
    block_of_[i] = heap_.take(block, bytes, i, bytes);
    const std::int64_t address = heap_[block_of_[i]].address;
    if (records()) say_placed(i, address, "from the device");
    return Grant::at(address);
  }

  Settings settings_;
  std::uint32_t own_;
  std::vector<std::int64_t> sizes_;
  std::vector<SizeClass> classes_;
  std::unordered_map<std::uint32_t, std::size_t> class_of_;  // by group
  std::unordered_map<BlockId, std::size_t> position_;        // of an object in its slab
  std::int64_t used_ = 0;
  std::int64_t used_highest_ = 0;
};

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  Settings settings;
  const auto smallest = bytes_param(setup.params, "smallest", kId, 8);
  const auto largest = bytes_param(setup.params, "largest", kId);
  const auto objects = count_param(setup.params, "objects", kId, 1, 4096);
  const auto empties = count_param(setup.params, "empties", kId, 0, 1'000'000);
  if (!smallest) return tl::unexpected(smallest.error());
  if (!largest) return tl::unexpected(largest.error());
  if (!objects) return tl::unexpected(objects.error());
  if (!empties) return tl::unexpected(empties.error());
  if (*largest > kAddressLimit >> 16U) return usage_error(fmt::format("{}: largest is at most 2^46", kId));
  settings.smallest = *smallest;
  settings.largest = *largest;
  settings.doubling = setup.params.at("classes") == "doubling";
  settings.objects = *objects;
  settings.empties = *empties;
  return std::unique_ptr<PoolSimulator>(std::make_unique<SlabPool>(setup, settings));
}

}  // namespace

Pool slab_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Slab";
  pool.summary = "Size classes, each with slabs of equal objects; nothing is split, nothing is merged.";
  pool.source = "Bonwick, The slab allocator, USENIX Summer 1994; classes as in memcached";
  pool.params = {
      {"classes", "the sizes: a quarter more each time, or twice as much", "quarters", {"quarters", "doubling"}, true},
      {"smallest", "the smallest class", "64", {"16", "64", "512"}, false},
      {"largest", "requests above have segments of their own", "1MiB", {"64KiB", "1MiB", "64MiB"}, false},
      {"objects", "objects in a slab", "16", {"1", "8", "16", "64"}, false},
      {"empties", "empty slabs that a class keeps", "1", {"0", "1", "4"}, false},
  };
  pool.make = make;
  return pool;
}

}  // namespace stowage
