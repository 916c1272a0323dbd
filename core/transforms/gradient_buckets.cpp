#include "core/transforms/fusion.h"
#include "core/transforms/registry.h"

namespace stowage {

Transform gradient_buckets_transform() {
  return fusion_preset("gradient-buckets", "Gradient buckets",
                       "Gradients gather in buckets as they are made; a full one is reduced while the next fills.",
                       {{"what", "gradients"}, {"rule", "ddp"}});
}

}  // namespace stowage
