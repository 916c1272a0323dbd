#pragma once

#include <string>
#include <string_view>

/// Shape inference of the onnx library, where there is one. It is not made for files from strangers (it divides by what
/// stands in them), so callers run it in a process of its own.
namespace stowage::onnx {

/// False in a build without the library.
bool can_infer();
/// Fills the library's tables, which every copy of this process then has.
void prepare_inference();
/// A ModelProto to a GraphProto that has only `value_info` and `output`, with the shapes that follow from those of the
/// inputs. Throws what the library throws.
std::string infer(std::string_view model);

}  // namespace stowage::onnx
