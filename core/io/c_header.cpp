#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/intake.h"
#include "core/model/metrics.h"

// Offsets for a program that plans its memory when it is built: one line a buffer, in C89 that C++ takes as well.

namespace stowage {
namespace {

/// "conv1/relu:0" as CONV1_RELU_0.
std::string identifier(std::string_view id, std::set<std::string>& used) {
  std::string name;
  for (const char c : id) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += letter ? (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c) : '_';
  }
  std::string unique = name;
  for (int number = 2; !used.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
  return unique;
}

/// On one line, and unable to end the comment or begin another.
std::string comment(std::string_view text) {
  std::string safe = shown(text);
  for (std::size_t i = 0; i + 1 < safe.size(); ++i) {
    if ((safe[i] == '*' && safe[i + 1] == '/') || (safe[i] == '/' && safe[i + 1] == '*')) safe[i + 1] = ' ';
  }
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return safe;
}

Result<std::string> write(const Document& document, const WriteOptions& options) {
  const Problem& problem = *document.problem;
  const auto found = plan_to_write(document, options);
  if (!found) return tl::unexpected<Error>(found.error());
  const Plan* plan = *found;
  if (plan == nullptr) return input_error("a C header holds the offsets of a plan, and there is none; plan first");
  const PlanMetrics metrics = measure(problem, measure(problem), *plan);
  std::int64_t alignment = 1;
  for (const Buffer& buffer : problem.buffers()) alignment = std::max(alignment, buffer.alignment);

  std::string out = fmt::format(
      "/* Offsets of {} buffers, by {}. Written by Stowage. */\n#ifndef STOWAGE_PLAN_H\n#define STOWAGE_PLAN_H\n\n"
      "#define STOWAGE_TOTAL_SIZE {}ULL\n#define STOWAGE_ALIGNMENT {}ULL\n#define STOWAGE_COUNT {}\n\n",
      problem.size(), comment(plan->allocator), metrics.makespan, alignment, problem.size());
  std::set<std::string> used;
  std::string sizes;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    const std::string name = identifier(problem.id(i), used);
    if (plan->offsets[i] == kNoOffset || plan->offsets[i] < 0) {
      out += fmt::format("/* {} has no place */\n", comment(problem.id(i)));
      continue;
    }
    out += fmt::format("#define STOWAGE_OFFSET_{} {}ULL /* {}: {} bytes in {}, live in [{}, {}) */\n", name,
                       plan->offsets[i], comment(problem.id(i)), buffer.size,
                       comment(problem.spaces()[buffer.space].id), buffer.start, buffer.end);
    sizes += fmt::format("#define STOWAGE_SIZE_{} {}ULL\n", name, buffer.size);
  }
  return out + "\n" + sizes + "\n#endif\n";
}

}  // namespace

Format c_header_format() {
  Format format;
  format.id = "c-header";
  format.title = "C header";
  format.extension = ".h";
  format.summary = "offsets and sizes of a plan as constants of the preprocessor";
  format.write = write;
  return format;
}

}  // namespace stowage
