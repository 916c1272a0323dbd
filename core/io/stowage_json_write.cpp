#include <string>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/id_index.h"
#include "core/io/intake.h"
#include "core/io/json.h"

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

void append_details(ObjectWriter& writer, const Details& details) {
  if (details.hint) writer.integer("hint", *details.hint);
  if (!details.gaps.empty()) {
    std::string& value = writer.key("gaps");
    for (std::size_t k = 0; k < details.gaps.size(); ++k) {
      value += k == 0 ? '[' : ',';
      append_gap(value, details.gaps[k]);
    }
    value += ']';
  }
  if (details.requested) writer.integer("requested", *details.requested);
  if (!details.op.empty()) writer.text("op", details.op);
  if (!details.source.empty()) writer.text("source", details.source);
  if (details.open_start) writer.key("open_start") += "true";
  if (details.open_end) writer.key("open_end") += "true";
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
    append_details(writer, *details);
    writer.members_of(details->extra);
  }
  writer.close();
}

void append_problem(std::string& out, const Problem& problem) {
  ObjectWriter writer(out);
  writer.optional("capacity", problem.input().capacity);
  writer.text("time_unit", problem.time_unit());
  out += ",\n  ";
  writer.continue_line();
  append_array(writer.key("spaces"), problem.spaces().size(), "   ",
               [&](std::size_t s) { append_space(out, problem.spaces()[s]); });
  out += ",\n  ";
  writer.continue_line();
  append_array(writer.key("buffers"), problem.size(), "   ",
               [&](std::size_t i) { append_buffer(out, problem, static_cast<BufferIndex>(i)); });
  writer.members_of(problem.input().extra);
  writer.close();
}

/// Offsets by id where ids tell the buffers apart and survive as keys; else in the order of the buffers.
void append_offsets(std::string& out, const Problem& problem, const Plan& plan, bool by_id) {
  bool first = true;
  out += by_id ? '{' : '[';
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::int64_t offset = i < plan.offsets.size() ? plan.offsets[i] : kNoOffset;
    if (by_id && offset == kNoOffset) continue;
    if (!first) out += ',';
    first = false;
    if (by_id) {
      json::append_string(out, problem.id(i));
      out += ':';
    }
    if (offset == kNoOffset) {
      out += "null";
    } else {
      json::append_integer(out, offset);
    }
  }
  out += by_id ? '}' : ']';
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
  append_offsets(writer.key("offsets"), problem, plan, by_id);
  writer.members_of(plan.extra);
  writer.close();
}

bool ids_are_keys(const Problem& problem) {
  if (!IdIndex(problem.input().ids).repeats().empty()) return false;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!is_utf8(problem.id(i))) return false;
  }
  return true;
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
  out += ",\n ";
  writer.continue_line();
  append_problem(writer.key("problem"), problem);
  if (!plans.empty()) {
    const bool by_id = ids_are_keys(problem);
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
