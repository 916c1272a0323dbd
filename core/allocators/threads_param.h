#pragma once

#include <string>

#include "core/base/result.h"
#include "core/run/params.h"

namespace stowage {

/// The key of the parameter below. A plan does not keep it, because no plan depends on it.
inline constexpr const char* kThreadsKey = "threads";

/// How many threads an allocator may use; by default one.
ParamSpec threads_param();
/// "auto": as many as the machine has. Errors: usage, for what is neither that nor a number from 1 to 1,024.
Result<unsigned> parse_threads(const std::string& text);

}  // namespace stowage
