#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "tests/cli/program.h"

// The HTML page in a real browser: a script at its end does what a reader's hands do and leaves what it saw in the
// title.

namespace stowage::testing {
namespace {

bool has_chromium() {
  return std::system("command -v chromium >/dev/null 2>&1") == 0;  // NOLINT: nothing of it is given by others
}

/// The title after the script has run; the page must end with the body.
std::string title_after(const Bench& bench, const std::string& name, const std::string& script) {
  std::string page = bench.read(name);
  const std::size_t end = page.rfind("</body>");
  REQUIRE(end != std::string::npos);
  page.insert(end,
              "<script>const seen=[],$=id=>document.getElementById(id),all=s=>document.querySelectorAll(s).length;" +
                  script + "document.title=seen.join('|');</script>");
  bench.write("scripted.html", page);
  const std::string command =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --window-size=1200,800 --virtual-time-budget=2000 "
      "--user-data-dir='" +
      bench.path("profile") + "' --dump-dom 'file://" + bench.path("scripted.html") + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string dom;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get())) dom.append(part.data(), count);
  const std::size_t from = dom.find("<title>");
  REQUIRE(from != std::string::npos);
  return dom.substr(from + 7, dom.find("</title>", from) - from - 7);
}

}  // namespace

TEST_CASE("page: it holds the steps of a run when animate makes it, and its data can end no script") {
  const Bench bench;
  bench.write("toy.csv", "id,lower,upper,size\n</script><b>,0,3,64\nb,1,4,32\n");
  CHECK(bench.run({"animate", "toy.csv", "-a", "first-fit-size", "--out", "toy.html"}).code == 0);
  const std::string page = bench.read("toy.html");
  CHECK(contains(page, "\"steps\":["));
  CHECK(contains(page, "[\"place\",0,0,"));
  CHECK_FALSE(contains(page, "</script><b>"));
  CHECK(bench.run({"plan", "toy.csv", "-a", "first-fit-size", "--out", "plan.html"}).code == 0);
  CHECK_FALSE(contains(bench.read("plan.html"), "\"steps\":["));
  const Ran boxes = bench.run({"animate", "toy.csv", "-a", "idealloc", "--view", "boxes", "--out", "b.html"});
  CHECK(boxes.code == 2);
  CHECK_FALSE(bench.has("b.html"));
}

TEST_CASE("page: in a browser it zooms, finds, tells and plays") {
  if (!has_chromium()) {
    MESSAGE("skipped: Chromium is not installed");
    return;
  }
  const Bench bench;
  bench.write("toy.csv", kToy);
  REQUIRE(bench.run({"animate", "toy.csv", "-a", "first-fit-size", "--out", "toy.html"}).code == 0);
  CHECK(title_after(bench, "toy.html",
                    "seen.push(all('rect.b'), $('caption').textContent);"             // before the first step
                    "for(let i=0;i<3;++i)$('on').click(); seen.push(all('rect.b'));"  // a phase, looked at, placed
                    "$('back').click(); seen.push(all('rect.b'));"                    // a step back
                    "$('last').click(); seen.push(all('rect.b'), $('on').disabled);"
                    "find.value='a'; find.dispatchEvent(new Event('input'));"
                    "seen.push($('count').textContent, all('rect.on'));"
                    "find.value=''; find.dispatchEvent(new Event('input'));") ==
        "0|Nothing is placed yet.|1|0|4|false|1 found|1");
  CHECK(title_after(bench, "toy.html",
                    "$('last').click(); const box=svg.getBoundingClientRect();"
                    "const x=box.left+px(0.5), y=box.top+py(10);"
                    "svg.dispatchEvent(new PointerEvent('pointermove',{clientX:x,clientY:y,pointerId:1}));"
                    "seen.push(tip.style.display, tip.textContent.split('\\n')[0]);"
                    "for(let i=0;i<8;++i)svg.dispatchEvent(new WheelEvent('wheel',{clientX:x,clientY:y,deltaY:-300,"
                    "cancelable:true}));"
                    "seen.push(all('rect.b')); $('fit').click(); seen.push(all('rect.b'));") == "block|a|1|4");
}

}  // namespace stowage::testing
