#include "core/transforms/registry.h"

#include <utility>

namespace stowage {

std::span<const Transform> transforms() {
  static const std::vector<Transform> table = {
#define STOWAGE_TRANSFORM(name) name##_transform(),
#include "core/transforms/transforms.def"
#undef STOWAGE_TRANSFORM
  };
  return table;
}

const Transform* find_transform(std::string_view id) {
  for (const Transform& transform : transforms()) {
    if (transform.id == id) return &transform;
  }
  return nullptr;
}

Result<Transformed> run_transform(const Transform& transform, const Staged& staged, const ParamValues& params,
                                  RunContext& context) {
  auto values = complete_params(transform.params, params, transform.id);
  if (!values) return tl::unexpected(values.error());
  return transform.run(staged, *values, context);
}

}  // namespace stowage
