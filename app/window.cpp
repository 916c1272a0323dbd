#include "app/window.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "app/temporary_folder.h"
#include "app/window_session.h"
#include "core/io/file.h"
#include "core/io/settings.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

constexpr int kFailed = 3;
/// An idle window looks up this often, in case something changed without an event: a watched file, work to be kept.
constexpr double kIdleSeconds = 0.5;
/// A picture is taken anyway when work has not settled by then.
constexpr std::chrono::seconds kSettleAtMost{120};

int fail_with(const Error& error) {
  fmt::print(stderr, "stowage: {}\n", error.message);
  return kFailed;
}

Settings settings_or_defaults(const std::string& folder) {
  if (folder.empty()) return {};
  return read_settings(folder).value_or(Settings{});  // the workbench shows why they could not be read
}

/// Settings are the workbench's while it runs; the size of the window is added when it has closed.
void keep_size(const std::string& folder, int width, int height) {
  if (folder.empty()) return;
  Result<Settings> settings = read_settings(folder);
  if (!settings) return;  // a file that cannot be read is not overwritten
  if (settings->window_width == width && settings->window_height == height) return;
  settings->window_width = width;
  settings->window_height = height;
  if (const Result<void> written = write_settings(folder, *settings); !written) {
    fmt::print(stderr, "stowage: {}\n", written.error().message);
  }
}

bool shows_file(WindowSession& session, const std::string& file) {
  return file.empty() || !session.workbench().document().path.empty();
}

int run_on_screen(const std::string& file, const WindowOptions& options) {
  const Settings settings = settings_or_defaults(options.config_folder);
  SessionOptions session_options;
  session_options.config_folder = options.config_folder;
  session_options.width = settings.window_width;
  session_options.height = settings.window_height;
  auto session = WindowSession::create(session_options);
  if (!session) return fail_with(session.error());
  WindowSession& window = **session;
  if (!file.empty()) window.workbench().open(file);

  int frames_left = options.frames;
  while (true) {
    if (window.should_close()) {
      if (window.workbench().ask_to_close()) break;
      window.keep_open();  // until the user has decided about unsaved changes
    }
    if (!window.wait(kIdleSeconds)) continue;
    window.build();
    window.draw();
    window.present();
    if (options.frames > 0 && shows_file(window, file) && --frames_left == 0) break;
  }
  int width = 0, height = 0;
  window.window().logical_size(width, height);
  session->reset();
  keep_size(options.config_folder, width, height);
  return 0;
}

/// Frames until nothing moves any more, and two beyond, because layouts lag one frame behind.
void settle(WindowSession& window) {
  const auto give_up = std::chrono::steady_clock::now() + kSettleAtMost;
  int quiet = 0;
  while (quiet < 3 && std::chrono::steady_clock::now() < give_up) {
    window.wait(0);
    window.build();
    window.draw();
    window.present();
    quiet = window.workbench().animating() ? 0 : quiet + 1;
  }
}

Result<void> write_png(const draw::Image& image, const std::string& path) {
  Scene scene;
  scene.width = image.rect.width();
  scene.height = image.rect.height();
  scene.add(image);
  const Result<std::string> png = paint(scene, PictureFormat::kPng, 1, rgb(0));
  if (!png) return tl::unexpected<Error>(png.error());
  return write_file(path, *png);
}

int take_picture(const std::string& file, const WindowOptions& options) {
  const WindowOptions::Picture& picture = *options.picture;
  // A picture never changes what the user's own settings say.
  const TemporaryFolder folder;
  Settings settings = settings_or_defaults(options.config_folder);
  if (!picture.theme.empty()) settings.theme = picture.theme;
  if (const Result<void> written = write_settings(folder.path(), settings); !written) return fail_with(written.error());

  SessionOptions session_options;
  session_options.config_folder = folder.path();
  session_options.offscreen = true;
  session_options.width = picture.width;
  session_options.height = picture.height;
  session_options.scale = picture.scale;
  auto session = WindowSession::create(session_options);
  if (!session) return fail_with(session.error());
  WindowSession& window = **session;
  if (!file.empty()) window.workbench().open(file);
  settle(window);
  if (const Result<void> written = write_png(window.read(), picture.path); !written) return fail_with(written.error());
  return 0;
}

}  // namespace

int run_window(const std::string& file, const WindowOptions& options) {
  return options.picture ? take_picture(file, options) : run_on_screen(file, options);
}

}  // namespace stowage
