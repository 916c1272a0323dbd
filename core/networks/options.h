#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/data_type.h"
#include "core/run/params.h"

namespace stowage {

/// What every layer table is built with.
struct NetworkOptions {
  std::int64_t batch = 1;
  bool training = false;
  bool fused = true;             // convolution, batch norm and activation are one op with one result
  bool joint_gradients = true;   // one backward op gives the gradients of all inputs of an op
  bool given_gradients = false;  // gradients of weights go to memory of the caller
  DataType type = DataType::kFloat32;
};

/// Reads completed parameters. The first that makes no sense is the error; after it everything reads as its smallest
/// value, so that a network file asks once, at the end.
class ParamReader {
 public:
  explicit ParamReader(const ParamValues& values) : values_(values) {}

  /// A whole number in [smallest, largest].
  std::int64_t count(std::string_view key, std::int64_t smallest, std::int64_t largest);
  bool flag(std::string_view key);
  std::string_view choice(std::string_view key) const;
  /// Those of the common parameters that the network has.
  NetworkOptions options();
  const std::optional<Error>& error() const { return error_; }

 private:
  const std::string* find(std::string_view key) const;

  const ParamValues& values_;
  std::optional<Error> error_;
};

/// A whole number; the suggestions are no limits.
ParamSpec count_param(std::string key, std::string summary, std::int64_t value, std::vector<std::string> suggestions);
/// "no" or "yes".
ParamSpec flag_param(std::string key, std::string summary, bool value = false);
ParamSpec batch_param(std::int64_t value = 1);
ParamSpec image_param(std::int64_t value);
ParamSpec training_param();
ParamSpec granularity_param();
/// The parameters of a network that trains: its own, then training itself, how backward ops are made, whose memory
/// gradients of weights take, and the element type.
std::vector<ParamSpec> with_training(std::vector<ParamSpec> own, bool training = false, bool joint = true);
ParamSpec type_param();
/// What every image classifier has: batch, image size, training, granularity, gradients, element type.
std::vector<ParamSpec> classifier_params(std::int64_t image);

}  // namespace stowage
