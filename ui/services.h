#pragma once

#include "ui/workbench.h"

namespace stowage {

#define STOWAGE_SERVICE(name)                \
  void poll_##name(Workbench::State& state); \
  bool busy_##name(const Workbench::State& state);
#include "ui/services.def"
#undef STOWAGE_SERVICE

inline void poll_services(Workbench::State& state) {
#define STOWAGE_SERVICE(name) poll_##name(state);
#include "ui/services.def"
#undef STOWAGE_SERVICE
}

inline bool any_service_busy(const Workbench::State& state) {
#define STOWAGE_SERVICE(name) \
  if (busy_##name(state)) return true;
#include "ui/services.def"
#undef STOWAGE_SERVICE
  return false;
}

}  // namespace stowage
