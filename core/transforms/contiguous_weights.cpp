#include "core/transforms/fusion.h"
#include "core/transforms/registry.h"

namespace stowage {

Transform contiguous_weights_transform() {
  return fusion_preset("contiguous-weights", "Contiguous weights",
                       "All weights of a type lie one behind the other, so that one broadcast sends them.",
                       {{"what", "weights"}, {"rule", "all"}, {"order", "forward"}});
}

}  // namespace stowage
