#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/file_version.h"
#include "core/io/foreign_json.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/intake.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/io/palette.h"
#include "core/io/pipeline_fields.h"
#include "core/io/stowage_constraints.h"
#include "core/io/stowage_details.h"
#include "core/io/stowage_plans.h"

namespace stowage {

Format stowage_json_format();
Result<std::string> write_stowage_json(const Document& document, const WriteOptions& options);

namespace {

using json::Elements;
using json::Fields;
using json::Kind;
using json::Path;
using json::Value;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::int64_t kVersion = 1;

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, const ReadOptions& options)
      : text_(text), options_(options), source_(text, name, options.lenient, options.watch) {
    kinds_.index("");
    details_context_.add_to_end = options.times == TimeRule::kClosed ? 1 : 0;
  }

  Result<Document> run() {
    const Value root = json::root(text_);
    if (const std::string kind = foreign_json_kind(root); !kind.empty()) {
      return input_error(fmt::format("{}: this is {} (JSON), not readable yet", source_.name(), kind));
    }
    if (root.kind() != Kind::kObject) {
      return input_error(source_.place(source_.offset_of(root)) +
                         fmt::format("$: expected an object, found {}", name_of(root.kind())));
    }
    const Path top;
    Fields fields(source_, root, top);
    warn_of_missing(fields, root, top);
    if (!take_version(fields, "stowage", kVersion)) return tl::unexpected<Error>(source_.complaints.error());

    Document document;
    if (const auto view = fields.of_kind("view", Kind::kObject)) document.view = view->text;
    const auto name = fields.text("name");
    const auto plans = fields.of_kind("plans", Kind::kArray);
    const Path problem_path{&top, "problem", {}};
    if (const auto failed = read_operators(fields, top, document)) return input_error(*failed);
    if (document.graph != nullptr && !fields.has("problem") && !fields.has("buffers")) {
      if (plans) source_.warn(*plans, top, "plans need the \"problem\" that they are for; they are left out");
      return of_graph(fields, std::move(document), name.value_or(""));
    }
    if (fields.has("problem")) {
      const auto problem = fields.of_kind("problem", Kind::kObject);
      if (!problem) return fail_now(fields, "problem", "expected an object");
      Fields inner(source_, *problem, problem_path);
      read_problem(inner, problem_path);
      whole_sound_ = whole_sound_ && inner.sound();
      input_.extra = inner.extra("the problem");
      document.extra = fields.extra("the file");
    } else if (fields.has("buffers")) {
      source_.warn(root, top, "a bare list of buffers, without \"problem\" around it");
      read_problem(fields, top);
      input_.extra = fields.extra("the problem");
    } else {
      return fail_now(fields, "", "there is neither \"problem\" nor \"buffers\" nor \"graph\"");
    }
    if (name) input_.name = *name;
    const Path plans_path{&top, "plans", {}};
    if (plans && references_) {
      plans_ = PlanReader(source_, input_, *references_, index_, buffer_count_).read(*plans, plans_path);
    }
    return finish(std::move(document), whole_sound_ && fields.sound());
  }

  void warn_of_mark() { marked_ = true; }

 private:
  Result<Document> fail_now(Fields& fields, std::string_view key, std::string_view message) {
    fields.complain(key, message);
    return tl::unexpected<Error>(source_.complaints.error());
  }

  /// The graph and its pipeline; a message when a choice makes no sense.
  std::optional<std::string> read_operators(Fields& fields, const Path& top, Document& document) {
    const Path graph_path{&top, "graph", {}};
    const Path pipeline_path{&top, "pipeline", {}};
    if (const auto graph = fields.of_kind("graph", Kind::kObject)) {
      const auto dimensions = chosen_dimensions(stowage_json_format(), options_);
      if (!dimensions) return dimensions.error().message;
      symbols_.may_stay_open = options_.lenient;
      if (auto read = read_graph(source_, *graph, graph_path, *dimensions, nullptr, &symbols_)) {
        if (const auto known = check_dimensions(*dimensions, symbols_.names); !known) return known.error().message;
        document.graph = std::make_shared<const Graph>(std::move(*read));
      } else {
        whole_sound_ = false;
      }
    }
    has_recipe_ = fields.has("pipeline");
    if (const auto pipeline = fields.of_kind("pipeline", Kind::kArray)) {
      document.recipe.pipeline = read_pipeline(source_, *pipeline, pipeline_path);
    }
    const Path lowering_path{&top, "lowering", {}};
    if (const auto lowering = fields.of_kind("lowering", Kind::kObject)) {
      read_lowering(source_, *lowering, lowering_path, document.recipe);
      has_recipe_ = true;
    }
    return std::nullopt;
  }

  /// A graph alone: the problem follows from it.
  Result<Document> of_graph(Fields& fields, Document read, const std::string& name) {
    read.extra = fields.extra("the file");
    if (!source_.complaints.empty()) return tl::unexpected<Error>(source_.complaints.error());
    auto recipe = has_recipe_ ? std::optional(std::move(read.recipe)) : std::nullopt;
    Graph graph = *read.graph;
    if (graph.name().empty() && !name.empty()) {
      GraphInput named = graph.input();
      named.name = name;
      graph = make_graph(std::move(named)).value();
    }
    auto document =
        document_of_graph(std::move(graph), std::move(recipe), stowage_json_format(), source_.name(), options_);
    if (!document) return document;
    ask_for(*document, symbols_.open, source_.name());
    document->view = std::move(read.view);
    document->extra = std::move(read.extra);
    auto warnings = source_.take_warnings();
    warnings.insert(warnings.end(), document->facts.warnings.begin(), document->facts.warnings.end());
    document->facts.warnings = std::move(warnings);
    return document;
  }

  void warn_of_missing(const Fields& fields, Value root, const Path& top) {
    if (!fields.has("format")) source_.warn(root, top, "\"format\" is missing; read as \"stowage\"");
    if (!fields.has("version")) source_.warn(root, top, "\"version\" is missing; read as version 1");
  }

  void read_problem(Fields& fields, const Path& path) {
    input_.capacity = fields.integer("capacity", true);
    if (auto unit = fields.text("time_unit")) input_.time_unit = std::move(*unit);
    if (auto name = fields.text("name")) input_.name = std::move(*name);
    const Path spaces_path{&path, "spaces", {}};
    if (const auto spaces = fields.of_kind("spaces", Kind::kArray)) read_spaces(*spaces, spaces_path);
    const bool conflicts_only = fields.flag("conflicts_only");
    input_.constraints.conflicts_only = conflicts_only;
    if (!fields.has("buffers")) return fields.complain("buffers", "is missing");
    const auto buffers = fields.of_kind("buffers", Kind::kArray);
    if (!buffers) {
      if (fields.sound()) fields.complain("buffers", "expected an array, found null");
      return;
    }
    const Path list{&path, "buffers", {}};
    buffers_path_ = list.text();
    Path element{&list, "", 0};
    Elements elements(*buffers);
    for (auto value = elements.next(); value && source_.goes_on(*value); value = elements.next(), ++*element.index) {
      read_buffer(*value, element);
    }
    buffer_count_ = *element.index;
    references_.emplace(source_, input_, index_);
    input_.constraints = read_constraints(source_, fields, path, *references_);
    input_.constraints.conflicts_only = conflicts_only;
  }

  void read_spaces(Value array, const Path& path) {
    std::vector<Space> spaces;
    Path element{&path, "", 0};
    Elements elements(array);
    for (; const auto value = elements.next(); ++*element.index) {
      if (value->kind() != Kind::kObject) {
        source_.complain(*value, element, fmt::format("expected an object, found {}", name_of(value->kind())));
        spaces_sound_ = false;
        continue;
      }
      Fields fields(source_, *value, element);
      Space space;
      space.id = fields.text("id").value_or("");
      if (space.id.empty()) fields.complain("id", "a space needs an id");
      space.base = fields.natural("base").value_or(0);
      space.capacity = fields.integer("capacity", true);
      space.extra = fields.extra("spaces");
      if (spaces_.find(space.id)) fields.complain("id", fmt::format("there are two spaces \"{}\"", shown(space.id)));
      if (!spaces_.index(space.id)) fields.complain("", "too many spaces");
      spaces_sound_ = spaces_sound_ && fields.sound();
      spaces.push_back(std::move(space));
    }
    if (!spaces.empty()) input_.spaces = std::move(spaces);
  }

  void read_buffer(Value value, const Path& path) {
    if (value.kind() != Kind::kObject) {
      return source_.complain(value, path, fmt::format("expected an object, found {}", name_of(value.kind())));
    }
    Fields fields(source_, value, path);
    const std::string id = read_id(fields);
    Buffer buffer;
    read_lifetime(fields, buffer);
    buffer.size = fields.required_integer("size");
    buffer.alignment = fields.integer("alignment").value_or(1);
    const auto fixed = fields.integer("fixed", true);
    if (fixed && *fixed == kNoOffset) fields.complain("fixed", "this is no address");
    buffer.fixed = fixed.value_or(kNoOffset);
    if (const auto kind = fields.text("kind")) {
      const auto number = kinds_.index(*kind);
      if (!number) fields.complain("kind", "too many different kinds");
      buffer.kind = number.value_or(0);
    }
    buffer.space = read_space(fields);

    Details details = read_details(fields, path, details_context_);
    if (!fields.sound()) return;

    at_.push_back(source_.offset_of(value));
    index_.push_back(static_cast<std::uint32_t>(*path.index));
    static const Details none;
    if (details == none) {
      input_.add(id, buffer);
    } else {
      input_.add(id, buffer, std::move(details));
    }
  }

  /// In a conflict graph nobody knows when a buffer lives; then all share one step.
  void read_lifetime(Fields& fields, Buffer& buffer) const {
    if (input_.constraints.conflicts_only && !(fields.has("lower") && fields.has("upper"))) {
      buffer.start = 0;
      buffer.end = 1;
      return;
    }
    buffer.start = fields.required_integer("lower");
    buffer.end = moved_end(fields, "upper", fields.required_integer("upper"), details_context_.add_to_end);
  }

  /// Ids are texts; an integer is taken as its digits.
  static std::string read_id(Fields& fields) {
    if (!fields.has("id") && !fields.has("id_bytes")) {
      fields.complain("id", "is missing");
      return "";
    }
    if (const auto number = fields.peek("id"); number && number->kind() == Kind::kNumber) {
      fields.take("id");
      if (number->text.find_first_of(".eE") != std::string_view::npos) {
        fields.complain("id", "expected a text or an integer, found " + shown(number->text));
      }
      return std::string(number->text);
    }
    const auto id = fields.text("id");
    if (!id && fields.sound()) fields.complain("id", "expected a text, found null");
    return id.value_or("");
  }

  std::uint16_t read_space(Fields& fields) {
    const auto space = fields.text("space");
    if (!space || space->empty()) return 0;
    const auto number = space_number(*space);
    if (!number) fields.complain("space", fmt::format("there is no space \"{}\"", shown(*space)));
    return number.value_or(0);
  }

  /// Without a list of spaces in the file they are those that buffers name, after the one of buffers that name none.
  std::optional<std::uint16_t> space_number(std::string_view space) {
    if (const auto number = spaces_.find(space)) return number;
    if (!spaces_.names().empty() && !open_spaces_) return std::nullopt;
    open_spaces_ = true;
    if (spaces_.names().empty()) spaces_.index(input_.spaces[0].id);
    const auto number = spaces_.index(space);
    if (number && *number == input_.spaces.size()) {
      input_.spaces.push_back(Space{std::string(space), 0, std::nullopt, {}});
    }
    return number;
  }

  /// The problem stands in the file by itself; where its graph can still be followed to the end, it is shown.
  static void show_graph(Document& read) {
    RunContext context;
    auto prepared = prepare(*read.graph, read.recipe, context);
    if (prepared) read.staged = std::make_shared<const Staged>(prepared->last());
  }

  Result<Document> finish(Document read, bool sound) {
    // A fault outside the buffers and plans cannot be left out.
    if (!(sound && spaces_sound_) && source_.complaints.lenient())
      return tl::unexpected<Error>(source_.complaints.error());
    input_.kinds = kinds_.names();
    const bool pins =
        std::any_of(input_.buffers.begin(), input_.buffers.end(), [](const Buffer& b) { return b.is_fixed(); });
    const std::string offsets = !plans_.empty() ? "plan" : pins ? "pins" : "none";
    auto warnings = source_.take_warnings();
    if (marked_) warnings.push_back(source_.name() + ":1: the file begins with a byte order mark; it is skipped");
    if (!is_utf8(text_)) {
      warnings.push_back(source_.name() + ": not everything in the file is UTF-8; its bytes are kept as they are");
    }
    Intake intake;
    intake.input = std::move(input_);
    intake.plans = std::move(plans_);
    intake.at = [this](BufferIndex i) {
      return std::uint64_t{at_[i]};
    };
    intake.place = [this](BufferIndex i, std::string_view field) {
      if (i == kNoBuffer) return fmt::format("{}: $: ", source_.name());
      return fmt::format("{}{}[{}]{}{}: ", source_.place(at_[i]), buffers_path_, index_[i], field.empty() ? "" : ".",
                         field);
    };
    auto document = admit(std::move(intake), source_.complaints, std::move(warnings));
    if (!document) return document;
    read.problem = std::move(document->problem);
    read.plans = std::move(document->plans);
    for (Plan& plan : read.plans) {
      const bool placed =
          std::any_of(plan.offsets.begin(), plan.offsets.end(), [](std::int64_t o) { return o != kNoOffset; });
      if (plan.objects && !placed) plan.offsets = objects_to_offsets(*read.problem, *plan.objects);
    }
    if (read.graph != nullptr) show_graph(read);
    read.facts = std::move(document->facts);
    read.facts.format = "stowage-json";
    read.facts.times = options_.times == TimeRule::kClosed ? "closed"
                       : options_.times == TimeRule::kOpen ? "open"
                                                           : "half-open";
    read.facts.offsets = offsets;
    read.facts.capacity_hint = capacity_hint(source_.name());
    return read;
  }

  std::string_view text_;
  const ReadOptions& options_;
  json::Source source_;
  bool marked_ = false;

  DetailsContext details_context_{source_, 0, [this](std::string_view space) {
                                    return space_number(space);
                                  }};

  ProblemInput input_;
  std::optional<References> references_;  // once the buffers are there
  Palette kinds_;
  Palette spaces_;
  bool open_spaces_ = false;  // the file has no list of spaces
  bool has_recipe_ = false;
  Symbols symbols_;
  bool whole_sound_ = true;  // nothing wrong with the members of the problem itself
  bool spaces_sound_ = true;
  std::string buffers_path_;
  std::size_t buffer_count_ = 0;      // with those that were left out
  std::vector<std::size_t> at_;       // byte at which each buffer begins
  std::vector<std::uint32_t> index_;  // its number in the file
  std::vector<Plan> plans_;
};

bool sniff(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '[');
}

/// Whatever JSON nobody else knows; its reader says what is wrong with it.
bool sniff_json(const json::Outline& outline) {
  return !outline.array || !outline.keys.empty();
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const bool marked = bytes.starts_with(kByteOrderMark);
  const auto text = sound_json(bytes, name, options.watch);
  if (!text) return tl::unexpected<Error>(text.error());
  Reader reader(*text, name, options);
  if (marked) reader.warn_of_mark();
  return reader.run();
}

}  // namespace

Format stowage_json_format() {
  Format format;
  format.id = "stowage-json";
  format.title = "Stowage JSON";
  format.extension = ".json";
  format.summary = "everything of a document: problem, plans and view; keeps what it does not know";
  format.sniff = sniff;
  format.sniff_json = sniff_json;
  format.read = read;
  format.write = write_stowage_json;
  format.choices = graph_choices();
  return format;
}

}  // namespace stowage
