#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/run/params.h"

namespace stowage {

/// A parameter that takes one of a few values; the first is the default.
inline ParamSpec choice_param(std::string key, std::string summary, std::vector<std::string> choices) {
  std::string first = choices.front();
  return {std::move(key), std::move(summary), std::move(first), std::move(choices), true};
}

/// A parameter that takes other values, too: the choices only suggest some.
inline ParamSpec open_param(std::string key, std::string summary, std::vector<std::string> choices) {
  ParamSpec spec = choice_param(std::move(key), std::move(summary), std::move(choices));
  spec.closed = false;
  return spec;
}

}  // namespace stowage
