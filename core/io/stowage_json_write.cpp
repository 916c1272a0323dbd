#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/graph_fields.h"
#include "core/io/id_index.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/pipeline_fields.h"
#include "core/model/metrics.h"

namespace stowage {

Result<std::string> write_stowage_json(const Document& document, const WriteOptions& options);

namespace {

using json::ObjectWriter;

/// Calls element(i) for each of `count`, one a line.
template <typename Element>
void append_array(std::string& out, std::size_t count, std::string_view indent, Element&& element) {
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += indent;
    element(i);
  }
  out += ']';
}

void append_space(std::string& out, const Space& space) {
  ObjectWriter writer(out);
  writer.text("id", space.id);
  writer.integer("base", space.base);
  writer.optional("capacity", space.capacity);
  writer.members_of(space.extra);
  writer.close();
}

void append_gap(std::string& out, const Gap& gap) {
  ObjectWriter writer(out);
  writer.integer("lower", gap.start);
  writer.integer("upper", gap.end);
  if (gap.window) {
    std::string& value = writer.key("window");
    value += '[';
    json::append_integer(value, gap.window->low);
    value += ',';
    json::append_integer(value, gap.window->high);
    value += ']';
  }
  writer.close();
}

void append_integers(std::string& out, const std::vector<std::int64_t>& numbers) {
  out += '[';
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) out += ',';
    json::append_integer(out, numbers[k]);
  }
  out += ']';
}

void append_clock(std::string& out, const Clock& clock) {
  ObjectWriter writer(out);
  append_integers(writer.key("lower"), clock.start);
  append_integers(writer.key("upper"), clock.end);
  writer.close();
}

void append_slice(std::string& out, const Slice& slice) {
  ObjectWriter writer(out);
  writer.integer("size", slice.size);
  writer.integer("lower", slice.start);
  writer.close();
}

/// Whether ids tell the buffers apart and survive where bytes cannot be written beside them.
bool ids_are_keys(const Problem& problem) {
  if (!IdIndex(problem.input().ids).repeats().empty()) return false;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!is_utf8(problem.id(i))) return false;
  }
  return true;
}

/// Names a buffer: by its id, else by its place in the list.
void append_reference(std::string& out, const Problem& problem, bool by_id, BufferIndex i) {
  if (by_id) {
    json::append_string(out, problem.id(i));
  } else {
    fmt::format_to(std::back_inserter(out), R"({{"row":{}}})", i);
  }
}

void append_references(std::string& out, const Problem& problem, bool by_id, const std::vector<BufferIndex>& buffers) {
  out += '[';
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (k > 0) out += ',';
    append_reference(out, problem, by_id, buffers[k]);
  }
  out += ']';
}

void append_details(ObjectWriter& writer, const Problem& problem, const Details& details) {
  if (details.hint) writer.integer("hint", *details.hint);
  if (!details.gaps.empty()) {
    std::string& value = writer.key("gaps");
    for (std::size_t k = 0; k < details.gaps.size(); ++k) {
      value += k == 0 ? '[' : ',';
      append_gap(value, details.gaps[k]);
    }
    value += ']';
  }
  if (details.clock) append_clock(writer.key("clock"), *details.clock);
  if (!details.candidates.empty()) {
    std::string& value = writer.key("candidates");
    for (std::size_t k = 0; k < details.candidates.size(); ++k) {
      value += k == 0 ? '[' : ',';
      json::append_string(value, problem.spaces()[details.candidates[k]].id);
    }
    value += ']';
  }
  if (!details.shape.empty()) append_integers(writer.key("shape"), details.shape);
  if (!details.slices.empty()) {
    std::string& value = writer.key("slices");
    for (std::size_t k = 0; k < details.slices.size(); ++k) {
      value += k == 0 ? '[' : ',';
      append_slice(value, details.slices[k]);
    }
    value += ']';
  }
  if (details.requested) writer.integer("requested", *details.requested);
  if (!details.op.empty()) writer.text("op", details.op);
  if (!details.source.empty()) writer.text("source", details.source);
  if (details.open_start) writer.key("open_start") += "true";
  if (details.open_end) writer.key("open_end") += "true";
}

/// Keys that a buffer has in this format. Another format may mean something else by one of them; it gets another name.
constexpr std::string_view kBufferKeys[] = {
    "id", "lower",  "upper", "size",      "alignment", "fixed",      "hint",  "gaps",       "kind",    "space",
    "op", "source", "clock", "requested", "slices",    "candidates", "shape", "open_start", "open_end"};

void append_extra(ObjectWriter& writer, const std::string& extra) {
  if (extra.empty()) return;
  json::Members members(json::root(extra));
  while (const auto member = members.next()) {
    const bool taken = std::find(std::begin(kBufferKeys), std::end(kBufferKeys), member->key) != std::end(kBufferKeys);
    writer.key(taken ? "other_" + member->key : member->key) += member->value.text;
  }
}

/// Only what differs from the default is written after the size.
void append_buffer(std::string& out, const Problem& problem, BufferIndex i) {
  const Buffer& buffer = problem[i];
  const Details* details = problem.details(i);
  ObjectWriter writer(out);
  writer.text("id", problem.id(i));
  writer.integer("lower", buffer.start);
  writer.integer("upper", buffer.end);
  writer.integer("size", buffer.size);
  if (buffer.alignment != 1) writer.integer("alignment", buffer.alignment);
  if (buffer.is_fixed()) writer.integer("fixed", buffer.fixed);
  if (!problem.kind(i).empty()) writer.text("kind", problem.kind(i));
  if (buffer.space != 0) writer.text("space", problem.spaces()[buffer.space].id);
  if (details != nullptr) {
    append_details(writer, problem, *details);
    append_extra(writer, details->extra);
  }
  writer.close();
}

/// Only the kinds of constraints that there are, each in a line.
void append_constraints(std::string& out, ObjectWriter& writer, const Problem& problem, bool by_id) {
  const Constraints& constraints = problem.constraints();
  const auto line = [&](std::string_view key, std::size_t count, auto&& element) {
    if (count == 0) return;
    out += ",\n  ";
    writer.continue_line();
    append_array(writer.key(key), count, "   ", element);
  };
  line("conflicts", constraints.conflicts.size(), [&](std::size_t k) {
    append_references(out, problem, by_id, {constraints.conflicts[k].a, constraints.conflicts[k].b});
  });
  line("colocations", constraints.colocations.size(),
       [&](std::size_t k) { append_references(out, problem, by_id, constraints.colocations[k]); });
  line("aliases", constraints.aliases.size(), [&](std::size_t k) {
    ObjectWriter alias(out);
    append_reference(alias.key("child"), problem, by_id, constraints.aliases[k].child);
    append_reference(alias.key("parent"), problem, by_id, constraints.aliases[k].parent);
    alias.integer("offset", constraints.aliases[k].offset);
    alias.close();
  });
  line("groups", constraints.groups.size(), [&](std::size_t k) {
    ObjectWriter group(out);
    append_references(group.key("members"), problem, by_id, constraints.groups[k].members);
    group.integer("pad", constraints.groups[k].pad);
    group.close();
  });
}

void append_problem(std::string& out, const Problem& problem, bool by_id) {
  ObjectWriter writer(out);
  writer.optional("capacity", problem.input().capacity);
  writer.text("time_unit", problem.time_unit());
  if (problem.constraints().conflicts_only) writer.key("conflicts_only") += "true";
  out += ",\n  ";
  writer.continue_line();
  append_array(writer.key("spaces"), problem.spaces().size(), "   ",
               [&](std::size_t s) { append_space(out, problem.spaces()[s]); });
  out += ",\n  ";
  writer.continue_line();
  append_array(writer.key("buffers"), problem.size(), "   ",
               [&](std::size_t i) { append_buffer(out, problem, static_cast<BufferIndex>(i)); });
  append_constraints(out, writer, problem, by_id);
  writer.members_of(problem.input().extra);
  writer.close();
}

/// Values by id where ids tell the buffers apart and survive as keys; else in the order of the buffers. `append(i)`
/// writes one and `has(i)` tells whether there is one; a list has null where there is none.
template <typename Has, typename Append>
void append_by_buffer(std::string& out, const Problem& problem, bool by_id, Has&& has, Append&& append) {
  bool first = true;
  out += by_id ? '{' : '[';
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (by_id && !has(i)) continue;
    if (!first) out += ',';
    first = false;
    if (by_id) {
      json::append_string(out, problem.id(i));
      out += ':';
    }
    if (has(i)) {
      append(i);
    } else {
      out += "null";
    }
  }
  out += by_id ? '}' : ']';
}

void append_objects(std::string& out, const Problem& problem, const Objects& objects, bool by_id) {
  ObjectWriter writer(out);
  append_integers(writer.key("sizes"), objects.sizes);
  std::string& of = writer.key("of");
  append_by_buffer(
      of, problem, by_id, [&](BufferIndex i) { return objects.object_of[i] != Objects::kNone; },
      [&](BufferIndex i) { json::append_integer(of, std::int64_t{objects.object_of[i]}); });
  if (!objects.inner.empty()) {
    std::string& inner = writer.key("inner");
    append_by_buffer(
        inner, problem, by_id, [](BufferIndex) { return true; },
        [&](BufferIndex i) { json::append_integer(inner, objects.inner[i]); });
  }
  writer.close();
}

void append_plan(std::string& out, const Problem& problem, const Plan& plan, bool by_id) {
  ObjectWriter writer(out);
  writer.text("id", plan.id);
  writer.text("allocator", plan.allocator);
  ObjectWriter params(writer.key("params"));
  for (const auto& [key, value] : plan.params) json::append_string(params.key(key), value);
  params.close();
  writer.integer("seed", plan.seed);
  writer.optional("claimed_makespan", plan.claimed_makespan);
  std::string& offsets = writer.key("offsets");
  append_by_buffer(
      offsets, problem, by_id, [&](BufferIndex i) { return i < plan.offsets.size() && plan.offsets[i] != kNoOffset; },
      [&](BufferIndex i) { json::append_integer(offsets, plan.offsets[i]); });
  if (!plan.spaces.empty()) {
    std::string& spaces = writer.key("spaces");
    append_by_buffer(
        spaces, problem, by_id, [](BufferIndex) { return true; },
        [&](BufferIndex i) { json::append_string(spaces, problem.spaces()[space_of(problem, plan, i)].id); });
  }
  if (plan.objects) append_objects(writer.key("objects"), problem, *plan.objects, by_id);
  if (!plan.slices.empty()) {
    std::string& slices = writer.key("slices");
    append_by_buffer(
        slices, problem, by_id, [&](BufferIndex i) { return plan.slices.contains(i); },
        [&](BufferIndex i) { append_integers(slices, plan.slices.at(i)); });
  }
  writer.members_of(plan.extra);
  writer.close();
}

}  // namespace

Result<std::string> write_stowage_json(const Document& document, const WriteOptions& options) {
  const Problem& problem = *document.problem;
  std::vector<const Plan*> plans;
  if (!options.plan.empty()) {
    const auto plan = plan_to_write(document, options);
    if (!plan) return tl::unexpected<Error>(plan.error());
    if (*plan != nullptr) plans.push_back(*plan);
  } else if (!options.problem_only) {
    for (const Plan& plan : document.plans) plans.push_back(&plan);
  }
  std::string out;
  out.reserve(problem.size() * (64 + 24 * plans.size()) + 512);
  ObjectWriter writer(out);
  writer.key("format") += "\"stowage\"";
  writer.key("version") += "1";
  if (!problem.name().empty()) writer.text("name", problem.name());
  if (document.graph != nullptr) {
    out += ",\n ";
    writer.continue_line();
    append_graph(writer.key("graph"), *document.graph);
    out += ",\n ";
    writer.continue_line();
    append_pipeline(writer.key("pipeline"), document.recipe.pipeline);
    out += ",\n ";
    writer.continue_line();
    append_lowering(writer.key("lowering"), document.recipe);
  }
  out += ",\n ";
  writer.continue_line();
  const Needs& needs = problem.needs();
  const bool names_buffers = !plans.empty() || needs.conflict_edges || !needs.only_single_buffers();
  const bool by_id = names_buffers && ids_are_keys(problem);
  append_problem(writer.key("problem"), problem, by_id);
  if (!plans.empty()) {
    out += ",\n ";
    writer.continue_line();
    append_array(writer.key("plans"), plans.size(), "  ",
                 [&](std::size_t p) { append_plan(out, problem, *plans[p], by_id); });
  }
  if (!document.view.empty()) writer.key("view") += document.view;
  writer.members_of(document.extra);
  writer.close();
  out += '\n';
  return out;
}

}  // namespace stowage
