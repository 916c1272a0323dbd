#include <algorithm>
#include <fstream>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/io/format.h"
#include "tests/core/io/folder.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// A file that is opened while somebody watches.
class Watched {
 public:
  Watched(const Folder& folder, const std::string& name, const std::string& bytes) : path_(folder / name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  /// `react` sees each share, and may stop the reading.
  Result<Document> open(const std::function<void(double, std::stop_source&)>& react) {
    std::stop_source source;
    const ReadWatch watch{source.get_token(), [&](double share) {
                            shares.push_back(share);
                            react(share, source);
                          }};
    ReadOptions options;
    options.watch = &watch;
    return open_document(path_, options);
  }

  std::vector<double> shares;

 private:
  std::string path_;
};

void look_on(double, std::stop_source&) {}

std::string rows(int count) {
  std::string text = "id,lower,upper,size\n";
  for (int k = 0; k < count; ++k) text += "b" + std::to_string(k) + "," + std::to_string(k) + ",900000,64\n";
  return text;
}

std::string calls(int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += "p->malloc(64) = 0x" + std::to_string(100000 + k) + "0\n";
  return text;
}

std::string snapshot(int count) {
  std::string text = "{\"segments\":[],\"device_traces\":[[";
  for (int k = 0; k < count; ++k) {
    text += k == 0 ? "" : ",";
    text += "{\"action\":\"alloc\",\"addr\":" + std::to_string(4096 * (k + 1)) + ",\"size\":64,\"stream\":0}";
  }
  return text + "]]}";
}

}  // namespace

TEST_CASE("watching: a dump reads the same when somebody looks on, and the share rises from 0 to at most 1") {
  const Folder folder;
  for (const ToyDump& toy : toy_dumps()) {
    CAPTURE(toy.format);
    Watched file(folder, toy.name, toy.bytes);
    const auto document = file.open(look_on);
    REQUIRE(document.has_value());
    CHECK(document->facts.format == toy.format);
    CHECK(document->problem->size() == 4);
    CHECK(std::is_sorted(file.shares.begin(), file.shares.end()));
    for (const double share : file.shares) CHECK((share >= 0 && share <= 1));
  }
}

TEST_CASE("watching: a long file tells how far it is, and can be stopped in the middle") {
  const Folder folder;
  const Document problem = read_good(rows(20'000));
  const struct {
    const char* name;
    std::string bytes;
  } files[] = {{"rows.csv", rows(20'000)},
               {"document.json", write_as(problem, "stowage-json")},
               {"calls.txt", calls(20'000)},
               {"snapshot.json", snapshot(20'000)}};
  for (const auto& file : files) {
    CAPTURE(file.name);
    Watched whole(folder, file.name, file.bytes);
    REQUIRE(whole.open(look_on).has_value());
    CHECK(whole.shares.size() >= 5);
    CHECK(std::is_sorted(whole.shares.begin(), whole.shares.end()));
    CHECK(whole.shares.back() > 0.8);

    for (const double until : {0.0, 0.2, 0.6}) {
      Watched part(folder, file.name, file.bytes);
      const auto stopped = part.open([until](double share, std::stop_source& source) {
        if (share >= until) source.request_stop();
      });
      REQUIRE_FALSE(stopped.has_value());
      CHECK(stopped.error().kind == Error::Kind::kCancelled);
      CHECK(stopped.error().message.find(file.name) != std::string::npos);
      CHECK(part.shares.back() >= until);
      CHECK(part.shares.back() < until + 0.2);
    }
  }
}
