#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "core/document/document.h"
#include "core/graph/graph.h"
#include "core/io/format.h"
#include "core/model/metrics.h"

/// Short questions about what was read from a file of a graph.
namespace stowage::testing {

/// Options with one choice made.
inline ReadOptions choose(const std::string& key, const std::string& value) {
  ReadOptions options;
  options.choices[key] = value;
  return options;
}

inline std::int64_t load_of(const Document& document) {
  return measure(*document.problem).load;
}

/// First step and the one behind the last of a buffer.
inline std::pair<std::int64_t, std::int64_t> life_of(const Document& document, std::string_view id) {
  for (BufferIndex i = 0; i < document.problem->size(); ++i) {
    if (document.problem->id(i) == id)
      return {document.problem->buffers()[i].start, document.problem->buffers()[i].end};
  }
  return {-1, -1};
}

inline const Tensor& tensor_of(const Document& document, std::string_view id) {
  const TensorIndex t = document.graph->find_tensor(id);
  REQUIRE_MESSAGE(t != kNoTensor, id);
  return document.graph->tensor(t);
}

}  // namespace stowage::testing
