#include "core/io/saved_view.h"

#include <doctest/doctest.h>

using namespace stowage;

TEST_CASE("view: what is written is read again, and unknown members stay") {
  SavedView view;
  view.camera = SavedView::Camera{0.1, 17.25, -3, 1e12, 1'000'000'000'000, 0};
  view.filter = "kind:\"weight\"";
  view.plan = "best-fit";
  view.space = "host";
  view.selection = {3, 1, 4};
  const std::string text = write_view(view, R"({"minimap":true,"filter":"old"})");
  CHECK(read_view(text) == view);
  CHECK(text.find("\"minimap\":true") != std::string::npos);
  CHECK(text.find("old") == std::string::npos);
  CHECK(read_view(write_view(SavedView{}, text)) == SavedView{});
}

TEST_CASE("view: nonsense is as good as nothing") {
  CHECK(read_view("") == SavedView{});
  CHECK(read_view("[1") == SavedView{});
  CHECK(read_view("[1]") == SavedView{});
  CHECK(read_view(R"({"camera":{"time_low":5,"time_high":5,"byte_low":0,"byte_high":1}})") == SavedView{});
  CHECK(read_view(R"({"camera":{"time_low":"x","time_high":5,"byte_low":0,"byte_high":1e300}})") == SavedView{});
  CHECK(read_view(R"({"camera":7,"filter":[],"selection":[-1.5,"a"],"plan":{}})") == SavedView{});
}
