#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/chart/graph_figure.h"
#include "core/chart/played_graph.h"
#include "core/graph/lower.h"
#include "core/networks/network.h"
#include "core/steps/step_index.h"
#include "core/transforms/transform.h"
#include "tests/core/chart/fixed_measure.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// A graph with the steps of a transform.
struct Played {
  Staged before;
  Staged after;
  StepLog steps;
};

Played played(const char* network, const char* transform, const ParamValues& params) {
  Played result;
  result.before = stage(generate_network(*find_network(network), {}).value()).value();
  RunContext context;
  context.steps = &result.steps;
  result.after = run_transform(*find_transform(transform), result.before, params, context)->staged;
  return result;
}

/// Whatever the picture says after so many steps.
std::vector<std::string> texts_after(const Played& played, std::size_t position) {
  const GraphMoment moment = moment_of_tags(played.before, played.steps.steps(), position);
  GraphFigureInput input;
  input.staged = &played.before;
  input.moment = &moment;
  std::vector<std::string> texts;
  for (const draw::Text& text : items_of<draw::Text>(make_graph_figure(input, light_theme(), FixedMeasure()))) {
    texts.push_back(text.text);
  }
  return texts;
}

bool says(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

std::size_t after_the_first(const std::vector<Step>& steps, StepKind kind) {
  std::size_t at = 0;
  while (kind_of(steps[at]) != kind) ++at;
  return at + 1;
}

}  // namespace

TEST_CASE("played graph: tags on results, readers that are left, and the box of free tags fill step by step") {
  const Played lecture = played("lecture", "sharing", {{"policy", "tags"}});
  const std::vector<Step>& steps = lecture.steps.steps();
  REQUIRE(gives_tags(steps));
  CHECK(decides_memory(lecture.before, lecture.after));

  const std::vector<std::string> first = texts_after(lecture, 0);
  CHECK(says(first, "none"));
  CHECK_FALSE(says(first, "tag 1"));
  CHECK_FALSE(says(first, "left"));

  const std::vector<std::string> taken = texts_after(lecture, after_the_first(steps, StepKind::kTakeTag));
  CHECK(says(taken, "tag 1"));
  CHECK(says(taken, "left"));
  CHECK(says(taken, "none"));

  const std::size_t back = after_the_first(steps, StepKind::kReturnTag);
  const std::vector<std::string> returned = texts_after(lecture, back);
  CHECK_FALSE(says(returned, "none"));
  CHECK(std::find(returned.begin(), returned.end(), "1") != returned.end());  // in the box
  CHECK(moment_of_tags(lecture.before, steps, back).free_tags == std::vector<std::int32_t>{1});
}

TEST_CASE("played graph: a transform without tags has no box, and the usual colours unless it hands out memory") {
  const Played in_place = played("lecture", "in-place", {});
  CHECK_FALSE(gives_tags(in_place.steps.steps()));
  const Played kept = played("mlp", "recompute", {{"policy", "every-k"}});
  CHECK_FALSE(decides_memory(kept.before, kept.after));
  CHECK(played_colours(kept.before, kept.after, GraphColour::kType) == graph_colours(kept.before, GraphColour::kType));

  GraphFigureInput input;
  input.staged = &kept.before;
  const auto texts = items_of<draw::Text>(make_graph_figure(input, light_theme(), FixedMeasure()));
  CHECK(std::none_of(texts.begin(), texts.end(), [](const draw::Text& text) { return text.text == "free tags"; }));
}
