#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace stowage {

/// State of features, one object of each type, made when it is first asked for. A panel declares its state in a header
/// of its own instead of adding members to Workbench::State, which everything includes.
class Parts {
 public:
  template <typename Part>
  Part& get() {
    std::shared_ptr<void>& held = parts_[std::type_index(typeid(Part))];
    if (held == nullptr) held = std::make_shared<Part>();
    return *static_cast<Part*>(held.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> parts_;
};

}  // namespace stowage
