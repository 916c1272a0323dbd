#include "tests/conform/pool_trace.h"

#include <regex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/trace_text.h"

namespace stowage::conform {
namespace {

tl::unexpected<Error> refused(std::string why) {
  return fail(Error::Kind::kRefused, std::move(why));
}

std::int64_t unit_of(const std::string& name) {
  const std::string unit = to_lower(name);
  if (unit == "kib") return std::int64_t{1} << 10U;
  if (unit == "mib") return std::int64_t{1} << 20U;
  if (unit == "gib") return std::int64_t{1} << 30U;
  return 1;
}

/// "8,388,608" as a number; nothing for anything else.
std::optional<std::int64_t> grouped_number(std::string text) {
  std::erase(text, ',');
  return parse_int(text);
}

class Writer {
 public:
  /// False when the event cannot happen; why() tells.
  bool alloc(const std::string& id, std::int64_t bytes, std::int32_t stream = 0, bool is_static = false) {
    live_.push_back(id);
    return took(builder_.alloc(time_++, id, bytes, stream, is_static));
  }
  bool alloc(std::int64_t bytes, bool is_static = false) {
    return alloc(std::to_string(count_++), bytes, 0, is_static);
  }
  bool free(const std::string& id) {
    std::erase(live_, id);
    return took(builder_.free(time_++, id, {}));
  }
  bool use(const std::string& id, std::int32_t stream) { return took(builder_.use(time_++, id, stream)); }
  bool reset() { return took(builder_.reset(time_++)); }
  bool empty() { return took(builder_.empty(time_++)); }
  bool free_all() {
    for (const std::string& id : std::exchange(live_, {})) {
      if (!took(builder_.free(time_++, id, {}))) return false;
    }
    return true;
  }
  bool batch(const std::vector<std::int64_t>& sizes) {
    for (const std::int64_t bytes : sizes) {
      if (!alloc(bytes)) return false;
    }
    return free_all();
  }

  const std::string& why() const { return why_; }
  Trace take() { return builder_.take(); }

 private:
  bool took(const TraceBuilder::Fault& fault) {
    why_ = fault.value_or("");
    return !fault;
  }

  TraceBuilder builder_;
  std::int64_t time_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::string> live_;
  std::string why_;
};

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool add_event(Writer& writer, const json& event) {
  const std::string op = event.at(0);
  if (op == "alloc" || op == "malloc") {
    if (event.at(1).is_number()) return writer.alloc(event.at(1).get<std::int64_t>());
    return writer.alloc(event.at(1), event.at(2), event.size() > 3 ? event.at(3).get<std::int32_t>() : 0);
  }
  if (op == "static" || op == "dynamic") return writer.alloc(event.at(1).get<std::int64_t>(), op == "static");
  if (op == "free") return writer.free(text_of(event.at(1)));
  if (op == "use") return writer.use(text_of(event.at(1)), event.at(2));
  if (op == "reset" || op == "reset_dynamic") return writer.reset();
  if (op == "empty" || op == "empty_cache") return writer.empty();
  throw std::invalid_argument("unknown event " + op);
}

/// "N,2N,4N MiB allocated then freed for N=8,9,10".
struct Batches {
  std::vector<std::int64_t> factors;
  std::vector<std::int64_t> values;
  std::int64_t unit = 1;
};
std::optional<Batches> batches_in(const std::string& words) {
  static const std::regex kWords(
      R"(((?:\d*N\s*,\s*)*\d*N)\s*(B|KiB|MiB|GiB)?\s+allocated then freed for N\s*=\s*([\d,\s]+))");
  std::smatch match;
  if (!std::regex_search(words, match, kWords)) return std::nullopt;
  Batches batches;
  batches.unit = unit_of(match[2]);
  for (const std::string& factor : split(match[1].str(), ',')) {
    const std::string digits(trim(std::string_view(factor).substr(0, factor.find('N'))));
    batches.factors.push_back(parse_int(digits).value_or(1));
  }
  for (const std::string& value : split(match[3].str(), ',')) {
    if (const auto number = parse_int(value)) batches.values.push_back(*number);
  }
  return batches;
}

/// False when the part means nothing here, or cannot happen.
bool add_words(Writer& writer, const std::string& part) {
  static const std::regex kRange(R"(\s*alloc (\w+) for \1 in (\d+)\.\.(\d+)\s*)");
  static const std::regex kOne(R"(\s*alloc ([\d,]+)\s*)");
  static const std::regex kLoop(R"(\s*(?:loop |repeat )?(\d+)\s*(?:x|×|\*|times)\s*[\{\[\(](.*)[\}\]\)]\s*)");
  static const std::regex kAll(R"(\s*free all\s*)");
  std::smatch match;
  if (std::regex_match(part, kAll)) return writer.free_all();
  if (std::regex_match(part, match, kOne)) {
    const auto bytes = grouped_number(match[1]);
    return bytes && writer.alloc(*bytes);
  }
  if (std::regex_match(part, match, kRange)) {
    for (std::int64_t s = std::stoll(match[2]); s <= std::stoll(match[3]); ++s) {
      if (!writer.alloc(s)) return false;
    }
    return true;
  }
  if (std::regex_match(part, match, kLoop)) {
    std::vector<std::int64_t> sizes;
    const std::string list = match[2];
    // A comma inside a number has no blank after it.
    static const std::regex kSeparator(R"(,\s+)");
    for (std::sregex_token_iterator it(list.begin(), list.end(), kSeparator, -1), end; it != end; ++it) {
      const auto bytes = grouped_number(it->str());
      if (!bytes) return false;
      sizes.push_back(*bytes);
    }
    for (std::int64_t k = 0; k < std::stoll(match[1]); ++k) {
      if (!writer.batch(sizes)) return false;
    }
    return true;
  }
  if (const auto batches = batches_in(part)) {
    for (const std::int64_t n : batches->values) {
      std::vector<std::int64_t> sizes;
      for (const std::int64_t factor : batches->factors) sizes.push_back(factor * n * batches->unit);
      if (!writer.batch(sizes)) return false;
    }
    return true;
  }
  return false;
}

std::string words_of(const json& from) {
  const std::string words = from.at("trace");
  return words == "see notes" ? from.value("notes", "") : words;
}

}  // namespace

Result<Trace> trace_of_case(const json& from) {
  Writer writer;
  if (from.at("trace").is_array()) {
    for (const json& event : from.at("trace")) {
      try {
        if (!add_event(writer, event)) return refused(fmt::format("{}: {}", event.dump(), writer.why()));
      } catch (const std::exception&) {
        return refused(fmt::format("no event: {}", event.dump()));
      }
    }
    return writer.take();
  }
  const std::string words = words_of(from);
  if (is_trace(words)) {
    std::vector<std::string> warnings;
    return read_trace(words, from.value("name", "case"), false, warnings);
  }
  for (const std::string& part : split(words, ';')) {
    if (!add_words(writer, part)) return refused(fmt::format("no words of a trace: '{}'", part));
  }
  return writer.take();
}

std::vector<std::int64_t> batches_of_case(const json& from) {
  if (!from.at("trace").is_string()) return {};
  const auto batches = batches_in(words_of(from));
  return batches ? batches->values : std::vector<std::int64_t>();
}

std::optional<std::int64_t> capacity_in_words(const std::string& words) {
  static const std::regex kBefore(R"((\d+)\s*(B|KiB|MiB|GiB)\s+(?:pool|limit|arena|capacity))");
  static const std::regex kAfter(R"((?:limit|arena|capacity)\s+(?:of\s+)?(\d+)\s*(B|KiB|MiB|GiB)?)");
  std::smatch match;
  if (!std::regex_search(words, match, kBefore) && !std::regex_search(words, match, kAfter)) return std::nullopt;
  return std::stoll(match[1]) * unit_of(match[2]);
}

}  // namespace stowage::conform
