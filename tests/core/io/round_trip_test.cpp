#include <set>
#include <string>
#include <tuple>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/document/losses.h"
#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Texts that break careless writers.
std::string random_text(Random& random) {
  const std::string pieces[] = {"a", "b7", ",",    "\"",   "\n", "\r\n", " ", "\t",
                                "é", "😀",  "=1+1", "\xFF", "\\", "{",    ";", "0"};
  std::string text;
  for (std::int64_t n = random.uniform(0, 6); n > 0; --n) text += pieces[random.uniform(0, 15)];
  return text;
}

Document random_document(std::uint64_t seed) {
  Random random(seed);
  const auto sometimes = [&random](std::int64_t one_in) {
    return random.uniform(1, one_in) == 1;
  };
  ProblemInput input;
  input.name = random_text(random);
  if (sometimes(2)) input.capacity = random.uniform(0, kMaxInt64 / 2);
  if (sometimes(2)) input.spaces = {Space{"device", random.next(), {}, {}}, Space{"h,o st", 0, 7, {}}};
  const bool plain = sometimes(3);
  const std::int64_t count = random.uniform(0, 12);
  for (std::int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(-1000, 1000);
    buffer.end = buffer.start + random.uniform(0, 50);
    buffer.size = sometimes(8) ? random.uniform(0, kMaxInt64 / 32) : random.uniform(0, 4096);
    Details details;
    if (!plain) {
      if (sometimes(2)) buffer.alignment = random.uniform(1, 48);
      if (sometimes(3)) buffer.fixed = random.uniform(0, 1 << 20);
      buffer.kind = input.kind_index(sometimes(2) ? "" : random_text(random));
      buffer.space = static_cast<std::uint16_t>(random.uniform(0, static_cast<std::int64_t>(input.spaces.size()) - 1));
      if (sometimes(3)) details.hint = random.uniform(0, 99);
      if (sometimes(3)) details.requested = random.uniform(0, 99);
      if (sometimes(3)) details.op = random_text(random);
      if (sometimes(3)) details.source = random_text(random);
      std::int64_t at = buffer.start;
      while (sometimes(2) && at < buffer.end) {
        Gap gap;
        gap.start = random.uniform(at, buffer.end);
        gap.end = random.uniform(gap.start, buffer.end);
        if (sometimes(2)) gap.window = Window{0, random.uniform(0, buffer.size)};
        // Two gaps of one start have no order of their own.
        at = gap.end + 1;
        details.gaps.push_back(gap);
      }
      if (sometimes(4)) details.extra = R"({"note":"x,y","n":1.50})";
    }
    const std::string id = sometimes(6) ? "same" : random_text(random) + std::to_string(i);
    if (details == Details{}) {
      input.add(id, buffer);
    } else {
      input.add(id, buffer, details);
    }
  }
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  for (std::int64_t p = random.uniform(0, 2); p > 0; --p) {
    Plan plan;
    plan.id = "p" + std::to_string(p);
    plan.allocator = "best";
    plan.seed = random.next();
    plan.params["k"] = random.uniform(0, 1) == 0 ? "é\"" : "7";
    if (sometimes(2)) plan.claimed_makespan = random.uniform(0, kMaxInt64 - 1);
    const bool holes = sometimes(3);
    for (std::int64_t i = 0; i < count; ++i) {
      plan.offsets.push_back(holes && sometimes(2) ? kNoOffset : random.uniform(-5, 1 << 20));
    }
    document.plans.push_back(plan);
  }
  return document;
}

}  // namespace

TEST_CASE("round trips: random documents survive JSON wholly and CSV as far as it goes") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const Document document = random_document(seed);
    const std::string json_text = write_as(document, "stowage-json");
    REQUIRE(nlohmann::json::accept(json_text));
    const Document from_json = read_good(json_text, {}, "m.json");
    CHECK(full_difference(document, from_json) == "");
    CHECK(losses(document, from_json).empty());
    CHECK(write_as(from_json, "stowage-json") == json_text);

    const std::string csv_text = write_as(document, "minimalloc-csv");
    const Document from_csv = read_good(csv_text);
    CHECK(difference(*document.problem, *from_csv.problem) == "");
    REQUIRE(from_csv.plans.empty() == document.plans.empty());
    if (!document.plans.empty()) CHECK(from_csv.plans.back().offsets == document.plans.back().offsets);
    CHECK(write_as(from_csv, "minimalloc-csv") == csv_text);
    CHECK(write_as(from_json, "minimalloc-csv") == csv_text);
  }
}

namespace {

/// What each format can hold of a plan, beyond lifetimes, sizes and offsets.
struct Holds {
  std::string format;
  bool ids = false, alignments = false, pins = false, gaps = false, kinds = false, spaces = false, bases = false;
  bool ties = false;
};

/// A document that holds just that.
Document document_within(const Holds& holds, std::uint64_t seed) {
  Random random(seed);
  ProblemInput input;
  const std::uint64_t base = holds.bases ? random.next() : 0;
  const std::string space = holds.ids || !holds.bases ? "memory" : fmt::format("heap 0x{:x}", base);
  input.spaces = {Space{space, base, {}, {}}};
  if (holds.spaces) input.spaces.push_back(Space{"other", holds.bases ? base / 2 + 1 : 0, {}, {}});
  const std::int64_t count = random.uniform(3, 12);
  Plan plan;
  plan.id = "file";
  plan.allocator = "file";
  for (std::int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(0, 40);
    buffer.end = buffer.start + random.uniform(1, 20);
    buffer.size = random.uniform(1, 4096);
    if (holds.alignments && random.uniform(0, 1) == 0) buffer.alignment = random.uniform(1, 48);
    const bool tied = holds.ties && (i == 0 || i == count - 1);
    if (holds.pins && !tied && random.uniform(0, 2) == 0) buffer.fixed = random.uniform(0, 1 << 20);
    if (holds.kinds) buffer.kind = input.kind_index(random.uniform(0, 1) == 0 ? "" : "activation");
    if (holds.spaces && i > 0 && !tied) buffer.space = static_cast<std::uint16_t>(i == 1 ? 1 : random.uniform(0, 1));
    Details details;
    if (holds.gaps && buffer.end - buffer.start > 2) {
      details.gaps.push_back({buffer.start + 1, buffer.end - 1, std::nullopt});
      if (random.uniform(0, 1) == 0) details.gaps[0].window = Window{0, buffer.size / 2};
    }
    const std::string id = holds.ids ? printable_utf8(random_text(random)) + std::to_string(i) : std::to_string(i);
    if (details == Details{}) {
      input.add(id, buffer);
    } else {
      input.add(id, buffer, details);
    }
    plan.offsets.push_back(random.uniform(0, 1 << 20));
  }
  if (holds.ties) input.constraints.colocations.push_back({0, static_cast<BufferIndex>(count - 1)});
  Document document;
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  document.plans.push_back(plan);
  return document;
}

}  // namespace

TEST_CASE("round trips: a plan opens again as the same plan from each format that can hold it") {
  const Holds all[] = {
      {"stowage-json", true, true, true, true, true, true, true, true},
      {"minimalloc-csv", true, true, true, true, true, true, false, false},
      {"chrome-trace", true, true, false, false, true, true, true, false},
      {"plc", false, true, false, false, false, false, true, false},
  };
  for (const Holds& holds : all) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      CAPTURE(holds.format);
      CAPTURE(seed);
      const Document document = document_within(holds, seed);
      const Document again =
          read_good(write_as(document, holds.format), {}, "x" + find_format(holds.format)->extension);
      CHECK(again.facts.format == holds.format);
      std::string lost;
      for (const std::string& loss : losses(document, again)) lost += loss + "; ";
      CHECK(lost == "");
    }
  }
}

namespace {

/// What identifies buffers, in no order: traces have them by their starts.
std::multiset<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>> rows_of(const Problem& problem) {
  std::multiset<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>> rows;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    rows.emplace(std::string(problem.id(i)), problem[i].start, problem[i].end, problem[i].size);
  }
  return rows;
}

}  // namespace

TEST_CASE("round trips: every writer keeps a document, refuses it, or its losses are told") {
  for (const Format& format : formats()) {
    if (format.read == nullptr || format.write == nullptr) continue;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      CAPTURE(format.id);
      CAPTURE(seed);
      const Document document = random_document(seed);
      const auto bytes = format.write(document, {});
      if (!bytes) {
        CHECK_FALSE(bytes.error().message.empty());
        continue;
      }
      if (document.problem->size() == 0) continue;  // nothing to tell the format by
      ReadOptions options;
      options.format = format.id;
      const auto again = read_document(*bytes, "x" + format.extension, options);
      REQUIRE_MESSAGE(again.has_value(), (again ? "" : again.error().message));
      if (losses(document, *again).empty()) CHECK(rows_of(*document.problem) == rows_of(*again->problem));
    }
  }
}

TEST_CASE("round trips: ids of every kind, also of 10 kB") {
  Document document;
  ProblemInput input;
  for (const std::string& id :
       {std::string(10'000, 'x'), std::string(5'000, '"'), std::string("a,b"), std::string("q\"q"),
        std::string("two\nlines"), std::string("😀"), std::string(""), std::string(" "), std::string("null"),
        std::string("=SUM(A1)"), std::string("#"), std::string("\xEF\xBB\xBF")}) {
    Buffer buffer;
    buffer.end = 1;
    buffer.size = 1;
    input.add(id, buffer);
  }
  document.problem = std::make_shared<const Problem>(make_problem(std::move(input)).value());
  for (const char* format : {"minimalloc-csv", "stowage-json"}) {
    const Document again = read_good(write_as(document, format));
    CHECK(difference(*document.problem, *again.problem) == "");
  }
}

TEST_CASE("round trips: unknown keys of JSON become columns that mean the same when they are read again") {
  const Document document = read_good(
      R"({"buffers":[{"id":"a","lower":0,"upper":1,"size":1,"":1,"  ":2,"offset":3,"Start":4," end ":5,"x,y":6,"x_bytes":"q",
          "end ":7,"extra offset":8,"column 9":"","e":""}]})");
  const std::string text = write_as(document, "minimalloc-csv");
  const Document again = read_good(text);
  CHECK(difference(*document.problem, *again.problem) == "");
  CHECK(write_as(again, "minimalloc-csv") == text);
  CHECK(again.facts.offsets == "none");
}

TEST_CASE("round trips: a column named like the bytes of another one keeps its own text") {
  // A text that is no UTF-8 stands in JSON under its key and, in hexadecimal, under the key with "_bytes".
  const Document document = read_good("id,lower,upper,size,k_bytes,k\na,0,1,8,J,\xFF\n");
  const Document again = read_good(write_as(document, "stowage-json"), {}, "m.json");
  CHECK(full_difference(document, again) == "");
  const Document other = read_good("id,lower,upper,size,k,k_bytes\na,0,1,8,\xFF,J\n");
  CHECK(full_difference(other, read_good(write_as(other, "stowage-json"), {}, "m.json")) == "");
}

TEST_CASE("round trips: keys that differ by more than one ending for bytes do not speak of each other") {
  const Document document = read_good(
      "{\"buffers\":[{\"id\":\"a\",\"lower\":0,\"upper\":1,\"size\":1,\"s_bytes_bytes\":\"636166\",\"s\":\"x\xFF\"}]}");
  const std::string text = write_as(document, "minimalloc-csv");
  const Document again = read_good(text);
  CHECK(difference(*document.problem, *again.problem) == "");
  CHECK(write_as(again, "minimalloc-csv") == text);
  CHECK(write_as(read_good(write_as(again, "stowage-json"), {}, "m.json"), "minimalloc-csv") == text);
}

TEST_CASE("round trips: bytes with a zero among them are no text, and the text beside them stands") {
  const Document document =
      read_good(R"({"buffers":[{"id":"a","lower":0,"upper":1,"size":1,"t":"caf","t_bytes":"63006a"}]})");
  const std::string text = write_as(document, "minimalloc-csv");
  CHECK(text == "id,lower,upper,size,t\na,0,1,1,caf\n");
  CHECK(difference(*document.problem, *read_good(text).problem) == "");
}

TEST_CASE("round trips: the extremes of 64 bits") {
  for (const std::string& row :
       {std::string("a,-9223372036854775808,-1,0\n"), std::string("a,0,9223372036854775807,0\n"),
        std::string("a,0,1,9223372036854775807\n")}) {
    const Document document = read_good("id,lower,upper,size\n" + row);
    CHECK(write_as(document, "minimalloc-csv") == "id,lower,upper,size\n" + row);
    const Document again = read_good(write_as(document, "stowage-json"));
    CHECK(full_difference(document, again) == "");
  }
}
