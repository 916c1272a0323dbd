#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/chart/viewport.h"
#include "core/io/settings.h"
#include "core/model/buffer.h"
#include "core/render/cairo_painter.h"
#include "ui/command.h"
#include "ui/editing.h"

namespace stowage {

struct PipelinePoint;

enum class Popup {
  kNone,
  kPalette,
  kHelp,
  kSettings,
  kOpen,
  kSaveAs,
  kExport,
  kWarnings,
  kQuestion,  // see ui/question.h
  kRecovery,  // work that a program left behind
};
enum class CentreView { kMap, kCompare };
enum class SelectMode { kReplace, kToggle, kAdd };
enum class SortColumn { kRow, kName, kKind, kSize, kStart, kLifetime, kAddress, kAlignment };

/// What views ask for while they draw. The workbench applies all of them after drawing: one place that mutates.
namespace action {
struct Invoke {
  CommandId id = CommandId::open;
};
struct OpenPath {
  std::string path;
};
struct Select {
  std::vector<BufferIndex> buffers;
  SelectMode mode = SelectMode::kReplace;
};
/// Pan or zoom: the view before is remembered when the last move was a while ago.
struct MoveCamera {
  Viewport to;
};
struct FrameBuffers {
  std::vector<BufferIndex> buffers;
};
struct FrameRange {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::optional<std::uint16_t> space = {};  // nothing: the shown one
};
struct ShowPlan {
  std::string id;
};
struct RunAllocator {
  std::string id;
};
struct CancelRun {
  std::string id;
};
/// The same column again turns the order around.
struct SortBy {
  SortColumn column = SortColumn::kSize;
};
struct SetQuery {
  std::string text;
};
struct ShowPopup {
  Popup popup = Popup::kNone;
};
struct ChangeSettings {
  Settings to;
};
struct SetSpace {
  std::uint16_t space = 0;
};
/// See SaveSubject for the other two.
struct SaveTo {
  std::string path;
  bool settled = false;
  std::shared_ptr<const PipelinePoint> point = {};
};
struct ExportTo {
  std::string path;
  PictureFormat format = PictureFormat::kPng;
  float width = 1600;
  float height = 1000;
  float scale = 1;
  std::string theme;
  bool labels = true;
  bool visible_part = false;
};
/// See edit_problem().
struct EditProblem {
  EditRequest request;
};
/// See place_by_hand().
struct PlaceByHand {
  std::vector<std::pair<BufferIndex, std::int64_t>> offsets;
  bool drag = false;
};
/// Another entry of the history becomes the present.
struct GoToEntry {
  std::size_t entry = 0;
};
struct RemovePlan {
  std::string id;
};
/// "left 1", "right 2", "bottom 1", "centre 1" or "hidden".
struct MovePanel {
  std::string panel;
  std::string place;
};
/// Brings a panel to the front, out of hiding when it must.
struct ShowPanel {
  std::string panel;
};
struct UseLayout {
  std::string name;
};
/// A change that only one panel asks for.
struct Change {
  std::function<void(Workbench::State&)> make;
};
struct DismissNotice {
  std::uint64_t id = 0;
};
}  // namespace action

using Action =
    std::variant<action::Invoke, action::OpenPath, action::Select, action::MoveCamera, action::FrameBuffers,
                 action::FrameRange, action::ShowPlan, action::RunAllocator, action::CancelRun, action::SortBy,
                 action::SetQuery, action::ShowPopup, action::ChangeSettings, action::SetSpace, action::SaveTo,
                 action::ExportTo, action::EditProblem, action::PlaceByHand, action::GoToEntry, action::RemovePlan,
                 action::MovePanel, action::ShowPanel, action::UseLayout, action::Change, action::DismissNotice>;

/// Applies one action to the state.
void apply(Workbench::State& state, const Action& what);

}  // namespace stowage
