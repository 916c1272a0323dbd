#include "core/io/file_version.h"

#include <fmt/format.h>

#include "core/io/intake.h"

namespace stowage {

bool take_version(json::Fields& fields, std::string_view format, std::int64_t newest) {
  if (const auto found = fields.take("format")) {
    if (found->kind() != json::Kind::kString || json::decode(*found) != format) {
      fields.complain("format", fmt::format("this is {}, not \"{}\"", shown(found->text), format));
      return false;
    }
  }
  const auto version = fields.take("version");
  if (!version) return true;
  const auto number = json::to_int64(*version);
  if (!number || *number < 1) {
    fields.complain("version", "expected a version from 1 on, found " + shown(version->text));
    return false;
  }
  if (*number > newest) {
    fields.complain("version", fmt::format("the file was written by a newer version of Stowage (file version {}, this "
                                           "program reads {})",
                                           *number, newest));
    return false;
  }
  return true;
}

}  // namespace stowage
