#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/explain/study.h"
#include "core/tasks/background.h"
#include "ui/figure_pane.h"
#include "ui/workbench.h"

namespace stowage {

/// Memory and extra work of training as curves over depth, length, batch size, checkpoints or bandwidth.
struct StudiesPanel {
  std::string kind;  // id; empty: none has been asked for
  std::string network = "resnet50";
  std::shared_ptr<const Study> study;  // of this kind and network
  std::string failure;
  Background<Result<Study>> work;
  std::uint64_t revision = 0;  // grows with what the picture shows
  FigurePane figure;
};

/// Computes it in the background; one that runs already is dropped.
void start_study(Workbench::State& state, std::string kind, std::string network);
void cancel_study(Workbench::State& state);

}  // namespace stowage
