// screenshot FILE OUT.png [--size WxH] [--scale S] [--theme dark|light] [--do COMMAND]... [--panel ID] [--click WIDGET]
// [--select N] [--query TEXT]: a picture of the window without a window, for the eye.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/text.h"
#include "tests/support/ui_driver.h"

int main(int argc, char** argv) {
  using namespace stowage;
  if (argc < 3) return std::fprintf(stderr, "screenshot FILE OUT.png [options]\n"), 2;
  float width = 1600, height = 1000, scale = 1;
  for (int k = 3; k + 1 < argc; k += 2) {
    const std::string key = argv[k];
    if (key == "--size") std::sscanf(argv[k + 1], "%fx%f", &width, &height);
    if (key == "--scale") scale = std::strtof(argv[k + 1], nullptr);
  }
  testing::UiDriver ui(width, height, {}, scale);
  const std::string file = argv[1];
  if (file != "-" && !ui.open(file)) return std::fprintf(stderr, "it never settled\n"), 1;
  for (int k = 3; k + 1 < argc; k += 2) {
    const std::string key = argv[k];
    const std::string value = argv[k + 1];
    if (key == "--theme") ui.state().settings.theme = value;
    if (key == "--query") apply(ui.state(), action::SetQuery{value});
    if (key == "--select") {
      apply(ui.state(), action::Select{{static_cast<BufferIndex>(std::atoi(argv[k + 1]))}, SelectMode::kReplace});
    }
    if (key == "--hover") {
      float x = 0, y = 0;
      std::sscanf(argv[k + 1], "%f,%f", &x, &y);
      ui.move(ui.point("chart.area", x, y));
    }
    if (key == "--panel") apply(ui.state(), action::ShowPanel{value});
    if (key == "--click") {
      ui.frames(3);
      ui.click(value);
    }
    if (key == "--do") {
      for (const Command& one : commands()) {
        if (one.name == value) run_command(ui.state(), one.id);
      }
    }
    ui.settle();
  }
  ui.frames(20);
  testing::write_png(ui.screenshot(), argv[2]);
  return 0;
}
