#include <algorithm>
#include <span>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/html_page_parts.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/model/metrics.h"

// One file that any browser opens without a network: the plan as SVG with zoom, hover and search, and, with the steps
// of a run, a player of them. The data stand in it as JSON; nothing of them is ever taken for markup.

namespace stowage {
namespace {

/// More rectangles than this make a browser slow; the largest are kept, and the page says how many are missing.
constexpr std::size_t kMostRectangles = 20'000;

/// Each step stands there with its sentence: more of them make the page long to load.
constexpr std::size_t kMostSteps = 50'000;

/// JSON inside a script element must not end it.
std::string safe_in_script(std::string json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003C";
    } else if (c == '&') {
      safe += "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string safe_in_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

/// The buffers that are drawn, by rising row.
std::vector<BufferIndex> drawn(const Problem& problem, const Plan& plan) {
  std::vector<BufferIndex> rows;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (plan.offsets[i] != kNoOffset) rows.push_back(i);
  }
  if (rows.size() <= kMostRectangles) return rows;
  const auto area = [&](BufferIndex i) {
    return Int128{problem[i].size} * problem[i].lifetime();
  };
  std::nth_element(rows.begin(), rows.begin() + kMostRectangles, rows.end(),
                   [&](BufferIndex a, BufferIndex b) { return area(a) != area(b) ? area(a) > area(b) : a < b; });
  rows.resize(kMostRectangles);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// What a step does to a rectangle: [operation, row of `buffers` or -1, offset or null, sentence].
void append_steps(std::string& out, const Problem& problem, const std::vector<BufferIndex>& rows, const StepLog& log) {
  std::vector<std::int64_t> row_of(problem.size(), -1);
  for (std::size_t row = 0; row < rows.size(); ++row) row_of[rows[row]] = static_cast<std::int64_t>(row);
  const auto steps = std::span(log.steps()).first(std::min(kMostSteps, log.steps().size()));
  json::append_list(out, steps, [&](const Step& step) {
    BufferIndex buffer = kNoBuffer;
    std::int64_t offset = kNoOffset;
    if (const auto* place = std::get_if<step::Place>(&step.fact)) {
      buffer = place->buffer;
      offset = place->offset;
    } else if (const auto* reject = std::get_if<step::Reject>(&step.fact)) {
      buffer = reject->buffer;
      offset = reject->offset;
    } else if (const auto* unplace = std::get_if<step::Unplace>(&step.fact)) {
      buffer = unplace->buffer;
    } else if (const auto* consider = std::get_if<step::Consider>(&step.fact)) {
      buffer = consider->buffer;
    }
    out += fmt::format("\n[\"{}\",{},{},", op_of(step), buffer < row_of.size() ? row_of[buffer] : -1,
                       offset == kNoOffset ? std::string("null") : std::to_string(offset));
    json::append_string(out, caption(step, problem));
    out += ']';
  });
}

std::string data_of(const Document& document, const Plan& plan, const std::vector<BufferIndex>& rows,
                    const StepLog* steps) {
  const Problem& problem = *document.problem;
  std::string out = "{\"unit\":";
  json::append_string(out, problem.time_unit());
  out += ",\"spaces\":[";
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    if (s > 0) out += ',';
    json::append_string(out, problem.spaces()[s].id);
  }
  out += "],\"kinds\":[";
  for (std::size_t k = 0; k < problem.kinds().size(); ++k) {
    if (k > 0) out += ',';
    json::append_string(out, problem.kinds()[k]);
  }
  out += "],\"buffers\":[";
  bool first = true;
  for (const BufferIndex i : rows) {
    const Buffer& buffer = problem[i];
    const Details* details = problem.details(i);
    out += first ? "\n[" : ",\n[";
    first = false;
    json::append_string(out, problem.id(i));
    out += fmt::format(",{},{},{},{},{},{},", buffer.start, buffer.end, plan.offsets[i], buffer.size, buffer.space,
                       buffer.kind);
    json::append_string(out, details == nullptr ? std::string_view() : std::string_view(details->op));
    out += ',';
    json::append_string(out, details == nullptr ? std::string_view() : std::string_view(details->source));
    out += ']';
  }
  out += ']';
  if (steps != nullptr) append_steps(out += ",\"steps\":", problem, rows, *steps);
  return out + '}';
}

Result<std::string> write(const Document& document, const WriteOptions& options) {
  const Problem& problem = *document.problem;
  const auto found = plan_to_write(document, options);
  if (!found) return tl::unexpected<Error>(found.error());
  if (*found == nullptr) return input_error("a page shows a plan, and there is none; plan first");
  const Plan& plan = **found;
  const ProblemMetrics facts = measure(problem);
  const PlanMetrics metrics = measure(problem, facts, plan);
  const std::vector<BufferIndex> rows = drawn(problem, plan);
  std::string summary = fmt::format("{} buffers, by {}, load {}, makespan {}, overhead {}",
                                    format_count(static_cast<std::int64_t>(problem.size())), plan.allocator,
                                    format_exact_bytes(facts.load), format_exact_bytes(metrics.makespan),
                                    format_percent(metrics.overhead));
  if (rows.size() < problem.size()) {
    summary += fmt::format(" ({} of them are drawn)", format_count(static_cast<std::int64_t>(rows.size())));
  }
  if (options.steps != nullptr && options.steps->steps().size() > kMostSteps) {
    summary += fmt::format(" (the first {} of {} steps are here)", format_count(kMostSteps),
                           format_count(static_cast<std::int64_t>(options.steps->steps().size())));
  }
  const std::string title = problem.name().empty() ? title_of(document) : problem.name();
  return std::string(html_page::kHead) + safe_in_text(printable_utf8(title)) + std::string(html_page::kBody) +
         safe_in_text(printable_utf8(title)) + std::string(html_page::kSummary) +
         safe_in_text(printable_utf8(summary)) + std::string(html_page::kChart) +
         safe_in_script(data_of(document, plan, rows, options.steps)) + std::string(html_page::kScript);
}

}  // namespace

Format html_page_format() {
  Format format;
  format.id = "html-page";
  format.title = "HTML page";
  format.extension = ".html";
  format.summary = "one page without a network: a plan with zoom, hover and search; animate adds a player";
  format.write = write;
  return format;
}

}  // namespace stowage
