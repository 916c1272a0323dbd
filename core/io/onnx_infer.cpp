// The only file that includes headers of the onnx library: they are large.

#include "core/io/onnx_infer.h"

#include <limits>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>
#include <stdexcept>
#include <unordered_map>

namespace stowage::onnx {

bool can_infer() {
  return true;
}

void prepare_inference() {
  (void)::onnx::OpSchemaRegistry::Schema("Relu");
}

std::string infer(std::string_view model) {
  ::onnx::ModelProto proto;
  if (model.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !proto.ParseFromArray(model.data(), static_cast<int>(model.size()))) {
    throw std::runtime_error("the model cannot be read by the onnx library");
  }
  constexpr bool check_types = false;
  constexpr int keep_going = 0;          // an op that cannot be inferred leaves its outputs without shapes
  constexpr bool propagate_data = true;  // shapes that are computed, as Shape, Gather and Concat do
  std::unordered_map<std::string, ::onnx::TensorShapeProto> computed;
  ::onnx::shape_inference::InferShapes(proto, ::onnx::OpSchemaRegistry::Instance(),
                                       ::onnx::ShapeInferenceOptions(check_types, keep_going, propagate_data),
                                       &computed);
  ::onnx::GraphProto shapes;
  shapes.mutable_value_info()->Swap(proto.mutable_graph()->mutable_value_info());
  shapes.mutable_output()->Swap(proto.mutable_graph()->mutable_output());
  return shapes.SerializeAsString();
}

}  // namespace stowage::onnx
