#include "app/window_session.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "app/gl/backdrop.h"

namespace stowage {
namespace {

/// After an event Dear ImGui needs another frame or two until hovering, popups and layouts have settled.
constexpr int kFramesAfterEvent = 3;
/// While a text box has the focus its cursor blinks.
constexpr double kBlinkSeconds = 0.2;
/// Where nothing waits for the screen's own rate, drawing again and again must not eat a processor that a planner
/// needs.
constexpr double kShortestFrame = 1.0 / 90;
/// A window that nobody sees looks after its background tasks this often.
constexpr double kHiddenSeconds = 0.1;

}  // namespace

class WindowSession::ImGuiBackends {
 public:
  explicit ImGuiBackends(GLFWwindow* window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // the layout is kept in our own settings
    io.LogFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~ImGuiBackends() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  ImGuiBackends(const ImGuiBackends&) = delete;
  ImGuiBackends& operator=(const ImGuiBackends&) = delete;
};

Result<std::unique_ptr<WindowSession>> WindowSession::create(const SessionOptions& options) {
  WindowShape shape;
  shape.width = options.width;
  shape.height = options.height;
  shape.visible = !options.offscreen;
  shape.vsync = options.vsync && !options.offscreen;
  Result<std::unique_ptr<GlfwWindow>> window = GlfwWindow::create(shape);
  if (!window) return tl::unexpected<Error>(window.error());
  return std::unique_ptr<WindowSession>(new WindowSession(std::move(*window), options));
}

WindowSession::WindowSession(std::unique_ptr<GlfwWindow> window, const SessionOptions& options)
    : window_(std::move(window)) {
  if (options.offscreen) {
    const float scale = options.scale > 0 ? options.scale : 1.0F;
    offscreen_ = std::make_unique<Offscreen>(static_cast<int>(static_cast<float>(options.width) * scale + 0.5F),
                                             static_cast<int>(static_cast<float>(options.height) * scale + 0.5F));
  }
  backends_ = std::make_unique<ImGuiBackends>(window_->handle());
  host_ = std::make_unique<HostWindow>(*window_, options.scale);
  workbench_ = std::make_unique<Workbench>(*host_, options.config_folder);
  events_ = std::make_unique<WindowEvents>(window_->handle());
}

WindowSession::~WindowSession() = default;

void WindowSession::reload_fonts() {
  const float scale = workbench_->font_scale();
  if (scale == loaded_scale_) return;
  fonts_ = load_fonts(*ImGui::GetIO().Fonts, scale);
#if IMGUI_VERSION_NUM < 19200
  if (loaded_scale_ != 0) ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
  loaded_scale_ = scale;
}

/// The back end counts in screen coordinates, which on some platforms are larger than pixels.
void WindowSession::use_framebuffer_pixels() const {
  ImGuiIO& io = ImGui::GetIO();
  int screen_width = 0, ignored = 0, width = 0, height = 0;
  glfwGetWindowSize(window_->handle(), &screen_width, &ignored);
  glfwGetFramebufferSize(window_->handle(), &width, &height);
  if (offscreen_) {
    width = offscreen_->width();
    height = offscreen_->height();
  }
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DisplayFramebufferScale = ImVec2(1, 1);
#if IMGUI_VERSION_NUM < 18700
  const bool inside = io.MousePos.x > -1e6F && screen_width > 0;
  if (inside && !offscreen_) {
    const float ratio = static_cast<float>(width) / static_cast<float>(screen_width);
    io.MousePos = ImVec2(io.MousePos.x * ratio, io.MousePos.y * ratio);
  }
#endif
}

void WindowSession::build(const std::function<void(ImGuiIO&)>& script) {
  reload_fonts();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  use_framebuffer_pixels();
  if (script) script(ImGui::GetIO());
  workbench_->before_frame();
  ImGui::NewFrame();
  workbench_->frame(fonts_);
  ImGui::Render();
  events_->frame_built();
}

void WindowSession::draw() {
  ImDrawData* data = ImGui::GetDrawData();
  const ImVec2 size = data->DisplaySize;
  if (offscreen_) offscreen_->bind();
  glViewport(0, 0, static_cast<int>(size.x), static_cast<int>(size.y));
  const ImVec4 backdrop = ImGui::ColorConvertU32ToFloat4(take_backdrop(*data));
  glClearColor(backdrop.x, backdrop.y, backdrop.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(data);
}

void WindowSession::finish() {
  glFinish();
}

void WindowSession::present() {
  if (!offscreen_) glfwSwapBuffers(window_->handle());
  host_->apply();
  frames_owed_ = std::max(frames_owed_ - 1, 0);
  last_present_ = glfwGetTime();
}

void WindowSession::open_dropped() {
  const std::vector<std::string> dropped = events_->take_dropped();
  if (!dropped.empty()) workbench_->open(dropped.front());
}

void WindowSession::poll() {
  glfwPollEvents();
  open_dropped();
}

bool WindowSession::wait(double seconds) {
  const bool hidden = glfwGetWindowAttrib(window_->handle(), GLFW_ICONIFIED) != 0;
  const bool busy = frames_owed_ > 0 || workbench_->animating();
  const bool blinking = ImGui::GetIO().WantTextInput;
  double pause = blinking ? std::min(seconds, kBlinkSeconds) : seconds;
  if (busy) pause = last_present_ + kShortestFrame - glfwGetTime();
  if (hidden) pause = std::min(seconds, kHiddenSeconds);
  if (pause > 0) {
    glfwWaitEventsTimeout(pause);
  } else {
    glfwPollEvents();
  }
  open_dropped();
  if (events_->take_happened()) frames_owed_ = kFramesAfterEvent;
  return busy || blinking || frames_owed_ > 0 || workbench_->animating();
}

void WindowSession::keep_open() {
  glfwSetWindowShouldClose(window_->handle(), GLFW_FALSE);
  frames_owed_ = kFramesAfterEvent;
}

bool WindowSession::should_close() const {
  return glfwWindowShouldClose(window_->handle()) != 0;
}

}  // namespace stowage
