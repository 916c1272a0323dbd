#include "core/transforms/registry.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

/// Whoever shows only the first remarks shows what one must know: what is wrong with the whole, what else concerns it,
/// then what was refused, then notes, then what went well, each in the order in which it was said.
int rank(const Remark& remark) {
  if (remark.kind == Remark::Kind::kDone) return 4;
  const bool whole = remark.tensor == kNoTensor;
  if (remark.kind == Remark::Kind::kRefused) return whole ? 0 : 2;
  return whole && remark.op == kNoOp ? 1 : 3;
}

}  // namespace

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
  auto result = transform.run(staged, *values, context);
  if (!result) return result;
  std::vector<Remark>& remarks = result->report.remarks;
  std::stable_sort(remarks.begin(), remarks.end(), [](const Remark& a, const Remark& b) { return rank(a) < rank(b); });
  return result;
}

}  // namespace stowage
