#include "app/commands/transform_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/commands/plan_text.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/io/json.h"

namespace stowage {
namespace {

std::string name_of(const MeasuredStage& stage) {
  if (stage.stage.transform.empty()) return "as it comes";
  return stage.stage.on ? stage.stage.transform : stage.stage.transform + " (off)";
}

std::int64_t storage_bytes(const Staged& staged) {
  std::int64_t bytes = 0;
  for (const SharedStorage& storage : staged.storages) bytes += storage.bytes;
  return bytes;
}

std::string count_text(std::int64_t count) {
  return count == 0 ? "" : format_count(count);
}

std::string amount_text(std::int64_t bytes) {
  return bytes == 0 ? "" : format_bytes(bytes);
}

std::string time_text(double time) {
  return time == 0 ? "" : fmt::format("{:.4g}", time);
}

std::string_view word_for(Remark::Kind kind) {
  if (kind == Remark::Kind::kDone) return "done";
  return kind == Remark::Kind::kRefused ? "refused" : "note";
}

void append_report(std::string& text, const MeasuredStage& stage) {
  const TransformReport& report = stage.report;
  const auto line = [&](std::string_view what, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {}: {}\n", what, value);
  };
  line("bytes saved", amount_text(report.bytes_saved));
  line("bytes that copies no longer write", amount_text(report.copied_bytes_saved));
  line("padding", amount_text(report.padding));
  line("messages saved", count_text(report.messages_saved));
  if (report.communication_saved != 0) line("time of communication saved", format_seconds(report.communication_saved));
  if (!stage.after.storages.empty()) {
    line("storages",
         fmt::format("{} of {} together", stage.after.storages.size(), bytes_text(storage_bytes(stage.after))));
  }
  if (report.critical_path_before && report.critical_path_after) {
    line("longest chain of ops",
         fmt::format("{} before, {} with the orders that sharing implies", time_text(*report.critical_path_before),
                     time_text(*report.critical_path_after)));
  }
  line(stage.makespan ? "makespan" : "no makespan", stage.message);
}

void append_remarks(std::string& text, const MeasuredStage& stage, std::size_t most) {
  std::size_t shown = 0;
  for (const Remark& remark : stage.report.remarks) {
    if (shown++ == most) break;
    text += fmt::format("  {:<8}{}\n", word_for(remark.kind), printable_utf8(remark.text));
  }
  for (const std::string& note : stage.notes) {
    if (shown++ >= most) break;
    text += fmt::format("  {:<8}{}\n", "note", printable_utf8(note));
  }
  const std::size_t all = stage.report.remarks.size() + stage.notes.size();
  if (all > most) text += fmt::format("  and {} more, what was refused first (--json has them all)\n", all - most);
}

/// JSON has no word for what is not a number.
void number(json::ObjectWriter& writer, std::string_view key, double value) {
  writer.key(key) += std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
}

void append_params(std::string& out, const ParamValues& params) {
  json::ObjectWriter writer(out);
  for (const auto& [key, value] : params) writer.text(key, value);
  writer.close();
}

void append_stage(std::string& out, const MeasuredStage& stage, const Graph& before) {
  const TransformReport& report = stage.report;
  json::ObjectWriter writer(out);
  writer.text("transform", stage.stage.transform);
  writer.key("on") += stage.stage.on ? "true" : "false";
  append_params(writer.key("params"), stage.stage.params);
  writer.integer("load", stage.metrics.load);
  writer.optional("makespan", stage.makespan);
  writer.integer("naive", stage.metrics.naive);
  writer.integer("ops", static_cast<std::int64_t>(stage.after.graph.ops().size()));
  writer.integer("buffers", static_cast<std::int64_t>(stage.buffers));
  writer.integer("in_place", static_cast<std::int64_t>(stage.after.in_place.size()));
  writer.integer("storages", static_cast<std::int64_t>(stage.after.storages.size()));
  writer.integer("storage_bytes", storage_bytes(stage.after));
  writer.integer("copies_removed", report.copies_removed);
  writer.integer("bytes_saved", report.bytes_saved);
  writer.integer("copied_bytes_saved", report.copied_bytes_saved);
  writer.integer("bytes_moved", report.bytes_moved);
  writer.integer("extra_ops", report.extra_ops);
  writer.integer("extra_flops", report.extra_flops);
  number(writer, "extra_time", report.extra_time);
  number(writer, "stall", report.stall);
  number(writer, "copy_time", report.copy_time);
  writer.integer("padding", report.padding);
  writer.integer("messages_saved", report.messages_saved);
  number(writer, "communication_saved", report.communication_saved);
  if (report.critical_path_before) number(writer, "critical_path_before", *report.critical_path_before);
  if (report.critical_path_after) number(writer, "critical_path_after", *report.critical_path_after);
  writer.key("stopped") += stage.stopped ? "true" : "false";
  writer.text("message", stage.message);
  json::append_list(writer.key("implied"), report.implied, [&](const Event& event) {
    out += '[';
    json::append_string(out, before.op(event.after).id);
    out += ',';
    json::append_string(out, before.op(event.before).id);
    out += ']';
  });
  json::append_list(writer.key("remarks"), report.remarks, [&](const Remark& remark) {
    json::ObjectWriter one(out);
    one.text("kind", word_for(remark.kind));
    if (remark.op < before.ops().size()) one.text("op", before.op(remark.op).id);
    if (remark.tensor < before.tensors().size()) one.text("tensor", before.tensor(remark.tensor).id);
    one.text("text", remark.text);
    one.close();
  });
  json::append_list(writer.key("notes"), stage.notes, [&](const std::string& note) { json::append_string(out, note); });
  writer.close();
}

void append_pair(std::string& out, const PairAnswer& pair, const Graph& graph) {
  json::ObjectWriter writer(out);
  writer.text("a", pair.a);
  writer.text("b", pair.b);
  writer.key("may_share") += pair.why.may_share ? "true" : "false";
  writer.text("text", pair.why.text);
  if (pair.why.remedy) {
    const std::vector<std::string> ops = {graph.op(pair.why.remedy->after).id, graph.op(pair.why.remedy->before).id};
    json::append_list(writer.key("event"), ops, [&](const std::string& op) { json::append_string(out, op); });
  }
  writer.close();
}

}  // namespace

std::string stages_text(const std::vector<MeasuredStage>& stages, const std::string& allocator, std::size_t most) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
               Align::kRight, Align::kRight});
  table.add({"stage", "load", "makespan", "naive", "ops", "extra ops", "copies removed", "moved", "stall"});
  table.add_rule();
  for (const MeasuredStage& stage : stages) {
    const TransformReport& report = stage.report;
    table.add({name_of(stage), format_bytes(stage.metrics.load), stage.makespan ? format_bytes(*stage.makespan) : "-",
               format_bytes(stage.metrics.naive),
               format_count(static_cast<std::int64_t>(stage.after.graph.ops().size())), count_text(report.extra_ops),
               count_text(report.copies_removed), amount_text(report.bytes_moved), time_text(report.stall)});
  }
  std::string text = table.text() + fmt::format("makespan by {}\n", allocator);
  for (const MeasuredStage& stage : stages) {
    std::string lines;
    append_report(lines, stage);
    append_remarks(lines, stage, most);
    if (!lines.empty()) text += "\n" + name_of(stage) + "\n" + lines;
  }
  return text;
}

std::string stages_json(const std::vector<MeasuredStage>& stages, const std::string& allocator,
                        const std::optional<PairAnswer>& pair) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.text("graph", stages.front().after.graph.name());
  writer.text("allocator", allocator);
  writer.key("stages") += '[';
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (i > 0) out += ",\n ";
    append_stage(out, stages[i], stages[i == 0 ? 0 : i - 1].after.graph);
  }
  out += ']';
  if (pair) append_pair(writer.key("why_not"), *pair, stages.back().after.graph);
  writer.close();
  return out;
}

std::string pair_text(const PairAnswer& pair) {
  return fmt::format("{} and {} {} share memory: {}\n", printable_utf8(pair.a), printable_utf8(pair.b),
                     pair.why.may_share ? "may" : "may not", printable_utf8(pair.why.text));
}

std::string transforms_text() {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kLeft});
  std::string params;
  for (const Transform& transform : transforms()) {
    table.add({transform.id, transform.summary});
    params += fmt::format("\n{}\n", transform.id);
    if (transform.params.empty()) params += "  no parameters\n";
    for (const ParamSpec& param : transform.params) {
      params += fmt::format("  {}={}: {}\n    {}{}\n", param.key, param.value, param.summary,
                            param.closed || param.choices.empty() ? "" : "such as ", fmt::join(param.choices, " "));
    }
  }
  return table.text() + "\nparameters, given as --with NAME:KEY=VALUE,KEY=VALUE\n" + params;
}

std::string transforms_json() {
  std::string out;
  json::append_list(out, transforms(), [&](const Transform& transform) {
    json::ObjectWriter writer(out);
    writer.text("id", transform.id);
    writer.text("title", transform.title);
    writer.text("summary", transform.summary);
    writer.text("source", transform.source);
    json::append_list(writer.key("params"), transform.params, [&](const ParamSpec& param) {
      json::ObjectWriter one(out);
      one.text("key", param.key);
      one.text("value", param.value);
      one.text("summary", param.summary);
      json::append_list(one.key("choices"), param.choices,
                        [&](const std::string& choice) { json::append_string(out, choice); });
      one.key("closed") += param.closed ? "true" : "false";
      one.close();
    });
    writer.close();
  });
  return out;
}

}  // namespace stowage
