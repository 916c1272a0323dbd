#include "core/document/document.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace stowage {

const Plan* Document::find_plan(std::string_view id) const {
  const auto found = std::find_if(plans.begin(), plans.end(), [&](const Plan& plan) { return plan.id == id; });
  return found == plans.end() ? nullptr : &*found;
}

Plan& Document::put_plan(Plan plan) {
  const auto found = std::find_if(plans.begin(), plans.end(), [&](const Plan& old) { return old.id == plan.id; });
  if (found == plans.end()) return plans.emplace_back(std::move(plan));
  *found = std::move(plan);
  return *found;
}

Result<Document> remade(const Document& before, Graph graph, GraphRecipe recipe, RunContext& context) {
  auto prepared = prepare(graph, recipe, context);
  if (!prepared) return tl::unexpected(prepared.error());
  Document after;
  after.view = before.view;
  after.extra = before.extra;
  after.original = before.original;
  after.staged = std::make_shared<const Staged>(prepared->last());
  after.graph = std::make_shared<const Graph>(std::move(graph));
  after.recipe = std::move(recipe);
  Problem& problem = prepared->lowered.problem;
  if (const auto capacity = before.problem->input().capacity) {
    auto limited = make_problem(with_capacity(problem, *capacity));
    if (limited) problem = std::move(*limited);
  }
  after.problem = std::make_shared<const Problem>(std::move(problem));
  return after;
}

std::string title_of(const Document& document) {
  if (document.path.empty()) return document.facts.title.empty() ? "untitled" : document.facts.title;
  if (document.path == "-") return "standard input";
  const std::size_t slash = document.path.find_last_of('/');
  const std::string name = slash == std::string::npos ? document.path : document.path.substr(slash + 1);
  return name.empty() ? document.path : name;
}

std::string stem_of(const Document& document) {
  std::string name = title_of(document);
  if (document.path.empty()) return name;
  const std::size_t dot = name.rfind('.');
  return dot == 0 ? name : name.substr(0, dot);
}

}  // namespace stowage
