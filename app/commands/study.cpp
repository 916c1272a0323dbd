#include "core/explain/study.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/commands/command.h"
#include "app/commands/interrupt.h"
#include "app/commands/outputs.h"
#include "app/commands/pictures.h"
#include "app/commands/plan_text.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/chart/curves.h"
#include "core/io/json.h"
#include "core/render/cairo_painter.h"

namespace stowage {
namespace {

struct StudyFlags {
  std::string kind;
  StudyOptions options;
  bool names_network = false;
  bool json = false;
  PictureFlags pictures;
};

/// A row for each place: memory of each curve, then what takes longer.
std::string study_text(const Study& study) {
  std::vector<Table::Align> aligns(1 + study.curves.size(), Table::Align::kRight);
  Table table(aligns);
  std::vector<std::string> header = {study.axis};
  for (const StudyCurve& curve : study.curves) header.push_back(curve.name);
  table.add(header);
  table.add_rule();
  for (std::size_t i = 0; i < study.places.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:g}", study.places[i])};
    for (const StudyCurve& curve : study.curves) {
      std::string cell = format_bytes(curve.memory[i]);
      if (curve.extra_work[i] > 0) cell += " +" + format_percent(curve.extra_work[i]);
      row.push_back(std::move(cell));
    }
    table.add(std::move(row));
  }
  return fmt::format("{}\n{}\n\n{}\n+ N %: so much more time\n", study.title, study.note, table.text());
}

std::string study_json(const Study& study) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.text("study", study.id);
  writer.text("title", study.title);
  writer.text("note", study.note);
  writer.text("axis", study.axis);
  const auto list = [](std::string& to, std::size_t count, const auto& add) {
    to += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) to += ',';
      add(i);
    }
    to += ']';
  };
  std::string& places = writer.key("places");
  list(places, study.places.size(), [&](std::size_t i) { places += fmt::format("{}", study.places[i]); });
  std::string& curves = writer.key("curves");
  list(curves, study.curves.size(), [&](std::size_t c) {
    const StudyCurve& curve = study.curves[c];
    json::ObjectWriter one(curves);
    one.text("name", curve.name);
    std::string& memory = one.key("bytes");
    list(memory, curve.memory.size(), [&](std::size_t i) { json::append_integer(memory, curve.memory[i]); });
    std::string& work = one.key("extra_time_share");
    list(work, curve.extra_work.size(), [&](std::size_t i) { work += fmt::format("{}", curve.extra_work[i]); });
    one.close();
  });
  writer.close();
  return out;
}

Result<void> draw(const StudyFlags& flags, const Study& study, Outputs& outputs) {
  if (!flags.pictures.wanted()) return {};
  const Result<PictureSize> size = parse_size(flags.pictures.size);
  if (!size) return tl::unexpected(size.error());
  CurvesInput input;
  input.title = study.title;
  input.note = study.note;
  input.axis = study.axis;
  input.logarithmic = study.logarithmic;
  input.places = study.places;
  for (const StudyCurve& curve : study.curves) input.curves.push_back({curve.name, curve.memory, curve.extra_work});
  input.width = size->width;
  input.height = size->height;
  return add_pictures(flags.pictures, make_curves(input, theme_of(flags.pictures), CairoTextMeasure()), outputs);
}

Exit study(const StudyFlags& flags) {
  Outputs outputs;
  if (const Result<void> expected = expect_pictures(flags.pictures, outputs); !expected) {
    return end_with(expected.error());
  }
  if (flags.json && outputs.uses_stdout()) {
    return end_with(Error{Error::Kind::kUsage, "--json prints to standard output, and so would '-'"});
  }
  const auto kinds = study_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const StudyKind& one) { return one.id == flags.kind; });
  if (flags.names_network && kind != kinds.end() && !kind->any_network) {
    return end_with(Error{Error::Kind::kUsage, fmt::format("--network: {} brings its own networks", flags.kind)});
  }
  RunContext context;
  const Interrupt interrupt;
  context.stop = interrupt.token();
  const Result<Study> result = run_study(flags.kind, flags.options, context);
  if (!result) return end_with(result.error());
  if (const Result<void> drawn = draw(flags, *result, outputs); !drawn) return end_with(drawn.error());
  outputs.print(flags.json ? with_line_feed(study_json(*result)) : study_text(*result));
  if (const Result<void> written = outputs.write(); !written) return end_with(written.error());
  return Exit::kFine;
}

}  // namespace

void add_study(CLI::App& program, Action& action) {
  const auto flags = std::make_shared<StudyFlags>();
  CLI::App& command =
      *program.add_subcommand("study", "Memory and extra work of training, as curves over one thing that grows");
  std::string kinds;
  for (const StudyKind& kind : study_kinds()) kinds += (kinds.empty() ? "" : ", ") + kind.id;
  command.add_option("KIND", flags->kind, kinds)->required();
  const CLI::Option* network =
      command.add_option("--network", flags->options.network, "Whose training, for batch, checkpoints and bandwidth")
          ->type_name("ID");
  command.add_option("--batch", flags->options.batch, "Examples at a time, where the study does not vary them")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  command.add_flag("--json", flags->json, "Print JSON");
  add_picture_options(command, flags->pictures, false);
  command.callback([flags, network, &action] {
    flags->names_network = network->count() > 0;
    action = [flags] {
      return study(*flags);
    };
  });
}

}  // namespace stowage
