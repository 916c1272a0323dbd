#include "app/commands/amounts.h"

#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

template <typename T>
CLI::Option* add_amount(CLI::App& command, const std::string& name, std::optional<T>& value, const std::string& help,
                        std::optional<T> (*parse)(std::string_view), const std::string& type_name,
                        const std::string& wanted) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name, parse, wanted](const std::string& text) {
            value = parse(text);
            if (!value) throw CLI::ValidationError(name, "'" + text + "' is not " + wanted);
          },
          help)
      ->type_name(type_name);
}

}  // namespace

CLI::Option* add_bytes_option(CLI::App& command, const std::string& name, std::optional<std::int64_t>& value,
                              const std::string& help) {
  return add_amount(command, name, value, help, &parse_bytes, "BYTES", "a number of bytes, such as 4096 or 1MiB");
}

CLI::Option* add_seconds_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                                const std::string& help) {
  return add_amount(command, name, value, help, &parse_seconds, "TIME", "a time, such as 10s or 250ms");
}

CLI::Option* add_ratio_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                              const std::string& help) {
  return add_amount(command, name, value, help, &parse_ratio, "SHARE", "a share, such as 5% or 0.05");
}

CLI::Validator at_least(std::int64_t lowest) {
  return CLI::Validator(
      [lowest](const std::string& text) {
        const std::optional<std::int64_t> number = parse_int(text);
        if (number && *number >= lowest) return std::string();
        return fmt::format("'{}' is not a whole number from {} on", text, lowest);
      },
      "");
}

}  // namespace stowage
