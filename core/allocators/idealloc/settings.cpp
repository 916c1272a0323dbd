#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/allocators/idealloc/solver.h"
#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

ParamSpec param(std::string key, std::string summary, std::string value, std::vector<std::string> choices,
                bool closed) {
  ParamSpec spec;
  spec.key = std::move(key);
  spec.summary = std::move(summary);
  spec.value = std::move(value);
  spec.choices = std::move(choices);
  spec.closed = closed;
  return spec;
}

std::optional<double> parse_real(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Error not_a_value(std::string_view key, const std::string& value, std::string_view wanted) {
  return Error{Error::Kind::kUsage, fmt::format("{}: '{}' is not {}", key, value, wanted)};
}

}  // namespace

std::vector<ParamSpec> common_params() {
  return {
      param("worst_case_overhead", "stop at a plan this much above the load", "0%", {"0%", "1%", "5%"}, false),
      param("bootstrap", "first fit by size first; false: boxes only, for comparison", "true", {"true", "false"}, true),
      param("epsilon", "auto: searched; a number above 0 sets mu of all rounds: epsilon / (log2 r)^2", "auto", {"auto"},
            false),
      param("level_height", "bytes of a box in all rounds but the last; small values show deep boxing", "auto",
            {"auto"}, false),
      param("height", "bytes of a box in the last round, at least what the largest job needs", "auto", {"auto"}, false),
      param("dummy", "true: a job of 2216 times the smallest size is added where sizes differ too little", "true",
            {"true", "false"}, true),
      param("start_address", "nothing lies below this offset", "0", {"0", "64", "4096"}, false),
  };
}

Result<Settings> read_settings(const ParamValues& params) {
  Settings settings;
  settings.bootstrap = params.at("bootstrap") == "true";
  settings.dummy = params.at("dummy") == "true";
  const auto overhead = parse_ratio(params.at("worst_case_overhead"));
  if (!overhead) return tl::unexpected(not_a_value("worst_case_overhead", params.at("worst_case_overhead"), "a ratio"));
  settings.overhead = *overhead;
  const auto start = parse_bytes(params.at("start_address"));
  if (!start) return tl::unexpected(not_a_value("start_address", params.at("start_address"), "a number of bytes"));
  settings.start_address = *start;
  if (const std::string& text = params.at("epsilon"); text != "auto") {
    const auto epsilon = parse_real(text);
    if (!epsilon || *epsilon <= 0) return tl::unexpected(not_a_value("epsilon", text, "auto or a number above 0"));
    settings.by_hand.epsilon = *epsilon;
  }
  const auto read_height = [&](std::string_view key, std::optional<std::int64_t>& height) -> Result<void> {
    const std::string& text = params.at(std::string(key));
    if (text == "auto") return {};
    height = parse_bytes(text);
    if (!height || *height < 1) return tl::unexpected(not_a_value(key, text, "auto or a number of bytes above 0"));
    return {};
  };
  if (const auto read = read_height("level_height", settings.by_hand.level_height); !read) {
    return tl::unexpected(read.error());
  }
  if (const auto read = read_height("height", settings.by_hand.height); !read) return tl::unexpected(read.error());
  return settings;
}

}  // namespace stowage::idealloc
