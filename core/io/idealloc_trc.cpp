#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/io/address_timeline.h"
#include "core/io/dump.h"
#include "core/io/format.h"

// idealloc's traces of malloc: a byte whose high half is the call (0 malloc, 1 free, 2 calloc, 3 realloc,
// 4 aligned_alloc, 5 memalign, 6 posix_memalign) and whose low half is the number of big-endian 64-bit words that
// follow. The words of a call that gives memory are its arguments, then the start and the size of the block, the
// thread and the base of the mapping; those of free are the pointer and the thread. Time is the number of the call.
// (cappadokes/idealloc, coreba/src/helpe.rs.)

namespace stowage {
namespace {

constexpr std::string_view kFirstBytes("\x05\x12\x26\x36\x46\x56\x67", 7);

struct Event {
  unsigned call = 0;
  std::vector<std::uint64_t> words;
};

/// The event at `at`, which moves behind it; nothing when the file breaks off or it is none.
std::optional<Event> next_event(std::string_view bytes, std::size_t& at) {
  if (at >= bytes.size() || kFirstBytes.find(bytes[at]) == std::string_view::npos) return std::nullopt;
  const auto head = static_cast<unsigned char>(bytes[at]);
  Event event{static_cast<unsigned>(head >> 4U), {}};
  const std::size_t count = head & 0xFU;
  if (bytes.size() - at - 1 < 8 * count) return std::nullopt;
  ++at;
  for (std::size_t i = 0; i < count; ++i, at += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k) word = word << 8U | static_cast<unsigned char>(bytes[at + k]);
    event.words.push_back(word);
  }
  return event;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  Dump dump(name, [name](std::uint64_t at) { return fmt::format("{}: byte {}: ", name, at); });
  std::size_t at = 0;
  AddressTimeline timeline([&](std::int64_t, const std::string& text) { dump.note_at(at, text); });
  std::int64_t time = 0;
  while (at < bytes.size()) {
    const std::size_t begin = at;
    const auto event = next_event(bytes, at);
    if (!event) {
      dump.leave_out(begin, "from here on there is no further call, or only a part of one");
      break;
    }
    const std::vector<std::uint64_t>& words = event->words;
    const auto take_back = [&](std::uint64_t address) {
      if (timeline.knows(address)) return timeline.free_completed(time, address, 0);
      dump.note_at(begin, fmt::format("frees 0x{:x}, which this trace never gave out", address));
    };
    if (event->call == 1) {
      take_back(words[0]);
      ++time;
      continue;
    }
    const std::uint64_t size = words[words.size() - 3];
    if (event->call == 3 && words[0] != 0) take_back(words[0]);
    if (size > static_cast<std::uint64_t>(kMaxInt64)) {
      dump.leave_out(begin, fmt::format("the size {} is above 2^63-1", size));
      ++time;
      continue;
    }
    AddressUse use;
    use.address = words[words.size() - 4];
    use.size = static_cast<std::int64_t>(size);
    use.at = begin;
    timeline.alloc(time++, use);
  }
  add_uses(dump, "heap", timeline.finish(time), options.times);
  dump.input.time_unit = "call";
  return dump.finish("idealloc-trc", rule_name(options.times, TimeRule::kHalfOpen));
}

/// Whether what stands at `at` begins like an event and is cut off.
bool is_torn(std::string_view bytes, std::size_t at) {
  const bool begins = at < bytes.size() && kFirstBytes.find(bytes[at]) != std::string_view::npos;
  return begins && bytes.size() - at - 1 < 8 * (static_cast<unsigned char>(bytes[at]) & std::size_t{0xF});
}

/// Several calls in a row, or as many as there are; no first argument of a call fills all 64 bits, and no text has
/// zeros.
bool sniff(std::string_view bytes) {
  if (bytes.size() < 2 || bytes[1] != '\0') return false;
  constexpr int most = 16;
  std::size_t at = 0;
  int events = 0;
  for (; events < most && at < bytes.size(); ++events) {
    if (!next_event(bytes, at)) break;
  }
  return events == most || events > 2 || (events > 0 && (at >= bytes.size() || is_torn(bytes, at)));
}

}  // namespace

Format idealloc_trc_format() {
  Format format;
  format.id = "idealloc-trc";
  format.title = "idealloc malloc trace";
  format.extension = ".trc";
  format.summary = "binary records of malloc and free at the addresses of a real heap";
  format.sniff = sniff;
  format.binary = true;
  format.read = read;
  return format;
}

}  // namespace stowage
