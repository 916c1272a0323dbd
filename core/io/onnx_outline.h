#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/onnx_model.h"
#include "core/io/onnx_values.h"

namespace stowage::onnx {

/// What an outline says instead of a dimension without a value; nothing: it stays without.
using Resolve =
    std::function<std::optional<std::int64_t>(std::string_view symbol, std::string_view tensor, std::size_t index)>;

/// The same model, as ModelProto, with nothing in it that shapes do not depend on: weights above 4 KiB have no data,
/// there are no comments and no parts for training. Few megabytes whatever the size of the file. `told_shapes` keeps
/// the shapes that the file says for values inside and for outputs. Ops whose results are `known` become constants. The
/// file must be one that read_model takes.
std::string outline_of(std::string_view file, bool told_shapes, const NumbersByName& known, const Resolve& resolve);

}  // namespace stowage::onnx
