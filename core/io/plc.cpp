#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/dump.h"
#include "core/io/format.h"

// Placements of idealloc: records of eight big-endian 64-bit numbers without a header: id, birth, death, size, heap
// base, offset, alignment (0: none), requested size. Lives are [birth, death). Where nothing was placed, heap, offset
// and alignment are zero throughout. (cappadokes/idealloc, coreba/src/helpe.rs.)

namespace stowage {
namespace {

constexpr std::size_t kNumbers = 8;
constexpr std::size_t kRecord = 8 * kNumbers;

struct Record {
  std::uint64_t id = 0, birth = 0, death = 0, size = 0, heap = 0, offset = 0, alignment = 0, requested = 0;
};

std::uint64_t number_at(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

Record record_at(std::string_view bytes, std::size_t i) {
  std::uint64_t numbers[kNumbers] = {};
  for (std::size_t k = 0; k < kNumbers; ++k) numbers[k] = number_at(bytes.substr(i * kRecord + 8 * k));
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]};
}

bool fits(std::uint64_t value) {
  return value <= static_cast<std::uint64_t>(kMaxInt64);
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  Dump dump(name, [name](std::uint64_t at) { return fmt::format("{}: record {}: ", name, at); });
  const std::size_t count = bytes.size() / kRecord;
  if (count == 0) return input_error(name + ": shorter than one record of 64 bytes");
  if (bytes.size() % kRecord != 0) {
    dump.leave_out(count, fmt::format("the file breaks off after {} of 64 bytes", bytes.size() % kRecord));
  }
  bool placed = count == 1;
  for (std::size_t i = 0; i < count; ++i) placed = placed || record_at(bytes, i).offset != 0;
  if (!placed) dump.note("all offsets are 0: this is a problem, not a placement");
  for (std::size_t i = 0; i < count; ++i) {
    const Record record = record_at(bytes, i);
    if (!fits(record.birth) || !fits(record.death) || !fits(record.size) || !fits(record.offset) ||
        !fits(record.alignment) || record.birth > record.death) {
      dump.leave_out(i, "not a buffer: a number above 2^63-1, or a death before the birth");
      continue;
    }
    const auto space = dump.space(record.heap == 0 ? "memory" : fmt::format("heap 0x{:x}", record.heap));
    const auto end = half_open_end(static_cast<std::int64_t>(record.death), options.times);
    if (!space || !end) {
      dump.leave_out(i, "there are too many heaps, or the time is too late");
      continue;
    }
    dump.set_base(*space, record.heap);
    Buffer buffer;
    buffer.start = static_cast<std::int64_t>(record.birth);
    buffer.end = *end;
    buffer.size = static_cast<std::int64_t>(record.size);
    buffer.alignment = std::max<std::int64_t>(static_cast<std::int64_t>(record.alignment), 1);
    buffer.space = *space;
    Details details;
    if (record.requested != record.size && record.requested != 0 && fits(record.requested)) {
      details.requested = static_cast<std::int64_t>(record.requested);
      if (record.requested > record.size) dump.note_at(i, "more was requested than there is");
    }
    dump.add(std::to_string(record.id), buffer, placed ? static_cast<std::int64_t>(record.offset) : kNoOffset, i,
             std::move(details));
  }
  dump.input.time_unit = "step";
  return dump.finish("plc", rule_name(options.times, TimeRule::kHalfOpen));
}

/// All zero bytes but the low ones of the first record make sense: ids are 32-bit numbers.
bool sniff(std::string_view bytes) {
  if (bytes.size() < kRecord || bytes.substr(0, 4) != std::string_view("\0\0\0\0", 4)) return false;
  const Record first = record_at(bytes, 0);
  return first.birth <= first.death && fits(first.death) && fits(first.size) && fits(first.offset) &&
         first.alignment <= (std::uint64_t{1} << 40U) && fits(first.requested) && first.death > 0;
}

void append(std::string& out, std::uint64_t value) {
  for (unsigned shift = 64; shift > 0; shift -= 8)
    out += static_cast<char>(static_cast<unsigned char>(value >> (shift - 8)));
}

/// The ids of the file where all of them are different 32-bit numbers, else the numbers of the rows.
std::vector<std::uint64_t> numbers_for(const Problem& problem) {
  std::vector<std::uint64_t> numbers;
  std::set<std::int64_t> seen;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto id = parse_int(problem.id(i));
    if (!id || *id < 0 || *id > 0xFFFFFFFF || !seen.insert(*id).second) break;
    numbers.push_back(static_cast<std::uint64_t>(*id));
  }
  if (numbers.size() == problem.size()) return numbers;
  numbers.clear();
  for (BufferIndex i = 0; i < problem.size(); ++i) numbers.push_back(i);
  return numbers;
}

Result<std::string> write(const Document& document, const WriteOptions& options) {
  const Problem& problem = *document.problem;
  const auto plan = plan_to_write(document, options);
  if (!plan) return tl::unexpected<Error>(plan.error());
  if (problem.size() == 0) {
    return input_error("a .plc has no header: without a buffer it would be an empty file, which nothing can read");
  }
  std::map<std::uint64_t, std::size_t> bases;
  for (const Space& space : problem.spaces()) ++bases[space.base];
  if (bases.size() < problem.spaces().size()) {
    return input_error("a .plc tells spaces apart by their base addresses, and two of these have the same");
  }
  const std::vector<std::uint64_t> ids = numbers_for(problem);
  std::string out;
  out.reserve(problem.size() * kRecord);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    const std::int64_t offset = *plan == nullptr ? 0 : (*plan)->offsets[i];
    if (buffer.start < 0 || offset < 0) {
      return input_error(fmt::format("a .plc holds neither negative times nor offsets, nor buffers without a place: {}",
                                     shown(problem.id(i))));
    }
    const Details* details = problem.details(i);
    const std::int64_t requested = details != nullptr && details->requested ? *details->requested : buffer.size;
    for (const std::uint64_t value :
         {ids[i], static_cast<std::uint64_t>(buffer.start), static_cast<std::uint64_t>(buffer.end),
          static_cast<std::uint64_t>(buffer.size), problem.spaces()[buffer.space].base,
          static_cast<std::uint64_t>(offset),
          buffer.alignment == 1 ? std::uint64_t{0} : static_cast<std::uint64_t>(buffer.alignment),
          static_cast<std::uint64_t>(std::max<std::int64_t>(requested, 0))}) {
      append(out, value);
    }
  }
  return out;
}

}  // namespace

Format plc_format() {
  Format format;
  format.id = "plc";
  format.title = "idealloc placement";
  format.extension = ".plc";
  format.summary = "binary records of idealloc: lifetimes, sizes and offsets; no names, kinds or gaps";
  format.sniff = sniff;
  format.binary = true;
  format.read = read;
  format.write = write;
  return format;
}

}  // namespace stowage
