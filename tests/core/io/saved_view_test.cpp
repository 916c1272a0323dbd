#include "core/io/saved_view.h"

#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace stowage;

namespace {

Problem buffers_named(const std::vector<std::string_view>& ids) {
  ProblemInput input;
  for (const std::string_view id : ids) {
    Buffer buffer;
    buffer.end = 1;
    buffer.size = 1;
    input.add(id, buffer);
  }
  return make_problem(std::move(input)).value();
}

std::vector<BufferIndex> selected(std::string_view list, const Problem& problem) {
  return read_view("{\"selection\":" + std::string(list) + "}", problem).selection;
}

}  // namespace

TEST_CASE("view: what is written is read again, and unknown members stay") {
  const Problem problem = buffers_named({"a", "b", "c", "d", "e"});
  SavedView view;
  view.camera = SavedView::Camera{0.1, 17.25, -3, 1e12, 1'000'000'000'000, 0};
  view.filter = "kind:\"weight\"";
  view.plan = "best-fit";
  view.space = "host";
  view.selection = {3, 1, 4};
  const std::string text = write_view(view, problem, R"({"minimap":true,"filter":"old"})");
  CHECK(read_view(text, problem) == view);
  CHECK(text.find("\"minimap\":true") != std::string::npos);
  CHECK(text.find("\"selection\":[\"d\",\"b\",\"e\"]") != std::string::npos);
  CHECK(text.find("old") == std::string::npos);
  CHECK(read_view(write_view(SavedView{}, problem, text), problem) == SavedView{});
}

TEST_CASE("view: buffers are found by their names, of several with one name by their place among them") {
  const Problem problem = buffers_named({"x", "y", "x", "\xff\xfe", "x", ""});
  SavedView view;
  view.selection = {4, 3, 0, 1, 2, 5};
  const std::string text = write_view(view, problem, "");
  CHECK(text == R"({"selection":[{"id":"x","occurrence":3},3,"x","y",{"id":"x","occurrence":2},""]})");
  CHECK(read_view(text, problem) == view);
  // Somebody has put a row in front and has taken the second x away.
  const Problem edited = buffers_named({"new", "x", "y", "\xff\xfe", "x", ""});
  CHECK(read_view(text, edited).selection == std::vector<BufferIndex>{3, 1, 2, 4, 5});
}

TEST_CASE("view: older files name rows") {
  const Problem problem = buffers_named({"a", "b", "c"});
  CHECK(selected("[2,0]", problem) == std::vector<BufferIndex>{2, 0});
  CHECK(selected("[2,3,18446744073709551615]", problem) == std::vector<BufferIndex>{2});
}

TEST_CASE("view: what the selection does not make sense of is left out") {
  const Problem problem = buffers_named({"a", "b", "a"});
  CHECK(selected(R"(["b",{"occurrence":1},{"id":7},{"id":"a","occurrence":"x"},{"id":"a","occurrence":9}])", problem) ==
        std::vector<BufferIndex>{1});
  CHECK(selected(R"([{"id":"a"},{"id":"a","occurrence":2},[],null,true,"a"])", problem) ==
        std::vector<BufferIndex>{0, 2});
  CHECK(selected(R"({"id":"a"})", problem).empty());
}

TEST_CASE("view: nonsense is as good as nothing") {
  const Problem problem = buffers_named({"b"});
  CHECK(read_view("", problem) == SavedView{});
  CHECK(read_view("[1", problem) == SavedView{});
  CHECK(read_view("[1]", problem) == SavedView{});
  CHECK(read_view(R"({"camera":{"time_low":5,"time_high":5,"byte_low":0,"byte_high":1}})", problem) == SavedView{});
  CHECK(read_view(R"({"camera":{"time_low":"x","time_high":5,"byte_low":0,"byte_high":1e300}})", problem) ==
        SavedView{});
  CHECK(read_view(R"({"camera":7,"filter":[],"selection":[-1.5,"a"],"plan":{}})", problem) == SavedView{});
}
