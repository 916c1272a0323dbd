#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace stowage {

/// An option that takes bytes: "4096", "1MiB", "64k".
CLI::Option* add_bytes_option(CLI::App& command, const std::string& name, std::optional<std::int64_t>& value,
                              const std::string& help);
/// An option that takes a time: "10s", "250ms", "2min".
CLI::Option* add_seconds_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                                const std::string& help);
/// An option that takes a share: "5%" or "0.05".
CLI::Option* add_ratio_option(CLI::App& command, const std::string& name, std::optional<double>& value,
                              const std::string& help);
/// For an option that takes a whole number: no lower than this one. (The library's own checks name their range with
/// three hundred digits.)
CLI::Validator at_least(std::int64_t lowest);

}  // namespace stowage
