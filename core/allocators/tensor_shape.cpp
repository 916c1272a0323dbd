#include "core/allocators/tensor_shape.h"

#include <algorithm>
#include <utility>

#include "core/allocators/param_specs.h"
#include "core/base/integers.h"

namespace stowage {

std::vector<std::int64_t> shape_of(const Problem& problem, BufferIndex i) {
  const Details* details = problem.details(i);
  if (details == nullptr || details->shape.empty()) return {problem[i].size};
  return details->shape;
}

bool covers(const std::vector<std::int64_t>& outer, const std::vector<std::int64_t>& inner) {
  if (outer.size() != inner.size()) return false;
  for (std::size_t k = 0; k < outer.size(); ++k) {
    if (outer[k] < inner[k]) return false;
  }
  return true;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  Int128 product = 1;
  for (const std::int64_t side : shape) {
    product *= side;
    if (product > kMaxInt64) product = kMaxInt64;
  }
  return static_cast<std::int64_t>(product);
}

ParamSpec sizes_param() {
  return choice_param(
      "sizes", "what is compared: bytes, shapes (objects with dimensions, textures), or shapes where there are any",
      {"auto", "bytes", "shapes"});
}

ParamSpec object_sizes_param() {
  ParamSpec spec = sizes_param();
  spec.summary = "what an object has: bytes, a shape that covers those of its buffers, or a shape where there are any";
  return spec;
}

bool compares_shapes(const Problem& problem, std::string_view sizes) {
  if (sizes != "auto") return sizes == "shapes";
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Details* details = problem.details(i);
    if (details != nullptr && !details->shape.empty()) return true;
  }
  return false;
}

Result<RunResult> with_shapes(const Problem& problem, const ParamValues& params, Result<RunResult> run) {
  if (!run || !run->objects || !compares_shapes(problem, params.at("sizes"))) return run;
  Objects& objects = *run->objects;
  objects.shapes.assign(objects.sizes.size(), {});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (objects.object_of[i] == Objects::kNone) continue;
    std::vector<std::int64_t>& covering = objects.shapes[objects.object_of[i]];
    const std::vector<std::int64_t> shape = shape_of(problem, i);
    if (covering.size() < shape.size()) covering.resize(shape.size(), 1);
    for (std::size_t k = 0; k < shape.size(); ++k) covering[k] = std::max(covering[k], shape[k]);
  }
  return run;
}

}  // namespace stowage
