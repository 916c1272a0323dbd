#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/network_text.h"
#include "app/commands/outputs.h"
#include "app/commands/plan_text.h"
#include "app/commands/reading.h"
#include "app/commands/table.h"
#include "app/commands/transform_text.h"
#include "app/data_folder.h"
#include "core/allocators/allocator.h"
#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/pool_report.h"
#include "core/io/report_json.h"
#include "core/model/metrics.h"
#include "core/pools/pool.h"

namespace stowage {
namespace {

struct ListFlags {
  std::string what;
  bool json = false;
};

std::string allocators_text() {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kLeft, Align::kLeft});
  std::string params;
  for (const Allocator& allocator : allocators()) {
    std::string keys;
    for (const ParamSpec& param : allocator.params) {
      keys += fmt::format("{}{}={}", keys.empty() ? "" : " ", param.key, param.value);
      const std::string line = fmt::format("{}: {}\n  {}{}\n", param.key, param.summary, param.closed ? "" : "such as ",
                                           fmt::join(param.choices, " "));
      if (params.find(line) == std::string::npos) params += line;
    }
    table.add({allocator.id, keys, allocator.summary});
  }
  if (!params.empty()) params = "\nparameters, given as --set KEY=VALUE\n" + params;
  return table.text() + params;
}

std::string pools_text() {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kLeft});
  std::string params;
  for (const Pool& pool : pools()) {
    table.add({pool.id, pool.summary});
    for (const ParamSpec& param : pool.params) {
      params += fmt::format("{} {}={}: {}\n  {}{}\n", pool.id, param.key, param.value, param.summary,
                            param.closed ? "" : "such as ", fmt::join(param.choices, " "));
    }
  }
  return table.text() + "\nparameters, given as --set KEY=VALUE\n" + params;
}

std::string formats_text() {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  std::string choices;
  for (const Format& format : formats()) {
    const std::string use = fmt::format("{}{}{}", format.read != nullptr ? "read" : "",
                                        format.read != nullptr && format.write != nullptr ? ", " : "",
                                        format.write != nullptr ? "write" : "");
    table.add({format.id, format.extension, use, format.summary});
    for (const ReadChoice& choice : format.choices) {
      choices +=
          fmt::format("{}: {}={}: {}{}\n", format.id, choice.key, choice.value, choice.summary,
                      choice.values.empty() ? std::string() : fmt::format(" ({})", fmt::join(choice.values, ", ")));
    }
  }
  if (!choices.empty()) choices = "\nchoices, given as --choose KEY=VALUE\n" + choices;
  return table.text() + choices;
}

/// The files of the samples folder, by name.
std::vector<std::string> sample_paths() {
  std::vector<std::string> paths;
  const std::string folder = find_data("samples");
  if (folder.empty()) return paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".csv" || ending == ".json") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::string> samples_text(bool json) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.add({"sample", "buffers", "load", "path"});
  table.add_rule();
  std::string objects;
  for (const std::string& path : sample_paths()) {
    const Result<Document> document = read_document_file(path, ReadingFlags{}, true);
    if (!document) return tl::unexpected(document.error());
    const ProblemMetrics facts = measure(*document->problem);
    const std::string name = std::filesystem::path(path).stem().string();
    table.add(
        {name, format_count(static_cast<std::int64_t>(document->problem->size())), format_bytes(facts.load), path});
    objects += (objects.empty() ? "" : ",\n ") + info_json(*document, facts);
  }
  return json ? "[" + objects + "]" : table.text();
}

Exit list(const ListFlags& flags) {
  Result<std::string> text = std::string();
  if (flags.what == "samples") {
    text = samples_text(flags.json);
  } else if (flags.what == "pools") {
    text = flags.json ? pools_json() : pools_text();
  } else if (flags.what == "networks") {
    text = flags.json ? networks_json() : networks_text();
  } else if (flags.what == "transforms") {
    text = flags.json ? transforms_json() : transforms_text();
  } else if (flags.what == "formats") {
    text = flags.json ? formats_json() : formats_text();
  } else {
    text = flags.json ? allocators_json() : allocators_text();
  }
  if (!text) return end_with(text.error());
  Outputs outputs;
  outputs.print(with_line_feed(*text));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<ListFlags>();
  CLI::App& command =
      *program.add_subcommand("list", "List allocators, pools, transforms, networks, formats or samples");
  command.add_option("WHAT", flags->what, "allocators, pools, transforms, networks, formats or samples")
      ->required()
      ->check(CLI::IsMember({"allocators", "pools", "transforms", "networks", "formats", "samples"}));
  command.add_flag("--json", flags->json, "Print the list as JSON");
  command.callback([flags, &action] {
    action = [flags] {
      return list(*flags);
    };
  });
}

}  // namespace stowage
