#pragma once

#include <string>
#include <sys/types.h>

namespace stowage::testing {

/// An X server in memory with a display number that nobody else uses; $DISPLAY names it while it lives.
class VirtualDisplay {
 public:
  VirtualDisplay();
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  /// False when Xvfb is not installed or does not start.
  bool works() const { return !name_.empty(); }
  const std::string& name() const { return name_; }

 private:
  pid_t server_ = -1;
  std::string name_;
};

}  // namespace stowage::testing
