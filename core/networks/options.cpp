#include "core/networks/options.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"

namespace stowage {

const std::string* ParamReader::find(std::string_view key) const {
  const auto found = values_.find(std::string(key));
  return found == values_.end() ? nullptr : &found->second;
}

std::int64_t ParamReader::count(std::string_view key, std::int64_t smallest, std::int64_t largest) {
  const std::string* text = find(key);
  const std::optional<std::int64_t> value = text != nullptr ? parse_int(*text) : std::nullopt;
  if (value && *value >= smallest && *value <= largest) return *value;
  if (!error_) {
    error_ = Error{Error::Kind::kUsage, fmt::format("{} is '{}'; it is a whole number from {} to {}", key,
                                                    text != nullptr ? *text : "", smallest, largest)};
  }
  return smallest;
}

bool ParamReader::flag(std::string_view key) {
  return choice(key) == "yes";
}

std::string_view ParamReader::choice(std::string_view key) const {
  const std::string* text = find(key);
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

NetworkOptions ParamReader::options() {
  NetworkOptions options;
  if (find("batch") != nullptr) options.batch = count("batch", 1, kMaxInt64);
  options.training = flag("training");
  const std::string_view granularity = choice("granularity");
  options.fused = granularity == "fused" || (granularity == "auto" && !options.training);
  options.joint_gradients = choice("gradients") != "split";
  options.given_gradients = choice("weight-gradients") == "given";
  options.type = data_type(choice("dtype")).value_or(DataType::kFloat32);
  return options;
}

ParamSpec count_param(std::string key, std::string summary, std::int64_t value, std::vector<std::string> suggestions) {
  return {std::move(key), std::move(summary), std::to_string(value), std::move(suggestions), false};
}

ParamSpec flag_param(std::string key, std::string summary, bool value) {
  return {std::move(key), std::move(summary), value ? "yes" : "no", {"no", "yes"}};
}

ParamSpec batch_param(std::int64_t value) {
  return count_param("batch", "examples at a time", value, {"1", "8", "32", "64", "256"});
}

ParamSpec image_param(std::int64_t value) {
  return count_param("image", "height and width of the input", value, {std::to_string(value)});
}

ParamSpec training_param() {
  return flag_param("training", "with the loss and the gradient graph; gradients of weights are outputs");
}

ParamSpec granularity_param() {
  return {
      "granularity",
      "fused: convolution, batch norm and activation are one op; separate: one op each; auto: separate when training",
      "auto",
      {"auto", "fused", "separate"}};
}

ParamSpec type_param() {
  return {"dtype", "type of weights and activations", "float32", {"float32", "float16", "bfloat16", "float64"}};
}

std::vector<ParamSpec> with_training(std::vector<ParamSpec> own, bool training, bool joint) {
  own.push_back(training_param());
  if (training) own.back().value = "yes";
  own.push_back({"gradients",
                 "joint: one backward op for all inputs of a layer; split: one for each",
                 joint ? "joint" : "split",
                 {"joint", "split"}});
  own.push_back({"weight-gradients",
                 "made: they are results like others; given: backward writes them into memory of the caller",
                 "made",
                 {"made", "given"}});
  own.push_back(type_param());
  return own;
}

std::vector<ParamSpec> classifier_params(std::int64_t image) {
  return with_training({batch_param(), image_param(image), granularity_param()});
}

}  // namespace stowage
