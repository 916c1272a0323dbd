#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace stowage {

/// The path of an installed program, by $PATH; empty when there is none.
std::string find_program(std::string_view name);

/// Runs it without a shell and waits. An error when it cannot be started or does not end well, with the last lines of
/// what it said; `log` is a file for that.
Result<void> run_program(const std::string& path, const std::vector<std::string>& arguments, const std::string& log);

}  // namespace stowage
