#include "core/io/pipeline_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph/schedule.h"
#include "core/io/intake.h"

namespace stowage {
namespace {

ParamValues read_params(json::Source& source, json::Value object, const json::Path& path) {
  ParamValues params;
  json::Members members(object);
  while (const auto member = members.next()) {
    const json::Path at{&path, member->key, {}};
    switch (member->value.kind()) {
      case json::Kind::kString:
        params[member->key] = json::decode(member->value);
        break;
      case json::Kind::kNumber:
      case json::Kind::kBool:
        params[member->key] = std::string(member->value.text);
        break;
      default:
        source.complain(member->value, at, fmt::format("expected a text, found {}", name_of(member->value.kind())));
    }
  }
  return params;
}

}  // namespace

std::vector<PipelineStage> read_pipeline(json::Source& source, json::Value array, const json::Path& path) {
  std::vector<PipelineStage> pipeline;
  json::Path element{&path, "", 0};
  json::Elements elements(array);
  for (; const auto value = elements.next(); ++*element.index) {
    if (value->kind() != json::Kind::kObject) {
      source.complain(*value, element, fmt::format("expected an object, found {}", name_of(value->kind())));
      continue;
    }
    json::Fields fields(source, *value, element);
    PipelineStage stage;
    stage.transform = fields.text("transform").value_or("");
    const Transform* known = find_transform(stage.transform);
    if (known == nullptr)
      fields.complain("transform", fmt::format("there is no transform \"{}\"", shown(stage.transform)));
    stage.on = !fields.has("on") || fields.flag("on");
    const json::Path params{&element, "params", {}};
    if (const auto object = fields.of_kind("params", json::Kind::kObject)) {
      stage.params = read_params(source, *object, params);
      const auto complete = known != nullptr ? complete_params(known->params, stage.params, known->id)
                                             : Result<ParamValues>(ParamValues{});
      if (!complete) fields.complain("params", complete.error().message);
    }
    fields.extra("pipeline");
    pipeline.push_back(std::move(stage));
  }
  return pipeline;
}

void read_lowering(json::Source& source, json::Value object, const json::Path& path, GraphRecipe& recipe) {
  json::Fields fields(source, object, path);
  if (auto schedule = fields.text("schedule")) {
    if (find_scheduler(*schedule) == nullptr)
      fields.complain("schedule", fmt::format("there is no schedule \"{}\"", shown(*schedule)));
    recipe.schedule = std::move(*schedule);
  }
  if (const auto include = fields.of_kind("include", json::Kind::kArray)) {
    recipe.lowering.outputs = false;
    json::Elements elements(*include);
    while (const auto value = elements.next()) {
      const std::string name = value->kind() == json::Kind::kString ? json::decode(*value) : "";
      bool* member = name == "inputs"    ? &recipe.lowering.inputs
                     : name == "weights" ? &recipe.lowering.weights
                     : name == "state"   ? &recipe.lowering.state
                     : name == "outputs" ? &recipe.lowering.outputs
                                         : nullptr;
      if (member == nullptr) {
        fields.complain("include", "expected some of inputs, weights, state and outputs");
      } else {
        *member = true;
      }
    }
  }
  if (const auto alignment = fields.integer("alignment")) {
    if (*alignment < 1) fields.complain("alignment", "is below 1");
    recipe.lowering.alignment = std::max<std::int64_t>(*alignment, 1);
  }
  fields.extra("lowering");
}

void append_lowering(std::string& out, const GraphRecipe& recipe) {
  json::ObjectWriter writer(out);
  writer.text("schedule", recipe.schedule);
  std::string& include = writer.key("include");
  include += '[';
  bool first = true;
  const auto add = [&](bool wanted, std::string_view name) {
    if (!wanted) return;
    if (!first) include += ',';
    first = false;
    json::append_string(include, name);
  };
  add(recipe.lowering.inputs, "inputs");
  add(recipe.lowering.weights, "weights");
  add(recipe.lowering.state, "state");
  add(recipe.lowering.outputs, "outputs");
  include += ']';
  if (recipe.lowering.alignment != 1) writer.integer("alignment", recipe.lowering.alignment);
  writer.close();
}

void append_pipeline(std::string& out, const std::vector<PipelineStage>& pipeline) {
  out += '[';
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    if (i > 0) out += ',';
    json::ObjectWriter writer(out);
    writer.text("transform", pipeline[i].transform);
    writer.key("on") += pipeline[i].on ? "true" : "false";
    json::ObjectWriter params(writer.key("params"));
    for (const auto& [key, value] : pipeline[i].params) json::append_string(params.key(key), value);
    params.close();
    writer.close();
  }
  out += ']';
}

}  // namespace stowage
