#include "core/allocators/tensor_shape.h"

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
  ParamSpec spec;
  spec.key = "sizes";
  spec.summary = "what is compared: bytes, shapes (objects with dimensions, textures), or shapes where there are any";
  spec.value = "auto";
  spec.choices = {"auto", "bytes", "shapes"};
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

}  // namespace stowage
