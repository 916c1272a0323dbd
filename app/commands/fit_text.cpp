#include "app/commands/fit_text.h"

#include <fmt/format.h>

#include "app/commands/plan_text.h"
#include "core/base/text.h"
#include "core/io/json.h"

namespace stowage {
namespace {

double share(double time, const GraphFit& fit) {
  return fit.time_before > 0 ? time / fit.time_before : 0;
}

std::string cost_text(const FitProposal& proposal, const GraphFit& fit) {
  if (proposal.extra_ops == 0) return "nothing: no op more, nothing moved";
  std::string text = fmt::format("{} more time", format_percent(share(proposal.cost(), fit)));
  if (proposal.stall > 0)
    text += fmt::format(", {} of it waiting for copies", format_percent(share(proposal.stall, fit)));
  text += fmt::format("; {} more ops", format_count(proposal.extra_ops));
  if (proposal.bytes_moved > 0) text += fmt::format("; {} moved", bytes_text(proposal.bytes_moved));
  return text;
}

std::string explanation(const Document& document, const GraphFit& fit) {
  std::string text;
  if (fit.hungriest != kNoOp && fit.hungriest_bytes > fit.capacity) {
    text += fmt::format("why:       {} reads and makes {} at once; no order and no transform of others changes that\n",
                        printable_utf8(document.graph->op(fit.hungriest).id), bytes_text(fit.hungriest_bytes));
  } else if (fit.least && fit.least->load <= fit.capacity) {
    text += fit.stopped ? "why:       the load of some mixes fits, but there was no time to plan them\n"
                        : "why:       the load of some mixes fits, but no plan of theirs was found that does\n";
  } else if (fit.tried > 0) {
    text += "why:       of all mixes tried, none brings the load down that far; whether another could is not known\n";
  }
  if (fit.least) {
    text += fmt::format("least:     {} with {}\n", bytes_text(fit.least->load), pipeline_text(fit.least->pipeline));
  }
  return text;
}

void write_proposal(std::string& out, const FitProposal& proposal, const GraphFit& fit) {
  json::ObjectWriter writer(out);
  std::string& stages = writer.key("pipeline");
  stages += '[';
  for (const PipelineStage& stage : proposal.pipeline) {
    if (stages.back() != '[') stages += ',';
    json::ObjectWriter one(stages);
    one.text("transform", stage.transform);
    json::ObjectWriter params(one.key("params"));
    for (const auto& [key, value] : stage.params) params.text(key, value);
    params.close();
    one.close();
  }
  stages += ']';
  writer.integer("load", proposal.load);
  writer.optional("makespan", proposal.makespan);
  writer.key("extra_time") += fmt::format("{}", proposal.extra_time);
  writer.key("extra_time_share") += fmt::format("{}", share(proposal.cost(), fit));
  writer.key("stall") += fmt::format("{}", proposal.stall);
  writer.integer("extra_ops", proposal.extra_ops);
  writer.integer("bytes_moved", proposal.bytes_moved);
  writer.key("exact") += proposal.exact ? "true" : "false";
  writer.close();
}

}  // namespace

std::string pipeline_text(const std::vector<PipelineStage>& pipeline) {
  std::string text;
  for (const PipelineStage& stage : pipeline) {
    if (!text.empty()) text += ", then ";
    text += stage.transform;
    char separator = ':';
    for (const auto& [key, value] : stage.params) {
      text += fmt::format("{}{}={}", separator, key, value);
      separator = ',';
    }
  }
  return text.empty() ? "nothing" : text;
}

std::string stopped_text(const GraphFit& fit) {
  return fmt::format("stopped by the time limit after {} mixes; another may {}", fit.tried,
                     fit.best ? "be cheaper" : "fit");
}

std::string fit_text(const Document& document, const GraphFit& fit) {
  std::string text = fmt::format("capacity:  {}\nload:      {} as the graph stands\n", bytes_text(fit.capacity),
                                 bytes_text(fit.load_before));
  if (!fit.best) {
    text += fit.stopped ? fmt::format("fits:      not known: {}\n", stopped_text(fit))
                        : fmt::format("fits:      no, with none of {} mixes\n", fit.tried);
    return text + explanation(document, fit);
  }
  text += fmt::format("fits:      with {}\n", pipeline_text(fit.best->pipeline));
  text += fmt::format("           load {}, makespan {}\n", bytes_text(fit.best->load),
                      bytes_text(fit.best->makespan.value_or(fit.best->load)));
  text += fmt::format("costs:     {}\n", cost_text(*fit.best, fit));
  if (!fit.best->exact) text += "           some values come back less exact than they were\n";
  text += fmt::format("tried:     {} mixes{}\n", fit.tried, fit.stopped ? ", then the time was over" : "");
  return text;
}

std::string fit_json(const Document& document, const GraphFit& fit) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.key("fits") += fit.best ? "true" : "false";
  writer.integer("capacity", fit.capacity);
  writer.integer("load_before", fit.load_before);
  writer.key("time_before") += fmt::format("{}", fit.time_before);
  writer.integer("tried", static_cast<std::int64_t>(fit.tried));
  writer.key("stopped") += fit.stopped ? "true" : "false";
  std::string& proposal = writer.key("proposal");
  if (fit.best) {
    write_proposal(proposal, *fit.best, fit);
  } else {
    proposal += "null";
  }
  if (!fit.best && fit.least) write_proposal(writer.key("least"), *fit.least, fit);
  if (!fit.best && fit.hungriest != kNoOp) {
    json::ObjectWriter hungriest(writer.key("hungriest"));
    hungriest.text("op", document.graph->op(fit.hungriest).id);
    hungriest.integer("bytes", fit.hungriest_bytes);
    hungriest.close();
  }
  writer.close();
  return out;
}

}  // namespace stowage
