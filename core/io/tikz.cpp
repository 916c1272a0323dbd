#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/model/metrics.h"

// One TikZ picture for a paper: time to the right, addresses upwards, lengths in bp. With several spaces they stand
// one above the other.

namespace stowage {
namespace {

constexpr double kWidth = 360;
constexpr double kHeight = 220;
constexpr double kBetween = 36;
constexpr std::array<std::string_view, 6> kColours = {"blue", "orange", "teal", "red", "violet", "olive"};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : shown(text)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '{':
      case '}':
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
        out += '\\';
        out += c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct Scale {
  double low = 0;
  double factor = 1;
  double operator()(std::int64_t value) const { return (static_cast<double>(value) - low) * factor; }
};

std::string picture_of(const Problem& problem, const Plan& plan, std::uint16_t space, const Scale& x, double bottom,
                       const ProblemMetrics& facts) {
  std::int64_t top = 1;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space || plan.offsets[i] == kNoOffset) continue;
    top = std::max(top, checked_add(plan.offsets[i], problem[i].size).value_or(kMaxInt64));
  }
  const Scale y{0, kHeight / static_cast<double>(top)};
  std::string out;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    const std::int64_t offset = plan.offsets[i];
    if (buffer.space != space || offset == kNoOffset || !buffer.takes_memory()) continue;
    const double left = x(buffer.start);
    const double right = x(buffer.end);
    const double low = bottom + y(offset);
    const double high = low + static_cast<double>(buffer.size) * y.factor;
    out += fmt::format("  \\draw[fill={}!30] ({:.2f},{:.2f}) rectangle ({:.2f},{:.2f});",
                       kColours[buffer.kind % kColours.size()], left, low, right, high);
    if (right - left > 18 && high - low > 8) {
      out += fmt::format(" \\node[font=\\tiny] at ({:.2f},{:.2f}) {{{}}};", (left + right) / 2, (low + high) / 2,
                         escaped(problem.id(i)));
    }
    out += "\n";
  }
  out += fmt::format("  \\draw[->] (0,{0:.2f}) -- ({1:.2f},{0:.2f}) node[right] {{{2}}};\n", bottom, kWidth + 12,
                     escaped(problem.time_unit()));
  out += fmt::format("  \\draw[->] (0,{0:.2f}) -- (0,{1:.2f}) node[above] {{{2}}};\n", bottom, bottom + kHeight + 8,
                     escaped(problem.spaces()[space].id + ", bytes"));
  for (const std::int64_t time : {facts.horizon_low, facts.horizon_high}) {
    out += fmt::format("  \\node[below, font=\\scriptsize] at ({:.2f},{:.2f}) {{{}}};\n", x(time), bottom, time);
  }
  for (const std::int64_t address : {std::int64_t{0}, top}) {
    out += fmt::format("  \\node[left, font=\\scriptsize] at (0,{:.2f}) {{{}}};\n", bottom + y(address), address);
  }
  return out;
}

Result<std::string> write(const Document& document, const WriteOptions& options) {
  const Problem& problem = *document.problem;
  const auto plan = plan_to_write(document, options);
  if (!plan) return tl::unexpected<Error>(plan.error());
  if (*plan == nullptr) return input_error("a TikZ picture shows a plan, and there is none; plan first");
  const ProblemMetrics facts = measure(problem);
  const double span = static_cast<double>(facts.horizon_high) - static_cast<double>(facts.horizon_low);
  const Scale x{static_cast<double>(facts.horizon_low), kWidth / std::max(span, 1.0)};
  std::string out = fmt::format("% {} buffers, by {}; \\usepackage{{tikz}}\n\\begin{{tikzpicture}}[x=1bp, y=1bp]\n",
                                problem.size(), shown((*plan)->allocator));
  double bottom = 0;
  for (std::uint16_t s = 0; s < problem.spaces().size(); ++s) {
    const bool used = std::any_of(problem.buffers().begin(), problem.buffers().end(),
                                  [&](const Buffer& buffer) { return buffer.space == s; });
    if (!used) continue;
    out += picture_of(problem, **plan, s, x, bottom, facts);
    bottom += kHeight + kBetween;
  }
  return out + "\\end{tikzpicture}\n";
}

}  // namespace

Format tikz_format() {
  Format format;
  format.id = "tikz";
  format.title = "TikZ picture";
  format.extension = ".tex";
  format.summary = "a plan as rectangles with axes, for LaTeX";
  format.write = write;
  return format;
}

}  // namespace stowage
