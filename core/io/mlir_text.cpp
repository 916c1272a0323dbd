#include "core/io/mlir_text.h"

#include "core/base/text.h"
#include "core/io/text_lines.h"

namespace stowage::mlir {

std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find("//"));
}

void read_constant(std::string_view line, Constants& constants) {
  const auto parts = split_first(line, "=");
  if (!parts) return;
  const std::string_view name = trim(parts->before);
  LineScan scan(trim(parts->after));
  const bool generic = scan.take("\"");
  if (!name.starts_with('%') ||
      !(scan.take("arith.constant") || scan.take("index.constant") || scan.take("constant"))) {
    return;
  }
  if (generic) {  // "arith.constant"() <{value = 64 : index}> : () -> index
    const auto given = split_first(scan.rest(), "{value = ");
    scan = LineScan(given ? given->after : std::string_view());
  }
  const auto value = scan.blanks().integer();
  if (value && (scan.at_end() || scan.blanks().rest().starts_with(":") || scan.rest().starts_with("}"))) {
    constants.insert_or_assign(std::string(name), *value);
  }
}

std::optional<std::int64_t> value_in_name(std::string_view name) {
  if (!name.starts_with("%c")) return std::nullopt;
  name.remove_prefix(2);
  if (name.empty() || name[0] < '0' || name[0] > '9') return std::nullopt;
  return parse_int(name.substr(0, name.find('_')));
}

std::optional<Constants> given_sizes(std::string_view text) {
  Constants sizes;
  if (trim(text).empty()) return sizes;
  for (const std::string& part : split(std::string(text), ',')) {
    const auto pair = split_first(part, "=");
    const auto value = pair ? parse_int(pair->after) : std::nullopt;
    if (!value || *value < 0) return std::nullopt;
    const std::string_view name = trim(pair->before);
    sizes.insert_or_assign(name.starts_with('%') ? std::string(name) : "%" + std::string(name), *value);
  }
  return sizes;
}

std::optional<std::int64_t> element_bytes(std::string_view type) {
  type = trim(type);
  std::int64_t factor = 1;
  constexpr int most_levels = 8;  // vector<4xcomplex<f32>>
  for (int level = 0; level < most_levels; ++level) {
    if (type.starts_with("complex<") && type.ends_with('>')) {
      type = trim(type.substr(8, type.size() - 9));
      if (__builtin_mul_overflow(factor, std::int64_t{2}, &factor)) return std::nullopt;
    } else if (type.starts_with("vector<") && type.ends_with('>')) {
      type = trim(type.substr(7, type.size() - 8));
      LineScan scan(type);
      for (LineScan ahead = scan;; scan = ahead) {
        const auto count = ahead.natural();
        if (!count || !ahead.take("x")) break;
        if (*count > 0x7FFFFFFF || __builtin_mul_overflow(factor, static_cast<std::int64_t>(*count), &factor)) {
          return std::nullopt;
        }
      }
      type = scan.rest();
    } else {
      break;
    }
  }
  if (type == "index")
    return __builtin_mul_overflow(factor, std::int64_t{8}, &factor) ? std::nullopt : std::optional(factor);
  LineScan scan(type);
  if (!(scan.take("bf") || scan.take("f") || scan.take("si") || scan.take("ui") || scan.take("i") || scan.take("tf"))) {
    return std::nullopt;
  }
  const auto bits = scan.natural();
  constexpr std::uint64_t widest = 1U << 24U;  // of an integer of MLIR
  if (!bits || *bits == 0 || *bits > widest) return std::nullopt;
  const auto bytes = static_cast<std::int64_t>((*bits + 7) / 8);
  return __builtin_mul_overflow(factor, bytes, &factor) ? std::nullopt : std::optional(factor);
}

}  // namespace stowage::mlir
