// Writes pictures of a few problems into a folder, to be looked at: render_pictures FOLDER [FILE.csv ...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "core/allocators/allocator.h"
#include "core/chart/figure.h"
#include "core/model/generate.h"
#include "core/render/cairo_painter.h"
#include "tests/core/chart/examples.h"

namespace stowage {
namespace {

void write(const std::filesystem::path& path, const Scene& scene, PictureFormat format, float scale) {
  const auto start = std::chrono::steady_clock::now();
  const Result<std::string> bytes = paint(scene, format, scale, rgb(0xFFFFFF));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!bytes) {
    std::printf("%s: %s\n", path.c_str(), bytes.error().message.c_str());
    return;
  }
  std::ofstream(path, std::ios::binary) << *bytes;
  std::printf("%s: %zu bytes, painted in %.0f ms\n", path.c_str(), bytes->size(), seconds * 1e3);
}

Plan plan_of(const Problem& problem) {
  return testing::first_fit(problem);
}

void write_all(const std::filesystem::path& folder, const std::string& name, const Problem& problem) {
  const CairoTextMeasure measure;
  const Plan plan = plan_of(problem);
  FigureInput input;
  input.problem = &problem;
  input.plan = &plan;
  input.title = name;
  input.subtitle = "first fit by falling size";
  const struct {
    const char* suffix;
    float width, height, scale;
    const Theme& theme;
  } sizes[] = {{"_dark", 1600, 1000, 1, dark_theme()},
               {"_light", 1600, 1000, 1, light_theme()},
               {"_small2x", 640, 400, 2, dark_theme()},
               {"_small", 640, 400, 1, light_theme()},
               {"_4k", 3840, 2160, 1, dark_theme()}};
  for (const auto& size : sizes) {
    input.width = size.width;
    input.height = size.height;
    input.scale = size.scale;
    write(folder / (name + size.suffix + ".png"), make_figure(input, size.theme, measure), PictureFormat::kPng,
          size.scale);
  }
  input.width = 1600;
  input.height = 1000;
  input.scale = 1;
  const Scene scene = make_figure(input, light_theme(), measure);
  write(folder / (name + ".svg"), scene, PictureFormat::kSvg, 1);
  write(folder / (name + ".pdf"), scene, PictureFormat::kPdf, 1);
}

void write_bars(const std::filesystem::path& folder, int rows, int columns, float width, float height) {
  BarsInput input;
  input.title = "Makespan of " + std::to_string(columns) + " allocators on " + std::to_string(rows) + " files";
  input.width = width;
  input.height = height;
  Random random(7);
  for (int c = 0; c < columns; ++c) input.columns.push_back("tflite-greedy-by-size-" + std::to_string(c));
  for (int r = 0; r < rows; ++r) {
    input.rows.push_back("model_" + std::to_string(r) + ".csv");
    std::vector<double> ratios;
    for (int c = 0; c < columns; ++c) ratios.push_back(1 + std::max(0.0, random.unit() - 0.2) * 0.3);
    if (r == 1) ratios[0] = std::numeric_limits<double>::quiet_NaN();
    input.ratios.push_back(ratios);
  }
  const CairoTextMeasure measure;
  const std::string name = "bars_" + std::to_string(rows) + "x" + std::to_string(columns) + "_" +
                           std::to_string(static_cast<int>(width)) + ".png";
  write(folder / name, make_bars(input, dark_theme(), measure), PictureFormat::kPng, 1);
}

int run(int count, char** arguments) {
  if (count < 2) {
    std::puts("usage: render_pictures FOLDER [FILE.csv ...]");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  for (int i = 2; i < count; ++i) {
    const std::filesystem::path file = arguments[i];
    write_all(folder, file.stem().string(), testing::read_simple_csv(file));
  }
  write_all(folder, "everything", testing::everything());
  write_bars(folder, 3, 4, 1600, 1000);
  write_bars(folder, 20, 20, 1600, 1000);
  write_bars(folder, 1, 1, 640, 400);
  write_bars(folder, 8, 8, 1600, 1000);
  return 0;
}

}  // namespace
}  // namespace stowage

int main(int count, char** arguments) {
  return stowage::run(count, arguments);
}
