#include "core/io/steps_jsonl.h"

#include <optional>
#include <variant>

#include "core/io/id_index.h"
#include "core/io/json.h"

namespace stowage {
namespace {

/// Writes the facts of one step as members; called through std::visit.
class FactWriter {
 public:
  FactWriter(json::ObjectWriter& writer, const Names& ids, bool with_rows)
      : writer_(writer), ids_(ids), with_rows_(with_rows) {}

  void operator()(const step::Phase& fact) { writer_.text("name", fact.name); }
  void operator()(const step::Consider& fact) { buffer("buffer", fact.buffer); }
  void operator()(const step::Reject& fact) {
    buffer("buffer", fact.buffer);
    writer_.integer("offset", fact.offset);
    if (fact.blocker != kNoBuffer) buffer("blocker", fact.blocker);
    writer_.integer("free", fact.free);
    writer_.integer("needed", fact.needed);
  }
  void operator()(const step::Place& fact) {
    buffer("buffer", fact.buffer);
    writer_.integer("offset", fact.offset);
  }
  void operator()(const step::Unplace& fact) { buffer("buffer", fact.buffer); }
  void operator()(const step::OpenBox& fact) {
    writer_.integer("box", std::int64_t{fact.box});
    writer_.integer("level", std::int64_t{fact.level});
  }
  void operator()(const step::PutInBox& fact) {
    writer_.integer("box", std::int64_t{fact.box});
    if (fact.member.box != BoxMember::kNone) {
      writer_.integer("inner", std::int64_t{fact.member.box});
    } else {
      buffer("buffer", fact.member.buffer);
    }
  }
  void operator()(const step::CloseBox& fact) {
    writer_.integer("box", std::int64_t{fact.box});
    writer_.integer("level", std::int64_t{fact.level});
    writer_.integer("lower", fact.start);
    writer_.integer("upper", fact.end);
    writer_.integer("height", fact.height);
  }
  void operator()(const step::OpenRow& fact) {
    writer_.integer("row", std::int64_t{fact.row});
    writer_.integer("height", fact.height);
  }
  void operator()(const step::TakeTag& fact) {
    buffer("buffer", fact.buffer);
    writer_.integer("tag", std::int64_t{fact.tag});
  }
  void operator()(const step::ReturnTag& fact) {
    buffer("buffer", fact.buffer);
    writer_.integer("tag", std::int64_t{fact.tag});
  }
  void operator()(const step::Incumbent& fact) { writer_.integer("makespan", fact.makespan); }
  void operator()(const step::Bound& fact) { writer_.integer("makespan", fact.makespan); }
  void operator()(const step::Note& fact) { writer_.text("text", fact.text); }

 private:
  void buffer(std::string_view key, BufferIndex i) {
    writer_.text(key, ids_[i]);
    if (with_rows_) writer_.integer(std::string(key) + "_row", std::int64_t{i});
  }

  json::ObjectWriter& writer_;
  const Names& ids_;
  bool with_rows_;
};

}  // namespace

std::string steps_to_jsonl(const StepLog& log, const Names& ids) {
  // Where ids repeat, a row (from 0) tells which buffer is meant.
  const bool with_rows = !IdIndex(ids).repeats().empty();
  std::string out;
  out.reserve(log.steps().size() * 64);
  std::int64_t number = 0;
  std::int64_t phase = 0;
  for (const Step& step : log.steps()) {
    if (std::holds_alternative<step::Phase>(step.fact)) ++phase;
    json::ObjectWriter writer(out);
    writer.integer("n", ++number);
    writer.text("op", op_of(step));
    std::visit(FactWriter(writer, ids, with_rows), step.fact);
    if (phase > 0) writer.integer("phase", phase);
    if (!step.why.empty()) writer.text("why", step.why);
    writer.close();
    out += '\n';
  }
  if (log.truncated()) {
    json::ObjectWriter writer(out);
    writer.integer("n", ++number);
    writer.text("op", "note");
    writer.text("text", "the log was cut: steps are missing, and a replay does not give the plan");
    writer.close();
    out += '\n';
  }
  return out;
}

}  // namespace stowage
