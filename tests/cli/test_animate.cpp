#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace stowage::testing {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = (value << 8U) | static_cast<unsigned char>(bytes.at(at + k));
  return value;
}

struct Chunk {
  std::string type;
  std::string content;
};

/// All chunks of a PNG, in order.
std::vector<Chunk> chunks_of(const std::string& png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = number_at(png, at);
    chunks.push_back({png.substr(at + 4, 4), png.substr(at + 8, length)});
    at += length + 12;
  }
  return chunks;
}

std::size_t count(const std::vector<Chunk>& chunks, const std::string& type) {
  std::size_t found = 0;
  for (const Chunk& chunk : chunks) {
    if (chunk.type == type) ++found;
  }
  return found;
}

/// The program with another list of folders for programs.
class Path {
 public:
  explicit Path(const std::string& folders) : before_(std::getenv("PATH")) { setenv("PATH", folders.c_str(), 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

const std::vector<std::string> kSmall = {"animate", "toy.csv", "-a", "first-fit", "--size", "320x200"};

Ran animate(const Bench& bench, const std::vector<std::string>& more) {
  std::vector<std::string> line = kSmall;
  line.insert(line.end(), more.begin(), more.end());
  return bench.run(line);
}

std::size_t steps_of(const Bench& bench) {
  REQUIRE(bench.run({"plan", "toy.csv", "-a", "first-fit", "--steps", "steps.jsonl"}).code == 0);
  std::size_t lines = 0;
  for (const char byte : bench.read("steps.jsonl")) {
    if (byte == '\n') ++lines;
  }
  return lines;
}

}  // namespace

TEST_CASE("animate: a frame before the first step and one after each, in a folder") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const std::size_t steps = steps_of(bench);
  const Ran ran = animate(bench, {"--out", "film"});
  CHECK(ran.code == 0);
  std::size_t frames = 0;
  while (bench.has("film/frame_0000" + std::to_string(frames + 1) + ".png") && frames < 9) ++frames;
  CHECK(frames == std::min<std::size_t>(9, steps + 1));
  CHECK(bench.read("film/frame_00001.png") != bench.read("film/frame_00003.png"));
  CHECK(number_at(bench.read("film/frame_00001.png"), 16) == 320);
  // The same again gives the same frames.
  const std::string before = bench.read("film/frame_00004.png");
  CHECK(animate(bench, {"--out", "film"}).code == 0);
  CHECK(bench.read("film/frame_00004.png") == before);
}

TEST_CASE("animate: a part of the steps, and evenly chosen ones when there are too many") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const std::size_t steps = steps_of(bench);
  REQUIRE(steps > 6);
  CHECK(animate(bench, {"--out", "part", "--from-step", "2", "--to-step", "4"}).code == 0);
  CHECK(bench.has("part/frame_00003.png"));
  CHECK_FALSE(bench.has("part/frame_00004.png"));
  CHECK(animate(bench, {"--out", "few", "--max-frames", "3"}).code == 0);
  CHECK(bench.has("few/frame_00003.png"));
  CHECK_FALSE(bench.has("few/frame_00004.png"));
  CHECK(animate(bench, {"--out", "all"}).code == 0);
  CHECK(bench.read("few/frame_00001.png") == bench.read("all/frame_00001.png"));
  // A shorter one into the same folder says what is left of the longer one.
  const Ran again = animate(bench, {"--out", "all", "--max-frames", "2"});
  CHECK(again.code == 0);
  CHECK(contains(again.err, "earlier animation"));
}

TEST_CASE("animate: an animated PNG holds the frames, its numbers run through, and a plain reader sees the first") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  CHECK(animate(bench, {"--out", "film.apng", "--to-step", "4", "--fps", "7"}).code == 0);
  CHECK(animate(bench, {"--out", "film", "--to-step", "4"}).code == 0);
  const std::vector<Chunk> chunks = chunks_of(bench.read("film.apng"));
  REQUIRE(chunks.size() > 5);
  CHECK(chunks.front().type == "IHDR");
  CHECK(chunks.back().type == "IEND");
  CHECK(count(chunks, "acTL") == 1);
  CHECK(count(chunks, "fcTL") == 5);
  std::uint32_t sequence = 0;
  std::string first;
  for (const Chunk& chunk : chunks) {
    if (chunk.type == "acTL") CHECK(number_at(chunk.content, 0) == 5);
    if (chunk.type == "fcTL" || chunk.type == "fdAT") CHECK(number_at(chunk.content, 0) == sequence++);
    if (chunk.type == "fcTL") CHECK(static_cast<int>(chunk.content.at(23)) == 7);
    if (chunk.type == "IDAT") first += chunk.content;
  }
  std::string pixels;
  for (const Chunk& chunk : chunks_of(bench.read("film/frame_00001.png"))) {
    if (chunk.type == "IDAT") pixels += chunk.content;
  }
  CHECK(first == pixels);
}

TEST_CASE("animate: without a program for the film it names one, exits 3 and leaves nothing") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const auto before = bench.files();
  const Path none(bench.path("nowhere"));
  const Ran ran = animate(bench, {"--out", "film.webm"});
  CHECK(ran.code == 3);
  CHECK(contains(ran.err, "apt install ffmpeg"));
  CHECK(bench.files() == before);
}

TEST_CASE("animate: an installed ffmpeg is given the frames; when it fails nothing is left") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  std::filesystem::create_directories(bench.path("bin"));
  // Its last argument is the result; it writes what it was asked.
  bench.write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\necho \"$@\" > \"$last\"\n");
  std::filesystem::permissions(bench.path("bin/ffmpeg"), std::filesystem::perms::owner_all);
  {
    const Path here(bench.path("bin") + ":/usr/bin:/bin");
    CHECK(animate(bench, {"--out", "film.webm", "--to-step", "3", "--fps", "5"}).code == 0);
  }
  CHECK(contains(bench.read("film.webm"), "-framerate 5"));
  CHECK(contains(bench.read("film.webm"), "libvpx-vp9"));

  bench.write("bin/ffmpeg", "#!/bin/sh\necho no such codec >&2\nexit 1\n");
  const auto before = bench.files();
  const Path here(bench.path("bin") + ":/usr/bin:/bin");
  const Ran failed = animate(bench, {"--out", "other.webm", "--to-step", "3"});
  CHECK(failed.code == 3);
  CHECK(contains(failed.err, "no such codec"));
  CHECK(bench.files() == before);
}

TEST_CASE("animate: boxes of an allocator that builds some; others are a usage error") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("trap.csv", "id,lower,upper,size\na,0,4,4\nb,3,7,5\nc,0,1,9\nd,6,8,9\ne,1,2,3\nf,4,5,6\n");
  CHECK(bench
            .run({"animate", "trap.csv", "-a", "idealloc", "--set", "bootstrap=false", "--view", "boxes", "--size",
                  "320x200", "--max-frames", "4", "--out", "boxes"})
            .code == 0);
  CHECK(bench.has("boxes/frame_00004.png"));
  CHECK(bench.read("boxes/frame_00001.png") != bench.read("boxes/frame_00003.png"));
  CHECK(animate(bench, {"--view", "boxes", "--out", "none"}).code == 2);
  CHECK_FALSE(bench.has("none"));
}

TEST_CASE("animate: the steps of a graph's last transform, on the graph before it") {
  const Bench bench;
  const std::vector<std::string> tags = {"network:lecture", "--with", "sharing:policy=tags"};
  const auto run = [&](const std::string& command, std::vector<std::string> more) {
    std::vector<std::string> line = {command};
    line.insert(line.end(), tags.begin(), tags.end());
    line.insert(line.end(), more.begin(), more.end());
    return bench.run(line);
  };
  REQUIRE(run("transform", {"--steps", "steps.jsonl"}).code == 0);
  const std::string told = bench.read("steps.jsonl");
  const auto steps = static_cast<std::size_t>(std::count(told.begin(), told.end(), '\n'));
  const Ran ran = run("animate", {"--view", "graph", "--size", "640x360", "--out", "film"});
  CHECK_MESSAGE(ran.code == 0, ran.err);
  CHECK(contains(ran.err, std::to_string(steps + 1) + " frames of " + std::to_string(steps) + " steps"));
  CHECK(number_at(bench.read("film/frame_00001.png"), 16) == 640);
  std::set<std::string> frames;
  for (std::size_t k = 1; k <= steps + 1; ++k) {
    const std::string number = std::to_string(k);
    frames.insert(bench.read("film/frame_" + std::string(5 - number.size(), '0') + number + ".png"));
  }
  CHECK(frames.size() == steps + 1);  // each step has its picture

  // A graph that brings its pipeline needs no --with; and what the transforms make can be planned step by step.
  REQUIRE(run("transform", {"--out", "g.json"}).code == 0);
  CHECK(bench.run({"animate", "g.json", "--view", "graph", "--to-step", "1", "--out", "own"}).code == 0);
  CHECK(bench.has("own/frame_00002.png"));
  CHECK(run("animate", {"-a", "first-fit", "--size", "320x200", "--to-step", "1", "--out", "plan"}).code == 0);
}

TEST_CASE("animate: an allocator or a transform, not something of both") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const auto before = bench.files();
  const auto refused = [&](std::vector<std::string> more, int code, const std::string& reason) {
    std::vector<std::string> line = {"animate"};
    line.insert(line.end(), more.begin(), more.end());
    line.insert(line.end(), {"--out", "film"});
    const Ran ran = bench.run(line);
    CHECK(ran.code == code);
    CHECK_MESSAGE(contains(ran.err, reason), ran.err);
    CHECK(bench.files() == before);
  };
  const std::string net = "network:lecture";
  refused({net, "--view", "graph", "--with", "sharing", "-a", "first-fit"}, 2, "--allocator: --view graph");
  refused({net, "--view", "graph", "--with", "sharing", "--set", "order=size"}, 2, "--set: --view graph");
  refused({net, "--view", "graph", "--with", "sharing", "--labels", "off"}, 2, "--labels");
  refused({net, "--view", "graph", "--with", "sharin"}, 2, "there is no transform 'sharin'");
  refused({net, "--view", "graph", "--choose", "pipeline=none"}, 2, "goes through no transform");
  refused({net, "--with", "sharing"}, 2, "--allocator");
  refused({"toy.csv"}, 2, "--allocator");
  refused({"toy.csv", "--view", "graph"}, 3, "holds no operator graph");
  refused({"toy.csv", "-a", "first-fit", "--with", "sharing"}, 3, "holds no operator graph");
  const Ran page = bench.run({"animate", net, "--view", "graph", "--with", "sharing", "--out", "film.html"});
  CHECK(page.code == 2);
  CHECK(contains(page.err, "a page plays the plan so far, not the graph"));
  CHECK(bench.files() == before);
}

TEST_CASE("animate: wrong usage is said before anything is written") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const auto before = bench.files();
  const std::vector<std::pair<std::vector<std::string>, int>> cases = {
      {{"--out", "film.mp4"}, 2},
      {{"--out", "none/film"}, 3},
      {{"--out", "toy.csv"}, 3},
      {{"--out", "film", "--from-step", "9", "--to-step", "3"}, 2},
      {{"--out", "film", "--from-step", "99999"}, 2},
      {{"--out", "film", "--from-step", "-1"}, 2},
      {{"--out", "film", "--fps", "0"}, 2},
      {{"--out", "film", "--view", "load"}, 2},
      {{"--out", "film", "--size", "10x10"}, 2},
      {{}, 2},
  };
  for (const auto& [more, code] : cases) {
    CHECK(animate(bench, more).code == code);
    CHECK(bench.files() == before);
  }
  CHECK(contains(animate(bench, {"--out", "film", "--from-step", "-1"}).err, "'-1' is not a whole number from 0 on"));
  CHECK(bench.run({"animate", "toy.csv", "-a", "first", "--out", "film"}).code == 2);
  CHECK(bench.run({"animate", "none.csv", "-a", "first-fit", "--out", "film"}).code == 3);
  CHECK(bench.files() == before);
}

}  // namespace stowage::testing
