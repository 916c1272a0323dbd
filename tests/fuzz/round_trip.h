#pragma once

#include <string_view>

#include "core/io/format.h"

namespace stowage::fuzz {

/// Reads bytes as a format (strictly and leniently). What can be read is written in both formats and read again, and
/// must be the same. Aborts with a message when it is not.
void round_trip(std::string_view bytes, std::string_view format);

/// Reads bytes as a dump. What can be read is checked, written as JSON and read again. Aborts with a message when that
/// is not the same.
void read_as_dump(std::string_view bytes, const ReadOptions& options);

/// Whether inputs are read as this format: $STOWAGE_FUZZ_FORMAT names the only one, so that a reader can have a fuzzer
/// of its own; unset, all of them.
bool is_fuzzed(std::string_view format);

/// The same as each format that is neither our JSON nor CSV, once with its defaults and once with the last answer to
/// each of its questions.
void read_as_every_dump(std::string_view bytes);

}  // namespace stowage::fuzz
