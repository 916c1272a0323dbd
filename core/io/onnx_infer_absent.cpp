#include <stdexcept>

#include "core/io/onnx_infer.h"

namespace stowage::onnx {

bool can_infer() {
  return false;
}

void prepare_inference() {}

std::string infer(std::string_view) {
  throw std::logic_error("there is no onnx library in this build");
}

}  // namespace stowage::onnx
