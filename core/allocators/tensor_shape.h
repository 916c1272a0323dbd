#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/model/problem.h"

namespace stowage {

/// Elements in each dimension; a buffer without a shape has one dimension, its bytes.
std::vector<std::int64_t> shape_of(const Problem& problem, BufferIndex i);

/// Each dimension of `outer` is at least as long; false when they have different dimensions.
bool covers(const std::vector<std::int64_t>& outer, const std::vector<std::int64_t>& inner);

/// The product of all sides; 2^63-1 when that is less.
std::int64_t element_count(const std::vector<std::int64_t>& shape);

/// The parameter `sizes`: whether planners compare bytes or shapes.
ParamSpec sizes_param();

/// The parameter `sizes` of planners that compare bytes only: whether their objects have shapes, too.
ParamSpec object_sizes_param();

/// What the value of that parameter means for a problem.
bool compares_shapes(const Problem& problem, std::string_view sizes);

/// The run with the shape of each object, where the parameter `sizes` asks for shapes: the longest that any of its
/// buffers is in each dimension. Where buffers have fewer dimensions than others, the missing ones count 1.
Result<RunResult> with_shapes(const Problem& problem, const ParamValues& params, Result<RunResult> run);

}  // namespace stowage
