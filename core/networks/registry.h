#pragma once

#include <vector>

#include "core/networks/network.h"

namespace stowage {

// Each file of networks.def defines NAME_networks(): a family of networks.
#define STOWAGE_NETWORK(name) std::vector<Network> name##_networks();
#include "core/networks/networks.def"
#undef STOWAGE_NETWORK

}  // namespace stowage
