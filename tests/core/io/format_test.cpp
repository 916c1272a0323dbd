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
      {"(dp0\nVsegments\np1\n(lp2\ns.", "a Python pickle of protocol 0 or 1; 2 to 5 are read"},
      {"}q\0(X\x01\0\0\0aq\1]q\2u."s, "a Python pickle of protocol 0 or 1; 2 to 5 are read"},
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

TEST_CASE("JSON that nobody reads is not told what columns a table needs") {
  for (const auto& [text, part] : {std::pair(R"([{"offset_of":1,"bytes":2},{"offset_of":3}])",
                                             "a JSON array of objects with the keys offset_of, bytes, which no known"),
                                   std::pair("[[1,2],[3,4]]", "a JSON array without keys")}) {
    const std::string message = read_error(text, {}, "x.json");
    CAPTURE(message);
    CHECK(message.find("x.json: this begins like "s + part) == 0);
    CHECK(message.find("column") == std::string::npos);
  }
  CHECK(read_good("[a],id,lower,upper,size\n1,a,0,4,8\n").problem->size() == 1);  // a column's name is no JSON
}

TEST_CASE("what is piped in is unpacked by its content, since it has no name") {
  constexpr unsigned char bytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x4c,
                                     0xd1, 0xc9, 0xc9, 0x2f, 0x4f, 0x2d, 0xd2, 0x29, 0x2d, 0x28, 0x00, 0x92,
                                     0xc5, 0x99, 0x55, 0xa9, 0x5c, 0x89, 0x3a, 0x06, 0x3a, 0x26, 0x3a, 0x16,
                                     0x5c, 0x00, 0x7e, 0x5d, 0x3c, 0x83, 0x1c, 0x00, 0x00, 0x00};
  const std::string_view packed(reinterpret_cast<const char*>(bytes), sizeof bytes);
  CHECK(read_good(packed, {}, "standard input").problem->size() == 1);
  CHECK(read_good(packed, {}, "x.csv.gz").problem->size() == 1);
  CHECK(read_error(packed, {}, "x.csv").find("a gzip file") != std::string::npos);
}

TEST_CASE("empty files and text of no known format") {
  CHECK(read_error("").find("the file is empty") != std::string::npos);
  CHECK(read_error("\n \n").find("the file is empty") != std::string::npos);
  CHECK(read_error("\xEF\xBB\xBF").find("empty") != std::string::npos);
  CHECK(read_error("just words\n").find("no known format") != std::string::npos);
}
