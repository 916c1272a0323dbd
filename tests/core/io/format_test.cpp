#include <string>

#include <doctest/doctest.h>

#include "tests/core/io/reading.h"

using namespace stowage;
using namespace stowage::testing;
using namespace std::string_literals;

TEST_CASE("formats: ids are unique, and each is found by id and by ending") {
  for (const Format& format : formats()) {
    CHECK(find_format(format.id) == &format);
    if (format.write != nullptr) CHECK(format_for_path("Some.Thing" + format.extension) == &format);
  }
  CHECK(find_format("no-such") == nullptr);
  CHECK(format_for_path("plan.CSV") == find_format("minimalloc-csv"));
  CHECK(format_for_path("plan.png") == nullptr);
}

TEST_CASE("formats: the content decides, not the name") {
  CHECK(read_good("id,lower,upper,size\na,0,1,2\n", {}, "x.json").facts.format == "minimalloc-csv");
  CHECK(read_good(" \n{\"buffers\":[]}", {}, "x.csv").facts.format == "stowage-json");
}

TEST_CASE("formats: a given format is used, an unknown one is a wrong usage") {
  ReadOptions options;
  options.format = "stowage-json";
  CHECK(read_document("id,lower\n", "x", options).error().kind == Error::Kind::kInput);
  options.format = "no-such";
  const auto document = read_document("id,lower\n", "x", options);
  REQUIRE_FALSE(document.has_value());
  CHECK(document.error().kind == Error::Kind::kUsage);
  CHECK(document.error().message.find("minimalloc-csv") != std::string::npos);
}

TEST_CASE("foreign files are named by their first bytes, whatever their name") {
  const std::pair<std::string, const char*> files[] = {
      {"PK\x03\x04rest", "a ZIP file"},
      {"\x1F\x8B\x08", "a gzip file"},
      {"\xFD"
       "7zXZ\0"s,
       "an xz file"},
      {"\x28\xB5\x2F\xFD", "a Zstandard file"},
      {"BZh9\x31\x41\x59\x26\x53\x59", "a bzip2 file"},
      {"\x89PNG\r\n\x1A\n", "a PNG picture"},
      {"\xFF\xD8\xFF\xE0", "a JPEG picture"},
      {"%PDF-1.7", "a PDF document"},
      {"\x7F"
       "ELF\x02",
       "an ELF program"},
      {"\x1C\0\0\0TFL3"s, "a TensorFlow Lite model"},
      {"\x3C\0\0\0ET12"s, "an ExecuTorch program"},
      {"\x80\x04]\x94.", "a Python pickle"},
      {"\xFF\xFEi\0d\0"s, "UTF-16 text"},
      {"\xFE\xFF\0i"s, "UTF-16 text"},
      {"\xFF\xFE\0\0i\0\0\0"s, "UTF-32 text"},
      {"id,lower,upper,size\n" + std::string(100'000, 'x') + "\0"s, "binary data"},
  };
  for (const auto& [bytes, kind] : files) {
    CHECK(foreign_kind(bytes) == kind);
    // These have readers.
    if (kind == "a Python pickle"s || kind == "a TensorFlow Lite model"s || kind == "an ExecuTorch program"s) continue;
    const std::string message = read_error(bytes, {}, "x.csv");
    CHECK(message.find("x.csv: this is "s + kind) == 0);
  }
  for (const char* text :
       {"", "id,lower", "{\"a\":1}", "\xEF\xBB\xBFid", "caf\xE9,1", "BZh,1", "PK,1", "\xFF,1", "a,b,TFL3,d"}) {
    CHECK(foreign_kind(text).empty());
  }
}

TEST_CASE("a text may hold the letters of a signature") {
  std::string text = "id,lower,upper,size\n";
  text += std::string(257 - text.size(), 'x') + "ustar,0,1,2\n";
  CHECK(read_good(text).problem->size() == 1);
}

TEST_CASE("a model that breaks off says where; text in UTF-16 says what to do") {
  CHECK(read_error("\x08\x03\x12\x0Bonnx").find("breaks off at byte 2") != std::string::npos);
  CHECK(read_error("\xFF\xFEi\0"s).find("save it as UTF-8") != std::string::npos);
}

TEST_CASE("JSON of other tools is named, not misread") {
  const std::pair<const char*, const char*> files[] = {
      {R"([{"name":"x","buffers":[],"expected":{}}])", "a list of test cases"},
  };
  for (const auto& [text, kind] : files) {
    const std::string message = read_error(text, {}, "x.json");
    CAPTURE(message);
    CHECK(message.find("x.json: this is "s + kind) == 0);
    CHECK(message.find("not readable yet") != std::string::npos);
  }
}

TEST_CASE("empty files and text of no known format") {
  CHECK(read_error("").find("the file is empty") != std::string::npos);
  CHECK(read_error("\n \n").find("the file is empty") != std::string::npos);
  CHECK(read_error("\xEF\xBB\xBF").find("empty") != std::string::npos);
  CHECK(read_error("just words\n").find("no known format") != std::string::npos);
}
