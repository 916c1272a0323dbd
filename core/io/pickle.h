#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/io/read_watch.h"
#include "core/io/value_tree.h"

namespace stowage {

/// Reads a Python pickle of protocol 2 to 5 that holds plain data: numbers, texts, bytes, lists, tuples and sets (as
/// lists), dicts. Nothing in it can run: every opcode that names, makes or calls an object is refused by name. Counts
/// and lengths are compared with what is left of the input before anything is made; there is no recursion; what it
/// unfolds to is limited to 64 MiB and twice the input. Errors tell the byte. Texts are views of `bytes`.
/// (Opcodes: Lib/pickletools.py of CPython.)
Result<ValueTree::Value> read_pickle(std::string_view bytes, ValueTree& tree, const ReadWatch* watch = nullptr);

}  // namespace stowage
