#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/lookup.h"
#include "app/commands/network_text.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/planning.h"
#include "core/io/graph_document.h"

namespace stowage {
namespace {

struct GenerateFlags {
  std::string network;
  std::string batch;
  std::string seq;
  bool training = false;
  std::vector<std::string> set;
  std::vector<std::string> out;
  std::string to = "graph-json";
  bool json = false;
};

/// --batch, --seq and --training are short for --set; a key that is given twice with two values is a mistake.
Result<ParamValues> params_of(const GenerateFlags& flags) {
  Result<ParamValues> params = parse_params(flags.set);
  if (!params) return params;
  const auto short_for = [&](const char* key, const std::string& value) -> Result<void> {
    if (value.empty()) return {};
    const auto [entry, added] = params->emplace(key, value);
    if (added || entry->second == value) return {};
    return usage_error(fmt::format("--{} says {}={}, --set says {}={}", key, key, value, key, entry->second));
  };
  for (const Result<void>& given : {short_for("batch", flags.batch), short_for("seq", flags.seq),
                                    short_for("training", flags.training ? "yes" : "")}) {
    if (!given) return tl::unexpected(given.error());
  }
  return params;
}

Exit generate(const GenerateFlags& flags) {
  const Result<const Network*> network = network_by_id(flags.network);
  if (!network) return end_with(network.error());
  const Result<ParamValues> params = params_of(flags);
  if (!params) return end_with(params.error());
  const Result<const Format*> format = format_by_id(flags.to);
  if (!format) return end_with(format.error());
  if ((*format)->write == nullptr) {
    return end_with(Error{Error::Kind::kInput, fmt::format("{} cannot be written", flags.to)});
  }
  Outputs outputs;
  for (const std::string& path : flags.out) {
    if (const Result<void> expected = outputs.expect(path); !expected) return end_with(expected.error());
  }
  if (flags.json && outputs.uses_stdout()) {
    return end_with(Error{Error::Kind::kUsage, "--json prints to standard output, and so would '-'"});
  }

  const Result<Graph> graph = generate_network(**network, *params);
  if (!graph) return end_with(graph.error());
  if (!flags.out.empty()) {
    const Result<Document> document = document_of_graph(*graph, std::nullopt, **format, flags.network, ReadOptions{});
    if (!document) return end_with(document.error());
    const Result<std::string> bytes = (*format)->write(*document, WriteOptions{});
    if (!bytes) return end_with(bytes.error());
    for (const std::string& path : flags.out) outputs.add(path, *bytes);
  }
  const std::string text = flags.json ? generated_json(**network, *params, *graph, flags.out)
                                      : generated_text(**network, *graph, outputs.written());
  outputs.print(with_line_feed(text));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

}  // namespace

void add_generate(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<GenerateFlags>();
  CLI::App& command = *program.add_subcommand("generate", "Write the operator graph of a well-known network");
  command.add_option("NETWORK", flags->network, "Which (see: stowage list networks)")->required();
  command.add_option("--batch", flags->batch, "Examples at a time");
  command.add_option("--seq", flags->seq, "Steps of a sequence");
  command.add_flag("--training", flags->training, "With the loss and the gradient graph");
  command.add_option("--set", flags->set, "A parameter, KEY=VALUE (repeatable; see: stowage list networks)")
      ->allow_extra_args(false);
  command.add_option("-o,--out", flags->out, "Where to; '-' is standard output (repeatable)")->allow_extra_args(false);
  command.add_option("--to", flags->to, "Format: graph-json (the default), stowage-json, ...");
  command.add_flag("--json", flags->json, "Print what was made as JSON");
  command.callback([flags, &action] {
    action = [flags] {
      return generate(*flags);
    };
  });
}

}  // namespace stowage
