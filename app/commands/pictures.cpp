#include "app/commands/pictures.h"

#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/figure.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

constexpr std::int64_t kSmallestSide = 64;
constexpr std::int64_t kLargestSide = 16'384;

}  // namespace

const Theme& theme_of(const PictureFlags& flags) {
  const Theme* theme = find_theme(flags.theme);
  return theme != nullptr ? *theme : dark_theme();
}

std::string picture_title(const Document& document) {
  return document.problem->name().empty() ? title_of(document) : document.problem->name();
}

void add_picture_options(CLI::App& command, PictureFlags& flags, bool labels) {
  const std::string group = "Pictures";
  command.add_option("--png", flags.png, "Write the picture as PNG")->type_name("FILE")->group(group);
  command.add_option("--svg", flags.svg, "Write the picture as SVG")->type_name("FILE")->group(group);
  command.add_option("--pdf", flags.pdf, "Write the picture as PDF")->type_name("FILE")->group(group);
  command.add_option("--size", flags.size, "Logical pixels (default 1600x1000)")->type_name("WxH")->group(group);
  command.add_option("--scale", flags.scale, "Pixels of the PNG for each logical one (default 1)")
      ->type_name("N")
      ->check(CLI::Range(0.1F, 8.0F))
      ->group(group);
  command.add_option("--theme", flags.theme, "dark (default) or light")
      ->check(CLI::IsMember({"dark", "light"}))
      ->type_name("THEME")
      ->group(group);
  if (!labels) return;
  command
      .add_option_function<std::string>(
          "--labels", [&flags](const std::string& text) { flags.labels = text == "on"; },
          "Names in the rectangles: on (default) or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->group(group);
}

Result<PictureSize> parse_size(std::string_view text) {
  const auto wrong = [&] {
    return usage_error(
        fmt::format("--size {}: a size is written 1600x1000, each side {} to {}", text, kSmallestSide, kLargestSide));
  };
  const std::size_t times = text.find('x');
  if (times == std::string_view::npos) return wrong();
  const std::optional<std::int64_t> width = parse_int(text.substr(0, times));
  const std::optional<std::int64_t> height = parse_int(text.substr(times + 1));
  const auto sound = [](const std::optional<std::int64_t>& side) {
    return side && *side >= kSmallestSide && *side <= kLargestSide;
  };
  if (!sound(width) || !sound(height)) return wrong();
  return PictureSize{static_cast<float>(*width), static_cast<float>(*height)};
}

Result<void> expect_pictures(const PictureFlags& flags, Outputs& outputs) {
  if (const Result<PictureSize> size = parse_size(flags.size); !size) return tl::unexpected(size.error());
  for (const std::string& path : {flags.png, flags.svg, flags.pdf}) {
    if (const Result<void> expected = outputs.expect(path); !expected) return expected;
  }
  return {};
}

Result<void> add_pictures(const PictureFlags& flags, const Scene& scene, Outputs& outputs) {
  const std::pair<std::string, PictureFormat> wanted[] = {
      {flags.png, PictureFormat::kPng}, {flags.svg, PictureFormat::kSvg}, {flags.pdf, PictureFormat::kPdf}};
  for (const auto& file : wanted) {
    if (file.first.empty()) continue;
    Result<std::string> bytes = paint(scene, file.second, flags.scale, theme_of(flags).background);
    if (!bytes) return tl::unexpected(Error{bytes.error().kind, file.first + ": " + bytes.error().message});
    outputs.add(file.first, std::move(*bytes));
  }
  return {};
}

Result<void> add_plan_pictures(const PictureFlags& flags, const Document& document, const Plan* plan,
                               std::uint16_t space, Outputs& outputs, bool stacked) {
  if (!flags.wanted()) return {};
  const Result<PictureSize> size = parse_size(flags.size);
  if (!size) return tl::unexpected(size.error());
  FigureInput input;
  input.problem = document.problem.get();
  input.plan = plan;
  input.title = picture_title(document);
  input.subtitle = plan != nullptr ? plan->allocator : std::string();
  input.width = size->width;
  input.height = size->height;
  input.scale = flags.scale;
  input.labels = flags.labels;
  input.space = space;
  input.stacked = stacked;
  return add_pictures(flags, make_figure(input, theme_of(flags), CairoTextMeasure()), outputs);
}

}  // namespace stowage
