#include "core/run/params.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stowage {

Result<ParamValues> complete_params(std::span<const ParamSpec> specs, const ParamValues& given,
                                    std::string_view owner) {
  ParamValues values;
  for (const ParamSpec& spec : specs) values[spec.key] = spec.value;
  for (const auto& entry : given) {
    const std::string& key = entry.first;
    const std::string& value = entry.second;
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.key == key; });
    if (spec == specs.end()) {
      std::vector<std::string> keys;
      for (const ParamSpec& known : specs) keys.push_back(known.key);
      return usage_error(keys.empty()
                             ? fmt::format("{} has no parameters, so no '{}'", owner, key)
                             : fmt::format("{} has no parameter '{}'; it has: {}", owner, key, fmt::join(keys, ", ")));
    }
    const bool listed = std::find(spec->choices.begin(), spec->choices.end(), value) != spec->choices.end();
    if (spec->closed && !spec->choices.empty() && !listed) {
      return usage_error(fmt::format("{}: '{}' is not a value of {}; choose from: {}", owner, value, key,
                                     fmt::join(spec->choices, ", ")));
    }
    values[key] = value;
  }
  return values;
}

}  // namespace stowage
