#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace stowage {

/// One parameter of an allocator: the form in the window, `--set KEY=VALUE` and the field in the file come from it.
struct ParamSpec {
  std::string key;
  std::string summary;
  std::string value;                 // the default
  std::vector<std::string> choices;  // suggestions; the only allowed values when `closed`
  bool closed = true;
};

/// Values by key; missing keys have their default.
using ParamValues = std::map<std::string, std::string>;

/// All values, defaults filled in; an error names an unknown key or a value that is not among closed choices.
Result<ParamValues> complete_params(std::span<const ParamSpec> specs, const ParamValues& given, std::string_view owner);

}  // namespace stowage
