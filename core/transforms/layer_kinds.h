#pragma once

#include "core/graph/graph.h"

namespace stowage {

// What the names of op types mean to transforms that look at single kinds of layers; upper and lower case, "_" and a
// version at the end do not count: "MaxPool", "max_pool2d", "aten::max_pool2d". Of a fused op each part counts where it
// matters: "Conv+Relu" is a convolution whose result a ReLU has made.

bool is_conv(const Op& op);
bool is_relu(const Op& op);
bool is_max_pool(const Op& op);
bool is_softmax(const Op& op);
/// A matrix product.
bool is_product(const Op& op);
/// Each element of the result is made of those at the same place: additions, activations, dropout, masks, scaling.
bool is_elementwise(const Op& op);
/// The way back of a ReLU alone, of a max pooling alone.
bool is_relu_gradient(const Op& op);
bool is_max_pool_gradient(const Op& op);

}  // namespace stowage
