#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>

#include <cairo.h>
#include <doctest/doctest.h>
#include <imgui.h>

#include "app/gl/backdrop.h"
#include "app/temporary_folder.h"
#include "app/window_session.h"
#include "core/io/file.h"
#include "tests/window/virtual_display.h"

namespace stowage {
namespace {

/// Long enough for the slowest machine; reached only when something hangs.
constexpr std::chrono::seconds kGiveUp{240};

const char* const kProblem =
    "id,lower,upper,size\n"
    "input,0,2,4096\nweights,0,9,8192\nconv,1,4,6144\nnorm,3,6,6144\nrelu,5,8,6144\npool,7,9,2048\n";

struct Finished {
  int code = -1;
  std::string output;  // standard output and error
};

/// Runs a shell command; `&` and the like are the caller's.
Finished run(const std::string& command, const std::string& folder) {
  const std::string log = folder + "/log";
  const int status = std::system((command + " >'" + log + "' 2>&1").c_str());
  Finished finished;
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  finished.output = read_file(log).value_or("");
  return finished;
}

bool quietly(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

bool installed(const std::string& program) {
  return quietly("command -v " + program);
}

/// Types one key into the window that shows the file. The focus comes first and in a command of its own: a key in the
/// same command would be sent as a synthetic event to the window found, not typed on the keyboard.
bool press(const std::string& key) {
  return quietly("xdotool search --name textbook windowfocus --sync") && quietly("xdotool key --delay 50 " + key);
}

std::string problem_file(const std::string& folder) {
  std::string path = folder + "/textbook.csv";
  REQUIRE(write_file(path, kProblem));
  return path;
}

/// What a picture shows, as far as a test wants to know.
struct PictureFacts {
  int width = 0;
  int height = 0;
  std::set<std::uint32_t> colours;
  std::uint32_t corner = 0;  // 0xAARRGGBB of the pixel at the top left
};

PictureFacts look_at(const std::string& path) {
  PictureFacts facts;
  cairo_surface_t* surface = cairo_image_surface_create_from_png(path.c_str());
  REQUIRE(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS);
  facts.width = cairo_image_surface_get_width(surface);
  facts.height = cairo_image_surface_get_height(surface);
  const unsigned char* rows = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < facts.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(rows + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < facts.width; ++x) facts.colours.insert(row[x] | 0xFF000000U);
    if (y == 0) facts.corner = row[0] | 0xFF000000U;
  }
  cairo_surface_destroy(surface);
  return facts;
}

std::unique_ptr<WindowSession> open_session(const std::string& folder) {
  SessionOptions options;
  options.config_folder = folder;
  options.width = 1200;
  options.height = 800;
  options.vsync = false;
  auto session = WindowSession::create(options);
  REQUIRE_MESSAGE(session.has_value(), (session ? std::string() : session.error().message));
  return std::move(*session);
}

void frame(WindowSession& window) {
  window.build();
  window.draw();
  window.present();
}

/// Frames, as the program draws them, until there is nothing left to draw.
bool comes_to_rest(WindowSession& window) {
  const auto give_up = std::chrono::steady_clock::now() + kGiveUp;
  while (std::chrono::steady_clock::now() < give_up) {
    if (!window.wait(0.3)) return true;
    frame(window);
  }
  return false;
}

}  // namespace
}  // namespace stowage

#define STOWAGE_NEED_DISPLAY(name)                                \
  const stowage::testing::VirtualDisplay name;                    \
  if (!name.works()) {                                            \
    MESSAGE("skipped: Xvfb is not installed, or does not start"); \
    return;                                                       \
  }

TEST_CASE("without a display the program says what to do instead and ends with 3") {
  const stowage::TemporaryFolder folder;
  const std::string file = stowage::problem_file(folder.path());
  const auto finished = stowage::run(
      "env -u DISPLAY -u WAYLAND_DISPLAY '" STOWAGE_PROGRAM "' --config '" + folder.path() + "' '" + file + "'",
      folder.path());
  CHECK(finished.code == 3);
  CHECK(finished.output.find("no display") != std::string::npos);
  CHECK(finished.output.find("stowage plan FILE --png") != std::string::npos);
}

TEST_CASE("the program takes a picture of its window that shows the file") {
  STOWAGE_NEED_DISPLAY(display);
  const stowage::TemporaryFolder folder;
  const std::string file = stowage::problem_file(folder.path());
  const std::string picture = folder.path() + "/window.png";
  const auto finished =
      stowage::run("'" STOWAGE_PROGRAM "' --config '" + folder.path() + "' --picture '" + picture + "' '" + file + "'",
                   folder.path());
  CAPTURE(finished.output);
  REQUIRE(finished.code == 0);
  const auto facts = stowage::look_at(picture);
  CHECK(facts.width == 1600);
  CHECK(facts.height == 1000);
  CHECK(facts.colours.size() > 100);  // text alone brings dozens of shades, a blank window one
  CHECK(facts.corner != 0xFF000000U);
}

TEST_CASE("a picture that cannot be written ends with 3 and names the path") {
  STOWAGE_NEED_DISPLAY(display);
  const stowage::TemporaryFolder folder;
  const std::string file = stowage::problem_file(folder.path());
  const auto finished = stowage::run(
      "'" STOWAGE_PROGRAM "' --config '" + folder.path() + "' --picture '/no/such/folder/x.png' '" + file + "'",
      folder.path());
  CHECK(finished.code == 3);
  CHECK(finished.output.find("/no/such/folder/x.png") != std::string::npos);
}

TEST_CASE("the window shows the file's name, obeys the keyboard and ends with 0 on Ctrl+Q") {
  STOWAGE_NEED_DISPLAY(display);
  if (!stowage::installed("xdotool")) {
    MESSAGE("skipped: xdotool is not installed");
    return;
  }
  const stowage::TemporaryFolder folder;
  const std::string file = stowage::problem_file(folder.path());
  const std::string status = folder.path() + "/status";
  const std::string start = "('" STOWAGE_PROGRAM "' --config '" + folder.path() + "' '" + file + "'; echo $? >'" +
                            status + "') >/dev/null 2>&1 &";
  REQUIRE(std::system(start.c_str()) == 0);
  // Keys are sometimes lost between the tool and the server, so the last one is repeated until the program has ended.
  // The window's own title says that the file is open; nothing is typed before.
  const auto give_up = std::chrono::steady_clock::now() + stowage::kGiveUp;
  bool seen = false;
  std::error_code ignored;
  while (std::chrono::steady_clock::now() < give_up && !std::filesystem::exists(status, ignored)) {
    if (!seen && stowage::quietly("xdotool search --name textbook")) {
      seen = true;
      stowage::press("question");
      stowage::press("Escape");
    }
    if (seen) stowage::press("ctrl+q");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  CHECK(seen);
  REQUIRE(std::filesystem::exists(status, ignored));
  CHECK(stowage::read_file(status).value_or("") == "0\n");
}

TEST_CASE("an idle window draws nothing, and an event wakes it for a few frames") {
  STOWAGE_NEED_DISPLAY(display);
  const stowage::TemporaryFolder folder;
  auto window = stowage::open_session(folder.path());
  window->workbench().open(stowage::problem_file(folder.path()));
  REQUIRE(stowage::comes_to_rest(*window));
  CHECK(window->workbench().document().problem->size() == 6);
  for (int k = 0; k < 20; ++k) CHECK_FALSE(window->wait(0.01));
}

TEST_CASE("full screen and back leaves the size of the window as it was") {
  STOWAGE_NEED_DISPLAY(display);
  const stowage::TemporaryFolder folder;
  auto window = stowage::open_session(folder.path());
  stowage::frame(*window);
  int width = 0, height = 0;
  window->window().set_fullscreen(true);
  CHECK(window->window().fullscreen());
  window->window().logical_size(width, height);  // the size to come back to, which is also the one to remember
  CHECK(width == 1200);
  CHECK(height == 800);
  window->window().set_fullscreen(false);
  window->window().logical_size(width, height);
  CHECK(width == 1200);
  CHECK(height == 800);
}

TEST_CASE("an image is uploaded again only when its revision changes") {
  STOWAGE_NEED_DISPLAY(display);
  const stowage::TemporaryFolder folder;
  auto window = stowage::open_session(folder.path());
  stowage::TextureSlots slots;
  stowage::draw::Image image;
  image.width = 4;
  image.height = 2;
  image.pixels = std::make_shared<const std::vector<std::uint32_t>>(8, 0xFF00FF00U);
  image.revision = 7;
  const ImTextureID first = slots.texture("chart", image);
  CHECK(slots.texture("chart", image) == first);
  CHECK(slots.uploads() == 1);
  image.revision = 8;
  CHECK(slots.texture("chart", image) == first);
  CHECK(slots.uploads() == 2);
  image.width = 2;  // another size, the same slot
  CHECK(slots.texture("chart", image) == first);
  CHECK(slots.uploads() == 3);
  CHECK(slots.texture("load", image) != first);
  CHECK(slots.uploads() == 4);
}

TEST_CASE("a backdrop over the whole display becomes the colour of clearing, anything else stays") {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = ImVec2(100, 50);
  io.DeltaTime = 1.0F / 60;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  struct Case {
    ImVec2 low, high;
    ImU32 color;
    bool taken;
  };
  const Case cases[] = {{ImVec2(0, 0), ImVec2(100, 50), IM_COL32(1, 2, 3, 255), true},
                        {ImVec2(-5, 0), ImVec2(100, 60), IM_COL32(1, 2, 3, 255), true},
                        {ImVec2(0, 0), ImVec2(100, 50), IM_COL32(1, 2, 3, 254), false},
                        {ImVec2(0, 0), ImVec2(100, 49), IM_COL32(1, 2, 3, 255), false},
                        {ImVec2(1, 0), ImVec2(100, 50), IM_COL32(1, 2, 3, 255), false}};
  for (const Case& one : cases) {
    CAPTURE(one.high.y);
    ImGui::NewFrame();
    ImGui::GetBackgroundDrawList()->AddRectFilled(one.low, one.high, one.color);
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(10, 10), ImVec2(20, 20), IM_COL32(9, 9, 9, 255));
    ImGui::Render();
    ImDrawData& data = *ImGui::GetDrawData();
    const unsigned before = data.CmdLists[0]->CmdBuffer[0].ElemCount;
    const ImU32 cleared = stowage::take_backdrop(data);
    CHECK(cleared == (one.taken ? one.color : IM_COL32(0, 0, 0, 255)));
    CHECK(data.CmdLists[0]->CmdBuffer[0].ElemCount == before - (one.taken ? 6U : 0U));
  }
  ImGui::DestroyContext();
}
