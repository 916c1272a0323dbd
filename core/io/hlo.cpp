// Scheduled HLO text, as XLA dumps it (*after_optimizations.txt, *.hlo). An instruction of the ENTRY computation is a
// step, in the order of the text; an array lives from the instruction that makes it to its last reader, the root to the
// end. Sizes are those of the type and the dimensions, packed; a dynamic dimension (<=8) counts with its bound.
// Parameters and constants are classes that are left out unless asked for. Computations that an instruction calls are
// part of its step.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/hlo_graph.h"
#include "core/io/hlo_text.h"
#include "core/io/text_lines.h"
#include "core/io/unique_ids.h"

namespace stowage {

Format hlo_format();

namespace {

bool sniff(std::string_view bytes) {
  TextLines lines(bytes.substr(0, 65536));
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.starts_with("HloModule ")) return true;
    if (!line.empty() && !line.starts_with("//")) return false;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format format = hlo_format();
  const Dimensions no_dimensions;
  ModelGraph made(name, no_dimensions);
  std::size_t line = 1;
  std::size_t counted = 0;  // bytes whose lines are in `line`
  const auto complain = [&](std::size_t at, std::string_view what) {
    line += static_cast<std::size_t>(std::count(bytes.begin() + static_cast<std::ptrdiff_t>(counted),
                                                bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    made.leave_out(fmt::format("line {}: {}, left out", line, what));
  };
  const auto module = hlo::read_module(bytes, complain);
  if (!module) return input_error(fmt::format("{}: {}", name, module.error().message));
  auto entry = std::find_if(module->computations.begin(), module->computations.end(),
                            [](const hlo::Computation& computation) { return computation.entry; });
  if (entry == module->computations.end()) {
    entry = module->computations.end() - 1;  // as in fragments
    made.note(fmt::format("no computation is marked ENTRY; this is the last one, {}", printable_utf8(entry->name)));
  }
  made.input.name = sound_text(module->name);
  const bool inner = format.choice(options, "inner") == "count";
  hlo::add_computation(*entry, inner ? hlo::inner_bytes(*module) : hlo::InnerBytes(), made);
  if (!module->scheduled)
    made.note("the module is not scheduled (is_scheduled=true is missing); the order is that of the text");
  if (module->donated > 0) {
    made.note(
        fmt::format("{} outputs lie in parameters that are given away (input_output_alias); they count as memory of "
                    "their own here",
                    module->donated));
  }
  const auto calling =
      std::count_if(entry->instructions.begin(), entry->instructions.end(), [](const hlo::Instruction& one) {
        return !one.called.empty() && (one.opcode == "while" || one.opcode == "call" || one.opcode == "conditional");
      });
  if (calling > 0 && !inner) {
    made.note(
        fmt::format("{} of the instructions call computations (while, conditional, call); each is one step, and "
                    "what it needs inside is not counted; --choose inner=count does",
                    calling));
  }
  return made.finish(format, options, {});
}

}  // namespace

Format hlo_format() {
  Format format;
  format.id = "hlo";
  format.title = "Scheduled HLO text";
  format.extension = ".hlo";
  format.summary = "the instructions of an XLA module in their order, with the sizes of their shapes";
  format.sniff = sniff;
  format.read = read;
  for (ReadChoice& choice : graph_choices()) {
    if (choice.key != "dims") format.choices.push_back(std::move(choice));
  }
  format.choices.push_back({"inner",
                            "whether what loops, branches and calls need inside counts at their step",
                            "leave",
                            {"leave", "count"}});
  return format;
}

}  // namespace stowage
