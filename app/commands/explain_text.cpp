#include "app/commands/explain_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/commands/plan_text.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/io/json.h"

namespace stowage {
namespace {

using Verdict = CapacityExplanation::Verdict;
using Reason = CapacityExplanation::Reason;

std::string name(const Problem& problem, BufferIndex i) {
  return printable_utf8(problem.id(i));
}

std::string names(const Problem& problem, const std::vector<BufferIndex>& buffers) {
  std::string text;
  for (const BufferIndex i : buffers) text += (text.empty() ? "" : ", ") + name(problem, i);
  return text;
}

std::string reason_text(const CapacityExplanation& explanation) {
  const std::string time = fmt::format("[{}, {})", explanation.peak_start, explanation.peak_end);
  const std::string load = bytes_text(explanation.load);
  switch (explanation.reason) {
    case Reason::kLoad: {
      const std::string excess = bytes_text(explanation.load - explanation.capacity);
      if (!explanation.timed) {
        return fmt::format("load: each of them conflicts with all others, so they need {}, {} too many", load, excess);
      }
      return fmt::format("load: during {} they need {} at once, {} too many", time, load, excess);
    }
    case Reason::kPin:
      return "pin: its fixed offset plus its size is above the capacity";
    case Reason::kPacking:
      if (!explanation.timed) {
        return fmt::format(
            "packing: those that all conflict with each other need at most {}, as far as was found, but "
            "no arrangement of them fits",
            load);
      }
      return fmt::format("packing: they need at most {} at once, during {}, but no arrangement of them fits", load,
                         time);
  }
  return {};
}

std::string set_text(const Problem& problem, const CapacityExplanation& explanation) {
  Table table({Table::Align::kLeft, Table::Align::kLeft, Table::Align::kRight, Table::Align::kLeft});
  for (const BufferIndex i : explanation.set) {
    const Buffer& buffer = problem[i];
    table.add({"  " + name(problem, i), fmt::format("[{}, {})", buffer.start, buffer.end),
               format_exact_bytes(buffer.size),
               buffer.is_fixed() ? fmt::format("fixed at {}", buffer.fixed) : std::string()});
  }
  return table.text();
}

std::string remedies_text(const Problem& problem, const CapacityExplanation& explanation) {
  if (explanation.remedies.empty()) {
    return "no change of a single buffer was found that makes everything fit\n";
  }
  std::string text = "everything fits with any one of these changes:\n";
  for (const Remedy& remedy : explanation.remedies) {
    const bool gone = remedy.shrink == problem[remedy.buffer].size;
    text += gone ? fmt::format("  without {}\n", name(problem, remedy.buffer))
                 : fmt::format("  {} smaller by {}{}\n", name(problem, remedy.buffer), bytes_text(remedy.shrink),
                               remedy.least_is_proved ? "" : " (perhaps less)");
  }
  return text;
}

std::int64_t makespan_of(const Problem& problem, const CapacityExplanation& explanation) {
  std::int64_t makespan = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) makespan = std::max(makespan, explanation.offsets[i] + problem[i].size);
  }
  return makespan;
}

/// A member that is a list of names.
void add_ids(json::ObjectWriter& writer, const char* key, const Problem& problem,
             const std::vector<BufferIndex>& buffers) {
  std::string& out = writer.key(key);
  out += '[';
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (k > 0) out += ',';
    json::append_string(out, problem.id(buffers[k]));
  }
  out += ']';
}

std::string_view side_name(Neighbour::Side side) {
  switch (side) {
    case Neighbour::Side::kBelow:
      return "below";
    case Neighbour::Side::kAbove:
      return "above";
    case Neighbour::Side::kCollides:
      return "collides";
  }
  return "";
}

std::string_view reason_name(Reason reason) {
  switch (reason) {
    case Reason::kLoad:
      return "load";
    case Reason::kPin:
      return "pin";
    case Reason::kPacking:
      return "packing";
  }
  return "";
}

void add_misfit(json::ObjectWriter& writer, const Problem& problem, const CapacityExplanation& explanation) {
  writer.text("space", problem.spaces()[explanation.space].id);
  writer.text("reason", reason_name(explanation.reason));
  add_ids(writer, "set", problem, explanation.set);
  writer.key("minimal") += explanation.minimal ? "true" : "false";
  writer.integer("load", explanation.load);
  std::string& time = writer.key("time");
  if (explanation.timed) {
    time += '[';
    json::append_integer(time, explanation.peak_start);
    time += ',';
    json::append_integer(time, explanation.peak_end);
    time += ']';
  } else {
    time += "null";
  }
  std::string& remedies = writer.key("remedies");
  remedies += '[';
  for (std::size_t k = 0; k < explanation.remedies.size(); ++k) {
    const Remedy& remedy = explanation.remedies[k];
    if (k > 0) remedies += ',';
    json::ObjectWriter one(remedies);
    one.text("buffer", problem.id(remedy.buffer));
    one.integer("shrink", remedy.shrink);
    one.key("least") += remedy.least_is_proved ? "true" : "false";
    one.close();
  }
  remedies += ']';
}

}  // namespace

std::string capacity_text(const Problem& problem, const CapacityExplanation& explanation) {
  const std::string capacity = bytes_text(explanation.capacity);
  if (explanation.verdict == Verdict::kFits) {
    return fmt::format("fits in {}: a plan needs {}\n", capacity, bytes_text(makespan_of(problem, explanation)));
  }
  if (explanation.verdict == Verdict::kUnknown) {
    return fmt::format("not known whether it fits in {}: neither a plan nor a proof was found; try a --time-limit\n",
                       capacity);
  }
  const std::string where = problem.spaces().size() > 1
                                ? fmt::format(" (space {})", printable_utf8(problem.spaces()[explanation.space].id))
                                : std::string();
  std::string text = fmt::format("does not fit in {}{}\n{}\n", capacity, where, reason_text(explanation));
  text += explanation.minimal ? fmt::format("{} that cannot fit together; without any one of them the others do:\n",
                                            explanation.set.size() == 1 ? "the buffer" : "the buffers")
                              : std::string("buffers that cannot fit together (perhaps fewer would do):\n");
  return text + set_text(problem, explanation) + remedies_text(problem, explanation);
}

std::string why_text(const Problem& problem, const Plan& plan, const WhyHere& here) {
  const Buffer& buffer = problem[here.buffer];
  Table facts({Table::Align::kLeft, Table::Align::kLeft});
  facts.add({"lies at", fmt::format("[{}, {}) during [{}, {})", here.offset, here.offset + buffer.size, buffer.start,
                                    buffer.end)});
  if (here.fixed) facts.add({"fixed", "its offset may not change"});
  if (!here.tied.empty()) facts.add({"tied to", names(problem, here.tied)});
  if (here.lowest < here.offset) {
    facts.add({"supported", fmt::format("by nothing: it could sink to {}", here.lowest)});
  } else {
    facts.add({"supported", here.supports.empty() ? "by the floor" : "by " + names(problem, here.supports)});
  }
  facts.add({"blocked above", here.blocks.empty() ? "by nothing" : "by " + names(problem, here.blocks)});
  for (const Hole& hole : here.holes) {
    facts.add({"could also lie", hole.high ? fmt::format("at {} to {}", hole.low, *hole.high)
                                           : fmt::format("at {} and above", hole.low)});
  }
  std::string text = name(problem, here.buffer) + "\n" + facts.text();
  Table conflicts({Table::Align::kLeft, Table::Align::kLeft, Table::Align::kRight, Table::Align::kRight});
  for (const Neighbour& neighbour : here.conflicts) {
    conflicts.add({"  " + name(problem, neighbour.buffer), std::string(side_name(neighbour.side)),
                   fmt::format("at {}", plan.offsets[neighbour.buffer]),
                   neighbour.side == Neighbour::Side::kCollides ? std::string()
                                                                : format_exact_bytes(neighbour.free) + " between"});
  }
  if (here.conflicts.empty()) return text + "conflicts with nothing\n";
  return text + "conflicts with\n" + conflicts.text();
}

std::string capacity_json(const Problem& problem, const CapacityExplanation& explanation) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.integer("capacity", explanation.capacity);
  const bool fits = explanation.verdict == Verdict::kFits;
  writer.key("fits") += fits ? "true" : explanation.verdict == Verdict::kDoesNotFit ? "false" : "null";
  if (fits) {
    writer.integer("makespan", makespan_of(problem, explanation));
    std::string& offsets = writer.key("offsets");
    offsets += '[';
    for (std::size_t i = 0; i < explanation.offsets.size(); ++i) {
      if (i > 0) offsets += ',';
      json::append_integer(offsets, explanation.offsets[i]);
    }
    offsets += ']';
  } else if (explanation.verdict == Verdict::kDoesNotFit) {
    add_misfit(writer, problem, explanation);
  }
  writer.close();
  return out;
}

std::string why_json(const Problem& problem, const WhyHere& here) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.text("buffer", problem.id(here.buffer));
  writer.integer("offset", here.offset);
  writer.integer("size", problem[here.buffer].size);
  writer.key("fixed") += here.fixed ? "true" : "false";
  add_ids(writer, "tied", problem, here.tied);
  add_ids(writer, "supports", problem, here.supports);
  add_ids(writer, "blocks", problem, here.blocks);
  writer.integer("lowest", here.lowest);
  std::string& holes = writer.key("holes");
  holes += '[';
  for (std::size_t k = 0; k < here.holes.size(); ++k) {
    holes += k > 0 ? ",[" : "[";
    json::append_integer(holes, here.holes[k].low);
    holes += ',';
    if (here.holes[k].high) {
      json::append_integer(holes, *here.holes[k].high);
    } else {
      holes += "null";
    }
    holes += ']';
  }
  holes += ']';
  std::string& conflicts = writer.key("conflicts");
  conflicts += '[';
  for (std::size_t k = 0; k < here.conflicts.size(); ++k) {
    if (k > 0) conflicts += ',';
    json::ObjectWriter one(conflicts);
    one.text("buffer", problem.id(here.conflicts[k].buffer));
    one.text("side", side_name(here.conflicts[k].side));
    one.integer("free", here.conflicts[k].free);
    one.close();
  }
  conflicts += ']';
  writer.close();
  return out;
}

}  // namespace stowage
