#include "core/io/layout_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stowage {

Result<LayoutFile> parse_layout(std::string_view text) {
  try {
    const auto json = nlohmann::json::parse(text);
    LayoutFile layout;
    json.at("layout").get_to(layout.name);
    json.at("title").get_to(layout.title);
    json.at("panels").get_to(layout.panels);
    if (const auto sizes = json.find("sizes"); sizes != json.end()) sizes->get_to(layout.sizes);
    return layout;
  } catch (const nlohmann::json::exception& fault) {
    return input_error(fmt::format("the layout cannot be read: {}", fault.what()));
  }
}

}  // namespace stowage
