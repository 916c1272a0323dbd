#include "tests/support/random_session.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "ui/command.h"
#include "ui/reading.h"
#include "ui/views/view.h"

namespace stowage::testing {

std::string csv_of(const ProblemInput& input) {
  std::string csv = "id,lower,upper,size\n";
  for (std::size_t i = 0; i < input.buffers.size(); ++i) {
    const Buffer& b = input.buffers[i];
    csv += fmt::format("b{},{},{},{}\n", i, b.start, b.end, b.size);
  }
  return csv;
}

std::string RandomSession::act() {
  switch (random_.uniform(0, 15)) {
    case 0:
    case 1:
    case 2:
      return edit();
    case 3:
      ui_.press("Ctrl+Z");
      return "undo";
    case 4:
      ui_.press("Ctrl+Y");
      return "redo";
    case 5:
      return run();
    case 6:
      return select();
    case 7:
      return command();
    case 8:
      return move_panel();
    case 9:
      return place_by_hand();
    case 10:
      return wheel();
    case 11:
      return drag();
    case 12:
      return jump();
    case 13:
      return click_anything();
    case 14:
      return show_plan();
    default:
      return file_work();
  }
}

BufferIndex RandomSession::any_buffer() {
  return static_cast<BufferIndex>(random_.uniform(0, static_cast<std::int64_t>(state().problem().size()) - 1));
}

std::string RandomSession::edit() {
  if (!state().has_problem()) return "no edit";
  const BufferIndex i = any_buffer();
  const Buffer b = state().problem()[i];
  EditRequest request;
  request.label = "An edit";
  constexpr std::array kKinds{"lifetime", "size", "alignment", "name",     "kind",
                              "pin",      "add",  "remove",    "capacity", "gap"};
  const std::int64_t kind = random_.uniform(0, std::ssize(kKinds) - 1);
  switch (kind) {
    case 0:
      request.edits = {edit::Lifetime{i, b.start + random_.uniform(-3, 3), b.end + random_.uniform(-3, 3)}};
      break;
    case 1:
      request.edits = {edit::Size{i, random_.uniform(-1, 4096)}};
      break;
    case 2:
      request.edits = {edit::Alignment{i, std::int64_t{1} << random_.uniform(0, 8)}};
      break;
    case 3:
      request.edits = {edit::Name{i, fmt::format("n{}", random_.uniform(0, 99))}};
      break;
    case 4:
      request.edits = {edit::Kind{i, fmt::format("k{}", random_.uniform(0, 5))}};
      break;
    case 5:
      if (b.is_fixed()) {
        request.edits = {edit::Pin{i, std::nullopt}};
      } else {
        request.edits = {edit::Pin{i, random_.uniform(0, 4096)}};
      }
      break;
    case 6: {
      edit::Add add;
      add.name = "new";
      add.buffer = b;
      request.edits = {std::move(add)};
      break;
    }
    case 7:
      if (state().problem().size() > 3) request.edits = {edit::Remove{{i}}};
      break;
    case 8:
      request.edits = {edit::Capacity{random_.uniform(0, 100'000)}};
      break;
    default:
      if (b.lifetime() > 2) request.edits = {split_lifetime(state().problem(), i, b.start + 1, b.end - 1)};
      break;
  }
  const bool drag = random_.uniform(0, 2) == 0;
  if (!drag) begin_edit_drag(state());
  request.drag = drag;
  state().push(action::EditProblem{std::move(request)});
  ui_.frame();
  return fmt::format("edit {} of {}", kKinds[static_cast<std::size_t>(kind)], state().shown_plan);
}

std::string RandomSession::run() {
  const auto all = allocators();
  const std::string id = any_of(all).id;
  const Allocator* allocator = find_allocator(id);
  if (allocator->runs_unasked(state().problem())) state().push(action::RunAllocator{id});
  ui_.frame();
  return "run " + id;
}

std::string RandomSession::select() {
  if (!state().has_problem()) return "no selection";
  std::vector<BufferIndex> buffers;
  for (std::int64_t k = random_.uniform(0, 4); k > 0; --k) buffers.push_back(any_buffer());
  state().push(action::Select{buffers, static_cast<SelectMode>(random_.uniform(0, 2))});
  ui_.frame();
  return "select";
}

/// Any command but those that end the session or wait for a file.
std::string RandomSession::command() {
  const auto all = commands();
  const Command& one = any_of(all);
  switch (one.id) {
    case CommandId::quit:
    case CommandId::save:
    case CommandId::save_as:
      return "no command";
    default:
      break;
  }
  state().push(action::Invoke{one.id});
  ui_.frame();
  if (state().popup != Popup::kNone) ui_.press("Escape");
  return std::string(one.name);
}

std::string RandomSession::move_panel() {
  std::vector<std::string> panels;
  for (const View& view : views()) {
    if (view.place == ViewPlace::kPanel) panels.emplace_back(view.name);
  }
  const std::string panel = any_of(panels);
  if (random_.uniform(0, 3) == 0) {
    state().push(action::UseLayout{any_of(layouts_).name});
    ui_.frames(2);
    return "layout";
  }
  const PanelPlace place{static_cast<Slot>(random_.uniform(0, 3)), static_cast<int>(random_.uniform(1, 2))};
  state().push(action::MovePanel{panel, random_.uniform(0, 4) == 0 ? std::string("hidden") : name_of(place)});
  ui_.frames(2);
  return "panel " + panel;
}

std::string RandomSession::place_by_hand() {
  if (state().plan() == nullptr || !state().has_problem()) return "no hand";
  state().push(action::PlaceByHand{{{any_buffer(), random_.uniform(0, 10'000)}}, random_.uniform(0, 1) == 0});
  ui_.frame();
  return "hand";
}

ImVec2 RandomSession::any_point() {
  return ImVec2(static_cast<float>(random_.uniform(0, 1399)), static_cast<float>(random_.uniform(0, 899)));
}

std::string RandomSession::wheel() {
  ui_.move(any_point());
  ImGui::GetIO().MouseWheel = static_cast<float>(random_.uniform(-2, 2));
  ui_.frame();
  return "wheel";
}

std::string RandomSession::drag() {
  ui_.move(any_point());
  ImGui::GetIO().MouseDown[0] = true;
  ui_.frame();
  ui_.move(any_point());
  ui_.move(any_point());
  if (random_.uniform(0, 3) == 0) ui_.press("Escape");
  ImGui::GetIO().MouseDown[0] = false;
  ui_.frame();
  return "drag";
}

std::string RandomSession::jump() {
  const auto last = static_cast<std::int64_t>(state().editing.history.size()) - 1;
  state().push(action::GoToEntry{static_cast<std::size_t>(random_.uniform(0, last))});
  ui_.frame();
  return "jump";
}

std::string RandomSession::click_anything() {
  std::vector<std::string> names;
  for (const auto& [name, box] : state().ui.widgets) names.push_back(name);
  const std::string name = any_of(names);
  // A picture on the disk is nobody's wish here.
  if (name.rfind("export", 0) == 0 || name.rfind("browser", 0) == 0) return "no click";
  const Ui::Box box = state().ui.widgets.at(name);
  ui_.move(ImVec2((box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2));
  ImGui::GetIO().MouseDown[0] = true;
  ui_.frame();
  ImGui::GetIO().MouseDown[0] = false;
  ui_.frame();
  return "click " + name;
}

std::string RandomSession::show_plan() {
  const std::vector<std::string> plans = state().ranked_plans();
  if (plans.empty()) return "no plan";
  state().push(action::ShowPlan{any_of(plans)});
  ui_.frame();
  return "show";
}

/// What takes many frames, and so is done less often than the rest.
std::string RandomSession::file_work() {
  switch (random_.uniform(0, 20)) {
    case 0:
      return load(any_of(files_));
    case 6:
    case 7:
      return begin_loading(any_of(files_));
    case 8:
    case 9:
      return give_up();
    case 10:
      return close();
    case 1:
    case 2:
      return type_into_field();
    case 3:
      return find();
    case 4:
      return save();
    case 5:
      return reload();
    default:
      return wheel();
  }
}

std::string RandomSession::type_into_field() {
  std::vector<std::string> fields;
  for (const auto& [name, box] : state().ui.widgets) {
    if (name.rfind("edit.", 0) == 0 && !name.ends_with(".error")) fields.push_back(name);
  }
  if (fields.empty()) return "no field";
  const std::string field = any_of(fields);
  const std::vector<std::string> texts = {"7", "64 KiB", "-1", "x y", "0", "99999999999999999999"};
  ui_.click(field);
  ui_.press("Ctrl+A");
  ui_.type(any_of(texts));
  ui_.press(random_.uniform(0, 2) == 0 ? "Escape" : "Enter");
  return "type into " + field;
}

std::string RandomSession::find() {
  const std::vector<std::string> queries = {"b1", "size>100", "is:pinned", "/b[0-9", "kind:k1", "is:moved"};
  ui_.press("Ctrl+F");
  ui_.type(any_of(queries));
  ui_.press("Enter");
  ui_.press(random_.uniform(0, 1) == 0 ? "F3" : "Escape");
  return "find";
}

std::string RandomSession::save() {
  if (saved_.empty()) return "no save";
  state().push(action::SaveTo{saved_});
  ui_.frame();
  return "save";
}

/// Half of the time what is unsaved is kept instead.
std::string RandomSession::reload() {
  ui_.press("F5");
  answer(random_.uniform(0, 1) == 0 ? "question.reload" : "question.keep");
  if (random_.uniform(0, 1) == 0) return "reload, not waited for";
  ui_.until([&] { return !state().loading.running(); });
  return "reload";
}

void RandomSession::answer(std::string_view button) {
  if (ui_.has(button)) ui_.click(button);
}

/// What comes next meets a file that is still being read.
std::string RandomSession::begin_loading(const std::string& path) {
  ui_.workbench().open(path);
  ui_.frames(2);
  answer("question.discard");
  return "begin to load " + path;
}

/// Whatever is on its way is not wanted any more.
std::string RandomSession::give_up() {
  if (random_.uniform(0, 1) == 0) {
    state().later([](Workbench::State& s) { cancel_loading(s); });
    ui_.frame();
    return "cancel the loading";
  }
  state().push(action::Invoke{CommandId::cancel_runs});
  state().push(action::Invoke{CommandId::undo});
  ui_.frame();
  return "cancel the runs and undo";
}

/// The window goes, or the file for an empty board; then a file is opened again.
std::string RandomSession::close() {
  const CommandId id = random_.uniform(0, 1) == 0 ? CommandId::quit : CommandId::new_problem;
  state().push(action::Invoke{id});
  ui_.frames(3);
  answer("question.discard");
  ui_.host.closed = false;
  begin_loading(any_of(files_));
  return "close and open again";
}

std::string RandomSession::load(const std::string& path) {
  begin_loading(path);
  ui_.until([&] { return !state().loading.running(); });
  ui_.frames(2);
  answer("question.discard");  // of what was changed meanwhile
  return "load " + path;
}

}  // namespace stowage::testing
