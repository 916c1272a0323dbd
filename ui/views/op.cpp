#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/graph/graph_edit.h"
#include "ui/graph_view.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/op_panel.h"
#include "ui/pipeline_panel.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr const char* kGivenOrder = "given";
constexpr int kLastType = static_cast<int>(DataType::kComplex128);

/// A change to the document's own graph, made when this frame is over.
template <typename Change>
void edit_graph(State& state, std::string label, Change change) {
  state.later([label = std::move(label), change = std::move(change)](State& s) {
    if (s.document.graph != nullptr) change_graph(s, label, change(*s.document.graph));
  });
}

std::string bytes_words(const State& state, const Tensor& tensor) {
  return tensor.bytes ? state.bytes(*tensor.bytes) : std::string("size unknown");
}

/// What can be done with the op as a whole.
void op_buttons(State& state, OpIndex op) {
  Ui& ui = state.ui;
  const Graph& graph = *state.document.graph;
  const std::string id = graph.op(op).id;
  const bool given = state.document.recipe.schedule == kGivenOrder;
  const char* why = given ? "" : "The order is made by a scheduler: choose the given one in the pipeline to move ops";
  const auto move = [&](const char* name, const char* icon, const char* label, std::size_t to, bool possible) {
    if (button(ui, name, icon, label, ButtonLook::kRaised, given ? "Run it one place from here" : why,
               given && possible)) {
      edit_graph(state, fmt::format("{}: {}", id, label), [op, to](const Graph& g) { return move_op(g, op, to); });
    }
    ImGui::SameLine(0, ui.px(6));
  };
  move("op.earlier", icon::kSortUp, "Earlier", op > 0 ? op - 1U : 0U, op > 0);
  move("op.later", icon::kSortDown, "Later", op + 1U, op + 1U < graph.ops().size());
  if (button(ui, "op.add", icon::kPlus, "", ButtonLook::kRaised, "An op behind it that reads what it makes")) {
    edit_graph(state, "Op behind " + id, [op](const Graph& g) { return with_op_behind(g, op); });
  }
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "op.remove", icon::kTrash, "", ButtonLook::kRaised, "Delete it and what it makes")) {
    edit_graph(state, "Without " + id, [op](const Graph& g) { return remove_op(g, op); });
  }
}

/// Shape and type as fields; the size follows.
void tensor_fields(State& state, TensorIndex t) {
  Ui& ui = state.ui;
  auto& panel = state.part<OpPanel>();
  const Tensor& tensor = state.document.graph->tensor(t);
  const std::string name = "op." + tensor.id;
  const auto set = [&](std::string label, std::vector<std::int64_t> shape, DataType type) {
    edit_graph(state, fmt::format("{}: {}", tensor.id, label),
               [t, shape = std::move(shape), type](const Graph& g) { return set_shape(g, t, shape, type); });
  };
  const float room = ImGui::GetContentRegionAvail().x;
  std::string typed = panel.shape_of == tensor.id ? panel.shape_text : shape_text(tensor.shape);
  ImGui::SetNextItemWidth(room * 0.55F);
  const bool done = ImGui::InputText("##shape", &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, name + ".shape");
  if (ImGui::IsItemActive()) {
    panel.shape_of = tensor.id;
    panel.shape_text = typed;
  } else if (panel.shape_of == tensor.id && !done) {
    panel.shape_of.clear();
  }
  if (done) {
    panel.shape_of.clear();
    const auto shape = parse_shape(typed);
    if (!shape) state.complain(shape.error().message);
    if (shape && (!tensor.shape || *shape != *tensor.shape)) set("shape " + shape_text(*shape), *shape, tensor.type);
  }
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::BeginCombo("##type", std::string(name_of(tensor.type)).c_str())) {
    for (int k = 0; k <= kLastType; ++k) {
      const auto type = static_cast<DataType>(k);
      const std::string label(name_of(type));
      if (ImGui::Selectable(label.c_str(), type == tensor.type) && type != tensor.type) {
        set(label, tensor.shape.value_or(std::vector<std::int64_t>()), type);
      }
      record(ui, fmt::format("{}.type.{}", name, label));
    }
    ImGui::EndCombo();
  }
  record(ui, name + ".type");
}

void tensor_row(State& state, TensorIndex t) {
  const Tensor& tensor = state.document.graph->tensor(t);
  value_row(state.ui, printable_utf8(tensor.id), bytes_words(state, tensor),
            fmt::format("{}, {}", name_of(tensor.kind), name_of(tensor.type)));
}

void outputs_part(State& state, const Op& op) {
  if (op.out.empty()) return;
  text(state.ui.fonts.semibold, state.ui.theme->text, "Makes");
  for (const TensorIndex t : op.out) {
    ImGui::PushID(static_cast<int>(t));
    tensor_row(state, t);
    tensor_fields(state, t);
    ImGui::PopID();
  }
  separator(state.ui);
}

/// What it reads; a switch for each output that could take the memory of an input.
void inputs_part(State& state, OpIndex n) {
  if (state.document.graph->op(n).in.empty()) return;
  Ui& ui = state.ui;
  const Graph& graph = *state.document.graph;
  const Op& op = graph.op(n);
  text(ui.fonts.semibold, ui.theme->text, "Reads");
  for (std::uint32_t in = 0; in < op.in.size(); ++in) {
    tensor_row(state, op.in[in]);
    for (std::uint32_t out = 0; out < op.out.size(); ++out) {
      const std::string& input = graph.tensor(op.in[in]).id;
      const std::string& output = graph.tensor(op.out[out]).id;
      bool on = std::any_of(op.inplace.begin(), op.inplace.end(),
                            [&](const SlotPair& pair) { return pair.in == in && pair.out == out; });
      const std::string label = fmt::format("{} may take its memory##{} {}", printable_utf8(output), in, out);
      if (ImGui::Checkbox(label.c_str(), &on)) {
        edit_graph(state, fmt::format("{} {} the memory of {}", output, on ? "may take" : "may not take", input),
                   [n, in, out](const Graph& g) { return toggle_in_place(g, n, in, out); });
      }
      record(ui, fmt::format("op.inplace.{}.{}", in, out));
    }
  }
  separator(ui);
}

/// Events before this op: orders that no value imposes.
void events_part(State& state, OpIndex n) {
  Ui& ui = state.ui;
  const Graph& graph = *state.document.graph;
  text(ui.fonts.semibold, ui.theme->text, "Waits for");
  for (const Event& event : graph.events()) {
    if (event.before != n) continue;
    const OpIndex after = event.after;
    const std::string& id = graph.op(after).id;
    ImGui::PushID(static_cast<int>(after));
    text(ui.fonts.text, ui.theme->text, printable_utf8(id));
    ImGui::SameLine(0, ui.px(6));
    if (button(ui, "op.event.remove." + id, icon::kClose, "", ButtonLook::kQuiet, "No longer")) {
      edit_graph(state, fmt::format("{} no longer waits for {}", graph.op(n).id, id),
                 [after, n](const Graph& g) { return remove_event(g, after, n); });
    }
    ImGui::PopID();
  }
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::BeginCombo("##event", "Add an op that it waits for\xE2\x80\xA6")) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(graph.ops().size()));
    while (clipper.Step()) {
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
        const auto after = static_cast<OpIndex>(k);
        const std::string& id = graph.op(after).id;
        ImGui::PushID(k);
        if (ImGui::Selectable(printable_utf8(id).c_str())) {
          edit_graph(state, fmt::format("{} waits for {}", graph.op(n).id, id),
                     [after, n](const Graph& g) { return add_event(g, after, n); });
        }
        ImGui::PopID();
        record(ui, "op.event." + id);
      }
    }
    ImGui::EndCombo();
  }
  record(ui, "op.event");
}

void nothing_to_edit(State& state, std::string_view title, std::string_view why) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  empty_message(state.ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kSwap, title, why);
}

}  // namespace

void draw_op(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  follow_graph(state);
  follow_op(state);
  begin_card(ui, "op", at, size);
  const auto& panel = state.part<OpPanel>();
  const OpIndex n = op_to_edit(state);
  card_title(ui, "Operator", n == kNoOp ? std::string() : printable_utf8(panel.op));
  if (state.document.graph == nullptr) {
    nothing_to_edit(state, "No operator graph", "This file holds buffers only.");
  } else if (panel.op.empty()) {
    nothing_to_edit(state, "No op is selected", "Click one in the graph, or a buffer in the chart.");
  } else if (n == kNoOp) {
    nothing_to_edit(state, printable_utf8(panel.op), "A transform has added it: change the transform in the pipeline.");
  } else {
    const Op& op = state.document.graph->op(n);
    ImGui::BeginChild("op.rows");
    if (!op.type.empty()) value_row(ui, "type", printable_utf8(op.type));
    value_row(ui, "place in the file", fmt::format("{} of {}", n + 1, state.document.graph->ops().size()));
    if (op.stream != 0) value_row(ui, "stream", fmt::format("{}", op.stream));
    if (op.flops > 0) value_row(ui, "operations", format_count(op.flops));
    if (op.workspace > 0) value_row(ui, "workspace", state.bytes(op.workspace));
    op_buttons(state, n);
    separator(ui);
    outputs_part(state, op);
    inputs_part(state, n);
    events_part(state, n);
    ImGui::EndChild();
  }
  end_card();
}

}  // namespace stowage
