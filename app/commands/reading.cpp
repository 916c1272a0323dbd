#include "app/commands/reading.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/graph_source.h"
#include "app/commands/lookup.h"
#include "app/commands/progress_line.h"

namespace stowage {
namespace {

constexpr std::size_t kWarningsSaid = 20;

/// The plain names of the files behind the first one, as the choice "sequence" takes them.
Result<std::string> names_beside(const std::string& first, const std::vector<std::string>& following) {
  const std::filesystem::path folder = std::filesystem::path(first).parent_path();
  std::string names;
  for (const std::string& path : following) {
    const std::string name = std::filesystem::path(path).filename().string();
    if (first == "-" || std::filesystem::path(path).parent_path() != folder || name.empty() ||
        name.find(',') != std::string::npos) {
      return usage_error(
          fmt::format("{}: files that are read together lie in one folder and have no comma in their "
                      "names; {} does not go with it",
                      shown_name(first), path));
    }
    names += (names.empty() ? "" : ",") + name;
  }
  return names;
}

}  // namespace

void say_warnings(const Document& document) {
  const std::vector<std::string>& warnings = document.facts.warnings;
  for (std::size_t k = 0; k < warnings.size() && k < kWarningsSaid; ++k) say("warning: " + warnings[k]);
  if (warnings.size() > kWarningsSaid) {
    say(fmt::format("... and {} more warnings (all: stowage info)", warnings.size() - kWarningsSaid));
  }
}

void add_reading_options(CLI::App& command, ReadingFlags& flags) {
  static const std::map<std::string, TimeRule> times = {
      {"half-open", TimeRule::kHalfOpen}, {"closed", TimeRule::kClosed}, {"open", TimeRule::kOpen}};
  static const std::map<std::string, OffsetRule> offsets = {{"plan", OffsetRule::kPlan}, {"pins", OffsetRule::kPins}};
  const std::string group = "Reading";
  command.add_option("--from", flags.from, "The format of the file, when its content misleads")
      ->type_name("FORMAT")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--times", [&flags](const std::string& text) { flags.options.times = times.at(text); },
          "How the file means its times: half-open [lower,upper), closed [lower,upper], open")
      ->check(CLI::IsMember(std::vector<std::string>{"half-open", "closed", "open"}))
      ->type_name("RULE")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--offsets", [&flags](const std::string& text) { flags.options.offsets = offsets.at(text); },
          "What an offset column is: a plan, or pins (offsets that must stay)")
      ->check(CLI::IsMember(std::vector<std::string>{"plan", "pins"}))
      ->type_name("MEANING")
      ->group(group);
  command
      .add_option("--choose", flags.choices,
                  "An answer to a question of the format, such as device=1 (stowage list formats)")
      ->type_name("KEY=VALUE")
      ->group(group);
  // Of operator graphs, so often needed that they have options of their own.
  const auto choice = [&](const char* option, const char* key, const char* type, const char* help) {
    command
        .add_option_function<std::string>(
            option,
            [&flags, key](const std::string& value) { flags.choices.push_back(fmt::format("{}={}", key, value)); },
            help)
        ->type_name(type)
        ->group(group);
  };
  choice("--include", "include", "CLASSES",
         "Of a graph: which of inputs, weights, state and outputs become buffers, or none");
  choice("--dims", "dims", "NAME=N,...", "Of a graph: the values of its symbolic dimensions");
  command
      .add_flag("--lenient", flags.options.lenient, "Leave bad rows out and list them, instead of refusing the file")
      ->group(group);
}

void add_following_files(CLI::App& command, ReadingFlags& flags) {
  command.add_option(
      "MORE", flags.following,
      "Dumps that follow it in its folder, each a step, where the format is read as a sequence (vma-stats)");
}

Result<ReadOptions> reading_options(const ReadingFlags& flags) {
  ReadOptions options = flags.options;
  if (!flags.from.empty()) {
    const Result<const Format*> format = format_by_id(flags.from);
    if (!format) return tl::unexpected(format.error());
    options.format = (*format)->id;
  }
  for (const std::string& choice : flags.choices) {
    const std::size_t equals = choice.find('=');
    if (equals == std::string::npos || equals == 0) {
      return usage_error(fmt::format("--choose {}: expected KEY=VALUE", choice));
    }
    options.choices[choice.substr(0, equals)] = choice.substr(equals + 1);
  }
  return options;
}

Result<Document> read_document_file(const std::string& path, const ReadingFlags& flags, bool quiet) {
  Result<ReadOptions> options = reading_options(flags);
  if (!options) return tl::unexpected(options.error());
  if (!flags.following.empty()) {
    const Result<std::string> names = names_beside(path, flags.following);
    if (!names) return tl::unexpected(names.error());
    options->choices["sequence"] = *names;
  }
  Result<Document> document = [&] {
    if (names_network(path)) return generated_document(path, *options);
    ProgressLine line("reading " + shown_name(path));
    const ReadWatch watch{{}, line.taker()};
    ReadOptions watched = *options;
    watched.watch = &watch;
    return open_document(path, watched);
  }();
  if (!document && document.error().kind == Error::Kind::kUsage && !flags.following.empty()) {
    return usage_error(
        fmt::format("{} with {}: several files are read together only where they are dumps that follow each other ({})",
                    shown_name(path), fmt::join(flags.following, ", "), document.error().message));
  }
  if (document && !quiet) say_warnings(*document);
  return document;
}

Result<const Plan*> choose_plan(const Document& document, const std::string& id) {
  if (id.empty()) return document.plans.empty() ? nullptr : &document.plans.back();
  if (const Plan* plan = document.find_plan(id)) return plan;
  std::vector<std::string> known;
  for (const Plan& plan : document.plans) known.push_back(plan.id);
  const std::string there = known.empty() ? "no plan" : fmt::format("the plans {}", fmt::join(known, ", "));
  return usage_error(fmt::format("{}: no plan '{}'; the file has {}", shown_name(document.path), id, there));
}

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace stowage
