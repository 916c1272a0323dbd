#include "core/render/svg_ids.h"

#include <cstddef>
#include <functional>
#include <map>

namespace stowage {

namespace {

constexpr std::string_view kMarks[] = {"id=\"", "href=\"#", "url(#"};

/// Where the next id begins, and npos when there is none.
std::size_t next_id(std::string_view svg, std::size_t from) {
  std::size_t best = std::string_view::npos;
  for (const std::string_view mark : kMarks) {
    const std::size_t found = svg.find(mark, from);
    if (found != std::string_view::npos && found + mark.size() < best) best = found + mark.size();
  }
  return best;
}

}  // namespace

std::string with_steady_ids(std::string_view svg) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::string result;
  result.reserve(svg.size());
  std::size_t done = 0;
  for (std::size_t at = next_id(svg, 0); at != std::string_view::npos; at = next_id(svg, done)) {
    const std::size_t end = svg.find_first_of("\")", at);
    if (end == std::string_view::npos) break;
    result.append(svg.substr(done, at - done));
    const auto entry = numbers.try_emplace(std::string(svg.substr(at, end - at)), numbers.size()).first;
    result.append("i").append(std::to_string(entry->second));
    done = end;
  }
  result.append(svg.substr(done));
  return result;
}

}  // namespace stowage
