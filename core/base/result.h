#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace stowage {

/// Why something could not be done; the kind decides the exit code of the command line.
struct Error {
  enum class Kind {
    kInput,      // a file or its contents is wrong, or cannot be read or written: exit 3
    kUsage,      // the caller asked for something that does not exist: exit 2
    kRefused,    // an allocator cannot honour a constraint of the problem: exit 1
    kCancelled,  // somebody asked to stop before there was a result
  };
  Kind kind = Kind::kInput;
  std::string message;  // begins with where: "model.csv:14: lifetime ends at 3, before it starts at 5"
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error::Kind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}
inline tl::unexpected<Error> input_error(std::string message) {
  return fail(Error::Kind::kInput, std::move(message));
}
inline tl::unexpected<Error> usage_error(std::string message) {
  return fail(Error::Kind::kUsage, std::move(message));
}

}  // namespace stowage
