#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/run.h"

namespace stowage {

/// One curve: how much memory a way of working needs along the axis, and how much longer it takes.
struct StudyCurve {
  std::string name;
  std::vector<std::int64_t> memory;  // bytes, one for each place on the axis
  std::vector<double> extra_work;    // share of the time without it: 0.3 is 30 % longer
};

/// A comparison along one axis.
struct Study {
  std::string id;
  std::string title;
  std::string note;  // what is counted
  std::string axis;
  bool logarithmic = false;  // the places double rather than grow evenly
  std::vector<double> places;
  std::vector<StudyCurve> curves;
};

struct StudyKind {
  std::string id;  // "resnet-depth"
  std::string title;
  std::string summary;
  bool any_network = false;  // else it brings its own
};
std::span<const StudyKind> study_kinds();

struct StudyOptions {
  std::string network = "resnet50";  // where the kind leaves the choice
  std::optional<std::int64_t> batch;
};

/// Training graphs throughout, weights and their gradients not counted. `resnet-depth`, `lstm-length` and `batch`
/// compare the sum of all storages by the rules of NNVM without optimisation, with in-place, with sharing, with both,
/// and with both after Chen's sublinear plan; `checkpoints` and `bandwidth` give loads. Errors: usage (an unknown kind
/// or network), cancelled.
Result<Study> run_study(std::string_view kind, const StudyOptions& options, RunContext& context);

}  // namespace stowage
