#include "tests/fuzz/round_trip.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "tests/core/io/documents.h"

namespace stowage::fuzz {
namespace {

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "round trip: %s\n", what.c_str());
  std::abort();
}

std::string written(const Document& document, std::string_view format) {
  const auto bytes = find_format(format)->write(document, {});
  require(bytes.has_value(), "cannot be written");
  return *bytes;
}

Document read_back(const std::string& bytes, std::string_view format) {
  ReadOptions options;
  options.format = format;
  auto document = read_document(bytes, "again", options);
  require(document.has_value(), "what was written cannot be read: " + (document ? "" : document.error().message));
  return std::move(*document);
}

/// By its grammar: numbers beyond a double are JSON too, though not all programs read them.
bool is_json(const std::string& text) {
  try {
    return !nlohmann::json::parse(text).is_discarded();
  } catch (const nlohmann::json::out_of_range&) {
    return true;
  } catch (const nlohmann::json::parse_error&) {
    return false;
  }
}

void through_json(const Document& document) {
  const std::string text = written(document, "stowage-json");
  if (is_utf8(text)) require(is_json(text), "what was written is not JSON");
  const Document again = read_back(text, "stowage-json");
  require(testing::full_difference(document, again).empty(), "JSON loses " + testing::full_difference(document, again));
  require(written(again, "stowage-json") == text, "JSON is no fixed point");
}

void through_csv(const Document& document) {
  const Needs& needs = document.problem->needs();
  if (needs.conflict_edges || !needs.only_single_buffers() || needs.candidates) {
    require(!find_format("minimalloc-csv")->write(document, {}).has_value(), "CSV drops constraints silently");
    return;
  }
  const std::string text = written(document, "minimalloc-csv");
  const Document again = read_back(text, "minimalloc-csv");
  require(testing::difference(*document.problem, *again.problem).empty(),
          "CSV loses " + testing::difference(*document.problem, *again.problem));
  require(document.plans.empty() == again.plans.empty(), "CSV loses or invents a plan");
  if (!document.plans.empty()) {
    require(document.plans.back().offsets == again.plans.back().offsets, "CSV loses offsets");
  }
  require(written(again, "minimalloc-csv") == text, "CSV is no fixed point");
}

}  // namespace

void round_trip(std::string_view bytes, std::string_view format) {
  for (const bool lenient : {false, true}) {
    ReadOptions options;
    options.format = format;
    options.lenient = lenient;
    const auto document = read_document(bytes, "input", options);
    if (!document) {
      require(!document.error().message.empty() && is_utf8(document.error().message), "no message, or a broken one");
      continue;
    }
    for (const std::string& warning : document->facts.warnings) require(is_utf8(warning), "a broken warning");
    through_json(*document);
    through_csv(*document);
  }
}

void read_as_dump(std::string_view bytes, const ReadOptions& options) {
  const auto document = read_document(bytes, "input", options);
  if (!document) {
    require(!document.error().message.empty() && is_utf8(document.error().message), "no message, or a broken one");
    return;
  }
  for (const std::string& warning : document->facts.warnings) require(is_utf8(warning), "a broken warning");
  for (const Plan& plan : document->plans) (void)check_plan(*document->problem, plan);
  through_json(*document);
}

bool is_fuzzed(std::string_view format) {
  static const char* const only = std::getenv("STOWAGE_FUZZ_FORMAT");
  return only == nullptr || format == only;
}

void read_as_every_dump(std::string_view bytes) {
  for (const Format& format : formats()) {
    if (format.read == nullptr || format.id == "stowage-json" || format.id == "minimalloc-csv") continue;
    if (!is_fuzzed(format.id)) continue;
    for (const bool defaults : {true, false}) {
      ReadOptions options;
      options.format = format.id;
      for (const ReadChoice& choice : format.choices) {
        if (!defaults && !choice.values.empty()) options.choices[choice.key] = choice.values.back();
      }
      read_as_dump(bytes, options);
      if (format.choices.empty()) break;
    }
  }
}

}  // namespace stowage::fuzz
