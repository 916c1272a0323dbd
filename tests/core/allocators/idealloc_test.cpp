#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/steps/step_player.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

RunResult run(const char* allocator, const Problem& problem, const ParamValues& params, StepLog* log = nullptr,
              std::uint64_t seed = 0) {
  RunContext context;
  context.steps = log;
  context.seed = seed;
  const auto run = run_allocator(*find_allocator(allocator), problem, params, context);
  REQUIRE(run);
  CHECK(check_plan(problem, run->plan).valid());
  RunResult result = run->result;
  result.offsets = run->plan.offsets;
  return result;
}

std::int64_t makespan_of(const Problem& problem, const RunResult& result) {
  std::int64_t makespan = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) makespan = std::max(makespan, result.offsets[i] + problem[i].size);
  }
  return makespan;
}

Problem toy() {
  ProblemInput input;
  const std::int64_t rows[][3] = {{0, 3, 40}, {2, 7, 12},  {5, 9, 25}, {1, 4, 9},  {6, 10, 14},
                                  {3, 8, 30}, {8, 12, 55}, {0, 12, 5}, {9, 11, 17}};
  for (const auto& row : rows) {
    Buffer buffer;
    buffer.start = row[0];
    buffer.end = row[1];
    buffer.size = row[2];
    input.add(fmt::format("{}", input.buffers.size()), buffer);
  }
  return make_problem(input).value();
}

/// The buffers inside a box, at any depth.
void collect(const std::vector<Box>& boxes, std::uint32_t box, std::vector<BufferIndex>& buffers) {
  for (const BoxMember& member : boxes[box].members) {
    if (member.box != BoxMember::kNone) {
      REQUIRE(member.box < box);
      collect(boxes, member.box, buffers);
    } else {
      buffers.push_back(member.buffer);
    }
  }
}

/// The largest sum of heights of members that live at the same time.
std::int64_t load_inside(const Problem& problem, const std::vector<Box>& boxes, const Box& box) {
  std::map<std::int64_t, std::int64_t> change;
  for (const BoxMember& member : box.members) {
    const bool is_box = member.box != BoxMember::kNone;
    const std::int64_t start = is_box ? boxes[member.box].start : problem[member.buffer].start;
    const std::int64_t end = is_box ? boxes[member.box].end : problem[member.buffer].end;
    const std::int64_t size = is_box ? boxes[member.box].height : problem[member.buffer].size;
    CHECK(start >= box.start);
    CHECK(end <= box.end);
    change[start] += size;
    change[end] -= size;
  }
  std::int64_t load = 0;
  std::int64_t highest = 0;
  for (const auto& [time, by] : change) highest = std::max(highest, load += by);
  return highest;
}

/// Every buffer is inside exactly one outermost box, and in at most one box a level; no box holds more than its height.
void check_boxing(const Problem& problem, const RunResult& result) {
  REQUIRE(result.boxing.size() == 1);
  const auto last = static_cast<int>(result.boxing.front().levels.size()) - 1;
  std::vector<int> in_last(problem.size(), 0);
  std::map<std::pair<int, BufferIndex>, int> in_level;
  for (std::uint32_t k = 0; k < result.boxes.size(); ++k) {
    const Box& box = result.boxes[k];
    CHECK(load_inside(problem, result.boxes, box) <= box.height);
    CHECK(box.height == result.boxing.front().levels[static_cast<std::size_t>(box.level)].height);
    std::vector<BufferIndex> buffers;
    collect(result.boxes, k, buffers);
    for (const BufferIndex i : buffers) {
      CHECK(++in_level[{box.level, i}] == 1);
      if (box.level == last) ++in_last[i];
    }
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) CHECK(in_last[i] == (problem[i].takes_memory() ? 1 : 0));
}

/// Sizes from 1 to 4096, half of them alike: boxed deeply there are rounds enough, boxes in boxes, and strips.
Problem wide_sizes() {
  ProblemInput input;
  Random random(11);
  for (int i = 0; i < 600; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(0, 40);
    buffer.end = buffer.start + random.uniform(1, 20);
    buffer.size = i % 2 == 0 ? random.uniform(16, 24) : random.uniform(1, 4) << random.uniform(0, 10);
    input.add(fmt::format("{}", i), buffer);
  }
  return make_problem(input).value();
}

const ParamValues kDeep = {{"bootstrap", "false"}, {"dummy", "false"}, {"epsilon", "36"}, {"level_height", "48"}};

/// A member's life and height.
struct Extent {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t height = 0;
};
Extent extent_of(const Problem& problem, const std::vector<Box>& boxes, const BoxMember& member) {
  if (member.box != BoxMember::kNone) return {boxes[member.box].start, boxes[member.box].end, boxes[member.box].height};
  return {problem[member.buffer].start, problem[member.buffer].end, problem[member.buffer].size};
}

using Member = std::pair<BufferIndex, std::uint32_t>;
std::multiset<Member> members_in(const BoxingReport& report, BoxingRange range) {
  std::multiset<Member> members;
  for (std::uint32_t k = range.first; k < range.last; ++k) {
    members.emplace(report.members[k].buffer, report.members[k].box);
  }
  return members;
}

/// One application of Theorem 2: where its critical points lie, whom they split, and who is in strips and rows.
void check_call(const Problem& problem, const RunResult& result, std::uint32_t number, std::multiset<Member>& split) {
  const BoxingReport& report = result.boxing.front();
  const BoxingCall& call = report.calls[number];
  const auto points = std::span(report.points).subspan(call.points.first, call.points.size());
  REQUIRE(points.size() >= 3);  // both ends and one between them
  CHECK(points.front() == call.start);
  CHECK(points.back() == call.end);
  // A point inside a step is told by the beginning of the step, so that it may look like its neighbour.
  CHECK(std::is_sorted(points.begin(), points.end()));
  if (call.parent != BoxingCall::kRoot) {
    const BoxingCall& parent = report.calls[call.parent];
    REQUIRE(call.slot + 1 < parent.points.size());
    CHECK(call.start == report.points[parent.points.first + call.slot]);
    CHECK(call.end == report.points[parent.points.first + call.slot + 1]);
  }
  std::multiset<Member> grouped;
  std::multiset<Member> in_strips;
  std::multiset<Member> unresolved;
  std::multiset<Member> in_rows;
  for (std::uint32_t k = call.sets.first; k < call.sets.last; ++k) {
    const BoxingSet& set = report.sets[k];
    const std::multiset<Member> members = members_in(report, set.members);
    switch (set.kind) {
      case BoxingSet::Kind::kGroup:
        for (const auto& [buffer, box] : members) {
          const Extent job = extent_of(problem, result.boxes, BoxMember{buffer, box});
          CHECK((call.start <= job.start && job.end <= call.end));
          CHECK(std::any_of(points.begin() + 1, points.end() - 1,
                            [&](std::int64_t point) { return job.start <= point && point < job.end; }));
        }
        grouped.insert(members.begin(), members.end());
        break;
      case BoxingSet::Kind::kInnerVertical:
      case BoxingSet::Kind::kInnerHorizontal:
        CHECK(set.boxes.size() > 0);
        in_strips.insert(members.begin(), members.end());
        break;
      case BoxingSet::Kind::kUnresolved:
      case BoxingSet::Kind::kOuterVertical:
      case BoxingSet::Kind::kOuterHorizontal:
        in_strips.insert(members.begin(), members.end());
        unresolved.insert(members.begin(), members.end());
        break;
      case BoxingSet::Kind::kRow:
        in_rows.insert(members.begin(), members.end());
        break;
    }
  }
  CHECK_FALSE(grouped.empty());  // each call makes progress
  CHECK(in_strips == grouped);
  CHECK(in_rows == unresolved);
  std::size_t below = 0;
  for (std::uint32_t k = number + 1; k < report.calls.size(); ++k) {
    if (report.calls[k].parent == number) below += report.calls[k].jobs;
  }
  CHECK(grouped.size() + below == call.jobs);
  split.insert(grouped.begin(), grouped.end());
}

/// How the boxes came to be, from the levels down to the strips.
void check_report(const Problem& problem, const RunResult& result) {
  const BoxingReport& report = result.boxing.front();
  std::uint32_t jobs = report.levels.front().jobs;
  for (std::size_t number = 0; number < report.levels.size(); ++number) {
    const BoxingLevel& level = report.levels[number];
    CHECK(level.jobs == jobs);
    std::uint32_t boxed = 0;
    std::int64_t lower = 0;  // jobs of a bucket are higher than those of the bucket before
    for (std::uint32_t b = level.buckets.first; b < level.buckets.last; ++b) {
      const BoxingBucket& bucket = report.buckets[b];
      const std::multiset<Member> members = members_in(report, bucket.members);
      for (const auto& [buffer, box] : members) {
        const std::int64_t height = extent_of(problem, result.boxes, BoxMember{buffer, box}).height;
        CHECK((lower < height && height <= bucket.job_height && (level.converges || height <= level.threshold)));
      }
      CHECK(bucket.stacked == std::max<std::int64_t>(1, level.height / bucket.job_height));
      std::multiset<Member> split;
      for (std::uint32_t c = bucket.calls.first; c < bucket.calls.last; ++c) check_call(problem, result, c, split);
      CHECK(split == members);
      boxed += bucket.members.size();
      lower = bucket.job_height;
    }
    CHECK(boxed == level.small);
    const auto boxes = std::count_if(result.boxes.begin(), result.boxes.end(),
                                     [&](const Box& box) { return box.level == static_cast<int>(number); });
    jobs += static_cast<std::uint32_t>(boxes) - boxed;
  }
  for (const Box& box : result.boxes) {
    REQUIRE_FALSE(box.members.empty());
    Extent hull{kMaxInt64, -kMaxInt64, 0};
    for (const BoxMember& member : box.members) {
      const Extent extent = extent_of(problem, result.boxes, member);
      hull.start = std::min(hull.start, extent.start);
      hull.end = std::max(hull.end, extent.end);
    }
    CHECK(hull.start == box.start);
    CHECK(hull.end == box.end);
  }
}

Problem read(const std::filesystem::path& file) {
  const auto document = open_document(file.string(), {});
  REQUIRE(document);
  return *document->problem;
}

}  // namespace

TEST_CASE("idealloc: the toy's dummy, rounds, heights and buckets are those of the original") {
  const Problem problem = toy();
  const RunResult result = run("idealloc", problem, {{"bootstrap", "false"}});
  REQUIRE(result.boxing.size() == 1);
  const BoxingReport& report = result.boxing.front();
  CHECK(report.dummy == 11083);
  CHECK(report.mu == doctest::Approx(0.61185).epsilon(1e-5));
  REQUIRE(report.levels.size() == 2);
  CHECK(report.levels[0].height == 9);
  CHECK(report.levels[0].threshold == 5);
  CHECK(report.levels[0].small == 1);
  CHECK(report.levels[1].height == 18113);
  std::vector<std::pair<std::int64_t, std::uint32_t>> buckets;
  for (std::uint32_t k = report.levels[1].buckets.first; k < report.levels[1].buckets.last; ++k) {
    buckets.emplace_back(report.buckets[k].job_height, report.buckets[k].members.size());
  }
  const std::vector<std::pair<std::int64_t, std::uint32_t>> expected = {{10, 2}, {17, 3}, {28, 1},
                                                                        {45, 2}, {73, 1}, {14012, 1}};
  CHECK(buckets == expected);
  CHECK(makespan_of(problem, run("idealloc", problem, {})) == 99);
  check_boxing(problem, result);
}

TEST_CASE("idealloc: hardness and bootstrap of real files are the known ones, and their boxes are sound") {
  STOWAGE_NEED_SHARED(shared);
  const struct {
    const char* file;
    double h, c, d, compound;
    std::int64_t bootstrap;
  } known[] = {{"minimalloc/A.1048576.csv", 1.4131, .3940, .5043, 5.06, 1352704},
               {"minimalloc/D.1048576.csv", 1.0788, .5555, .4789, 4.78, 1291264},
               {"minimalloc/K.1048576.csv", 1.2674, .0740, .5583, 3.79, 1339392},
               {"idealloc/somas_resnet50.csv", 2.6214, .4027, .4510, 7.37, 1525214892},
               {"idealloc/G_1.csv", 8.1882, .2992, .6993, 20.29, 3039277202}};
  for (const auto& expected : known) {
    CAPTURE(expected.file);
    const Problem problem = read(shared / "data" / expected.file);
    const RunResult result = run("idealloc", problem, {});
    REQUIRE(result.boxing.size() == 1);
    const BoxingReport& report = result.boxing.front();
    CHECK(report.bootstrap_makespan == expected.bootstrap);
    CHECK(makespan_of(problem, result) == std::min(expected.bootstrap, report.boxed_makespan));
    CHECK(report.hardness.sizes == doctest::Approx(expected.h).epsilon(1e-4));
    CHECK(report.hardness.conflicts == doctest::Approx(expected.c).epsilon(1e-3));
    CHECK(report.hardness.ends == doctest::Approx(expected.d).epsilon(1e-4));
    CHECK(report.hardness.compound == doctest::Approx(expected.compound).epsilon(1e-3));
    check_boxing(problem, result);
    check_boxing(problem, run("idealloc-mcts", problem, {{"playouts", "5"}}));
  }
}

TEST_CASE("idealloc: boxes are sound on random problems, also when their height is chosen by hand") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 60;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    ParamValues params = {{"bootstrap", "false"}};
    if (seed % 2 == 0) params = {{"bootstrap", "false"}, {"dummy", "false"}, {"level_height", "20"}, {"epsilon", "6"}};
    if (seed % 4 == 0) params["height"] = "1";
    check_boxing(problem, run("idealloc", problem, params, nullptr, seed));
  }
}

TEST_CASE("idealloc: deep boxing keeps what each theorem promises, from the levels down to the strips") {
  const Problem problem = wide_sizes();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const RunResult result = run("idealloc", problem, kDeep, nullptr, seed);
    check_boxing(problem, result);
    check_report(problem, result);
    const BoxingReport& report = result.boxing.front();
    CHECK(report.levels.size() >= 3);
    const auto occurs = [&](BoxingSet::Kind kind) {
      return std::any_of(report.sets.begin(), report.sets.end(),
                         [&](const BoxingSet& set) { return set.kind == kind; });
    };
    CHECK(occurs(BoxingSet::Kind::kInnerVertical));
    CHECK(occurs(BoxingSet::Kind::kInnerHorizontal));
  }
}

TEST_CASE("idealloc: unboxing says of each box its level, its row and its height, after the box around it") {
  const Problem problem = wide_sizes();
  StepLog log;
  const RunResult result = run("idealloc", problem, kDeep, &log);
  std::vector<int> opened(result.boxes.size(), 0);
  std::size_t rows = 0;
  bool unboxing = false;
  for (const Step& step : log.steps()) {
    if (const auto* phase = std::get_if<step::Phase>(&step.fact)) unboxing = phase->name == "unboxing";
    if (!unboxing) continue;
    if (std::holds_alternative<step::OpenRow>(step.fact)) ++rows;
    const auto* note = std::get_if<step::Note>(&step.fact);
    if (note == nullptr) continue;
    std::uint32_t number = 0;
    REQUIRE(std::sscanf(note->text.c_str(), "box %u", &number) == 1);
    REQUIRE(number < result.boxes.size());
    const Box& box = result.boxes[number];
    CHECK(note->text.find(fmt::format("box {} of level {} is opened, {} high, at {} in row {} of ", number, box.level,
                                      format_exact_bytes(box.height), format_exact_bytes(box.offset), box.row)) == 0);
    CHECK_FALSE(step.why.empty());
    CHECK(++opened[number] == 1);
    for (const BoxMember& member : box.members) {
      if (member.box != BoxMember::kNone) CHECK(opened[member.box] == 0);
    }
  }
  CHECK(std::count(opened.begin(), opened.end(), 1) == static_cast<std::ptrdiff_t>(result.boxes.size()));
  CHECK(rows >= result.boxes.back().row + std::size_t{1});
}

TEST_CASE("idealloc: steps open and close each box of the result, with its members") {
  const Problem problem = toy();
  StepLog log;
  const RunResult result = run("idealloc", problem, {{"bootstrap", "false"}}, &log);
  StepPlayer player(log.steps(), problem.size());
  player.seek(player.size());
  const std::vector<ReplayBox> boxes = player.boxes();
  REQUIRE(boxes.size() == result.boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    CHECK(boxes[k].closed);
    CHECK(boxes[k].level == result.boxes[k].level);
    CHECK(boxes[k].height == result.boxes[k].height);
    CHECK(boxes[k].start == result.boxes[k].start);
    CHECK(boxes[k].end == result.boxes[k].end);
    CHECK(std::equal(boxes[k].members.begin(), boxes[k].members.end(), result.boxes[k].members.begin(),
                     result.boxes[k].members.end()));
  }
  CHECK(player.state().offsets == result.offsets);
  std::vector<std::string> phases;
  for (const std::size_t at : player.phases()) phases.push_back(std::get<step::Phase>(log.steps()[at].fact).name);
  const std::vector<std::string> expected = {"prelude",
                                             "level 0: small jobs into boxes",
                                             "level 1: everything into equal boxes",
                                             "unboxing",
                                             "loose order",
                                             "squeeze",
                                             "the best plan"};
  CHECK(phases == expected);
}

TEST_CASE("idealloc: nothing lies below the start address, and alignment still counts from the base") {
  RandomShape shape;
  shape.alignments = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, shape);
    StepLog log;
    const RunResult result = run("idealloc", problem, {{"start_address", "1001"}}, &log, seed);
    for (const std::int64_t offset : result.offsets) CHECK(offset >= 1001);
    StepPlayer player(log.steps(), problem.size());
    player.seek(player.size());
    CHECK(player.state().offsets == result.offsets);
  }
}

TEST_CASE("idealloc: equal sizes are planned optimally, and buffers that never meet lie at the bottom") {
  ProblemInput equal;
  ProblemInput apart;
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(0, 100);
    buffer.end = buffer.start + random.uniform(1, 20);
    buffer.size = 48;
    equal.add("equal", buffer);
    buffer.start = 10 * i;
    buffer.end = buffer.start + 10;
    buffer.size = i + 1;
    apart.add("apart", buffer);
  }
  const Problem rows = make_problem(equal).value();
  CHECK(makespan_of(rows, run("idealloc", rows, {})) == measure(rows).load);
  const Problem bottom = make_problem(apart).value();
  for (const std::int64_t offset : run("idealloc", bottom, {}).offsets) CHECK(offset == 0);
}

TEST_CASE("idealloc: orders without boxes are squeezed as they are, and of random ones the best is kept") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 60;
    shape.alignments = seed % 2 == 0;
    const Problem problem = random_problem(seed, shape);
    const auto offsets = [&](const char* allocator, const ParamValues& params) {
      return run(allocator, problem, params).offsets;
    };
    if (problem.size() > 10) {  // fewer may have one size, or never meet
      CHECK(offsets("idealloc", {{"order", "area"}}) == offsets("first-fit", {{"order", "area"}}));
      CHECK(offsets("idealloc", {{"order", "area"}, {"fit", "best"}}) == offsets("best-fit", {{"order", "area"}}));
    }
    const auto random = [&](const char* lives) {
      StepLog log;
      const RunResult result = run("idealloc", problem, {{"order", "random"}, {"lives", lives}}, &log, seed);
      StepPlayer player(log.steps(), problem.size());
      player.seek(player.size());
      CHECK(player.state().offsets == result.offsets);
      CHECK(result.boxes.empty());
      return makespan_of(problem, result);
    };
    const std::int64_t best = random("50");
    CHECK(best <= random("1"));
    CHECK(random("50") == best);
  }
}

TEST_CASE("idealloc-mcts: more playouts are never worse") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 60;
    const Problem problem = random_problem(seed, shape);
    const auto boxed = [&](const char* playouts) {
      return makespan_of(problem,
                         run("idealloc-mcts", problem, {{"bootstrap", "false"}, {"playouts", playouts}}, nullptr, 3));
    };
    CHECK(boxed("60") <= boxed("6"));
  }
}
