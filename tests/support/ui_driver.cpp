#include "tests/support/ui_driver.h"

#include <chrono>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <utility>

#include "ui/services.h"
#include "ui/shortcuts.h"

namespace stowage::testing {
namespace {

/// What Dear ImGui's own widgets look up, with the numbers the window uses before 1.87.
void map_keys(ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
  const std::pair<int, int> keys[] = {
      {ImGuiKey_Tab, 258},       {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262}, {ImGuiKey_UpArrow, 265},
      {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266},    {ImGuiKey_PageDown, 267},   {ImGuiKey_Home, 268},
      {ImGuiKey_End, 269},       {ImGuiKey_Delete, 261},    {ImGuiKey_Backspace, 259},  {ImGuiKey_Space, 32},
      {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},    {ImGuiKey_A, 'A'},          {ImGuiKey_C, 'C'},
      {ImGuiKey_V, 'V'},         {ImGuiKey_X, 'X'},         {ImGuiKey_Y, 'Y'},          {ImGuiKey_Z, 'Z'},
  };
  for (const auto& [key, number] : keys) io.KeyMap[key] = number;
#else
  (void)io;
#endif
}

double seconds_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

ImTextureID MemoryHost::texture(std::string_view slot, const draw::Image& image) {
  Slot& found = slots_[std::string(slot)];
  if (found.revision != image.revision || found.bitmap.pixels.empty()) {
    found.revision = image.revision;
    found.bitmap = Bitmap{image.width, image.height, *image.pixels};
    ++uploads;
  }
  return &found.bitmap;
}

UiDriver::UiDriver(float width, float height, std::string config_folder, float scale)
    : context_(ImGui::CreateContext()), size_(width * scale, height * scale) {
  host.scale = scale;
  ImGui::SetCurrentContext(context_);  // another driver may have the current one
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DeltaTime = 1.0F / 60;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  map_keys(io);
  workbench_ = std::make_unique<Workbench>(host, std::move(config_folder));
  frames(2);
}

UiDriver::~UiDriver() {
  workbench_.reset();
  ImGui::DestroyContext(context_);
}

void UiDriver::load_fonts_if_needed() {
  const float scale = workbench_->font_scale();
  if (scale == fonts_scale_) return;
  ImGuiIO& io = ImGui::GetIO();
  fonts_ = load_fonts(*io.Fonts, scale);
  fonts_scale_ = scale;
  unsigned char* pixels = nullptr;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &atlas_.width, &atlas_.height);
  atlas_.pixels.resize(static_cast<std::size_t>(atlas_.width) * static_cast<std::size_t>(atlas_.height));
  std::memcpy(atlas_.pixels.data(), pixels, atlas_.pixels.size() * 4);
  io.Fonts->SetTexID(&atlas_);
}

void UiDriver::frame() {
  ImGui::SetCurrentContext(context_);
  load_fonts_if_needed();
  const double before = on_frame ? seconds_of_this_thread() : 0;
  ImGui::GetIO().DisplaySize = size_;
  host.time += 1.0 / 60;
  workbench_->before_frame();
  ImGui::NewFrame();
  workbench_->frame(fonts_);
  ImGui::Render();
  if (on_frame) on_frame(seconds_of_this_thread() - before);
}

void UiDriver::frames(int count) {
  for (int k = 0; k < count; ++k) frame();
}

bool UiDriver::until(const std::function<bool()>& holds, int tries) {
  for (int k = 0; k < tries; ++k) {
    frame();
    if (holds()) return true;
    if (any_service_busy(state())) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

bool UiDriver::settle() {
  const bool quiet = until([&] { return !any_service_busy(state()) && state().settle_frames == 0; });
  frames(2);
  return quiet;
}

bool UiDriver::open(const std::string& path) {
  workbench_->open(path);
  return settle();
}

bool UiDriver::has(std::string_view name) {
  return state().ui.widgets.find(name) != state().ui.widgets.end();
}

ImVec2 UiDriver::point(std::string_view name, float x, float y) {
  const auto found = state().ui.widgets.find(name);
  if (found == state().ui.widgets.end()) throw std::runtime_error("no widget is named " + std::string(name));
  const Ui::Box& box = found->second;
  return ImVec2(box.low.x + (box.high.x - box.low.x) * x, box.low.y + (box.high.y - box.low.y) * y);
}

ImVec2 UiDriver::centre(std::string_view name) {
  return point(name, 0.5F, 0.5F);
}

void UiDriver::move(ImVec2 to) {
  ImGui::GetIO().MousePos = to;
  frame();
}

void UiDriver::click(ImVec2 at) {
  // Far enough apart in time and place that two clicks never count as a double one.
  host.time += 1;
  for (int k = 0; k < 20; ++k) frame();
  move(at);
  ImGui::GetIO().MouseDown[0] = true;
  frame();
  ImGui::GetIO().MouseDown[0] = false;
  frames(3);
}

void UiDriver::double_click(ImVec2 at) {
  click(at);
  ImGui::GetIO().MouseDown[0] = true;
  frame();
  ImGui::GetIO().MouseDown[0] = false;
  frames(3);
}

void UiDriver::drag(ImVec2 from, ImVec2 to, int steps) {
  for (int k = 0; k < 20; ++k) frame();
  move(from);
  ImGui::GetIO().MouseDown[0] = true;
  frame();
  for (int k = 1; k <= steps; ++k) {
    const float share = static_cast<float>(k) / static_cast<float>(steps);
    move(ImVec2(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share));
  }
  ImGui::GetIO().MouseDown[0] = false;
  frames(3);
}

void UiDriver::wheel(ImVec2 at, float notches) {
  host.time += 1;
  move(at);
  ImGui::GetIO().MouseWheel = notches;
  frames(2);
}

void UiDriver::type(std::string_view text) {
  for (const char c : text) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    frame();
  }
  frames(2);
}

void UiDriver::set_key(std::string_view key, bool down) {
#if IMGUI_VERSION_NUM < 18700
  ImGui::GetIO().KeysDown[key_number(key)] = down;
#else
  ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key_number(key)), down);
#endif
}

void UiDriver::hold(std::string_view keys, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  if (keys == "Ctrl") {
    io.KeyCtrl = down;
  } else if (keys == "Shift") {
    io.KeyShift = down;
  } else if (keys == "Alt") {
    io.KeyAlt = down;
  } else {
    set_key(keys, down);
  }
  frame();
}

void UiDriver::press(std::string_view chord) {
  if (chord == "?") return type("?");
  const Shortcut shortcut = parse_shortcut(chord);
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = shortcut.ctrl;
  io.KeyShift = shortcut.shift;
  io.KeyAlt = shortcut.alt;
  set_key(shortcut.key, true);
  frame();
  set_key(shortcut.key, false);
  io.KeyCtrl = io.KeyShift = io.KeyAlt = false;
  frames(3);
}

Bitmap UiDriver::screenshot() {
  frame();
  return rasterise(*ImGui::GetDrawData(), 0xFF000000U);
}

}  // namespace stowage::testing
