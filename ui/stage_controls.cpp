#include "ui/stage_controls.h"

#include "ui/pipeline_results.h"
#include "ui/state.h"

namespace stowage {

void stage_controls(Workbench::State& state, const std::string& name, std::size_t stages, bool buffers) {
  Ui& ui = state.ui;
  const auto control = [&](const char* suffix, const char* words, const char* help,
                           void (*act)(Workbench::State&, PipelinePoint)) {
    if (button(ui, name + suffix, nullptr, words, ButtonLook::kQuiet, help)) {
      state.later([act, stages, buffers](Workbench::State& s) {
        if (s.document.graph != nullptr) act(s, pipeline_point(s, stages, buffers));
      });
    }
  };
  ImGui::Indent(ui.px(16));
  control(".open", "Open", buffers ? "The buffers in a document of their own" : "This graph in a document of its own",
          open_point);
  ImGui::SameLine(0, 0);
  control(".compare", "Compare", "Its plan side by side with the shown one", compare_point);
  ImGui::SameLine(0, 0);
  control(".export", "Export", buffers ? "Write the buffers and their plan" : "Write it as a graph, as JSON or as CSV",
          export_point);
  ImGui::Unindent(ui.px(16));
}

}  // namespace stowage
