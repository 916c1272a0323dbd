#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands/amounts.h"
#include "app/commands/command.h"
#include "app/commands/lookup.h"
#include "app/commands/pictures.h"
#include "app/version.h"
#include "core/io/file.h"

#ifdef STOWAGE_HAS_WINDOW
#include "app/window.h"
#include "core/io/settings.h"
#endif

namespace stowage {
namespace {

constexpr const char* kAbout =
    "Stowage plans where the buffers of a neural network lie in memory, and shows why.\n"
    "Without a subcommand it opens the window; every subcommand works without a display.";

constexpr const char* kFooter =
    "Bytes are written 4096, 64KiB or 1MiB; times 10s or 250ms; shares 5% or 0.05. '-' is standard input or output.\n"
    "Exit codes: 0 fine; 1 issues found, does not fit, or refused; 2 wrong usage; 3 input or output failed.\n"
    "\n"
    "Examples:\n"
    "  stowage model.csv                                           open the window\n"
    "  stowage plan model.csv --out plan.csv --png plan.png        the best plan, as a file and a picture\n"
    "  stowage check plan.csv --capacity 1MiB                      every violation\n"
    "  stowage compare model.csv                                   all allocators side by side";

struct WindowFlags {
  std::string file;
  std::string config_folder;
  std::string picture;
  std::string size = "1600x1000";
  float scale = 1;
  std::string theme;
  int frames = 0;
};

/// A word that is neither a subcommand nor a file: most likely a slip of the finger.
bool means_a_command(const std::string& word, const CLI::App& program) {
  std::error_code ignored;
  if (word.empty() || word.find('/') != std::string::npos || std::filesystem::exists(word, ignored)) return false;
  if (word.find('.') != std::string::npos) return false;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  say(fmt::format("stowage: no subcommand and no file '{}'{} (all: stowage --help)", word, did_you_mean(word, names)));
  return true;
}

Exit open_window(const WindowFlags& flags) {
#ifdef STOWAGE_HAS_WINDOW
  WindowOptions options;
  options.config_folder = flags.config_folder.empty() ? default_config_folder() : flags.config_folder;
  options.frames = flags.frames;
  if (!flags.picture.empty()) {
    const Result<PictureSize> size = parse_size(flags.size);
    if (!size) return end_with(size.error());
    options.picture = WindowOptions::Picture{flags.picture, static_cast<int>(size->width),
                                             static_cast<int>(size->height), flags.scale, flags.theme};
  }
  return static_cast<Exit>(run_window(flags.file, options));
#else
  (void)flags;
  say("stowage: this build has no window; see stowage --help for the subcommands");
  return Exit::kFailed;
#endif
}

Exit parse_and_run(CLI::App& program, const Action& action, const WindowFlags& flags, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    const Result<void> written = write_file("-", version_text());
    return written ? Exit::kFine : end_with(written.error());
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (!help && means_a_command(flags.file, program)) return Exit::kUsage;
    program.exit(error);
    return help ? Exit::kFine : Exit::kUsage;
  }
  if (action) return action();
  if (means_a_command(flags.file, program)) return Exit::kUsage;
  return open_window(flags);
}

Exit run(int argc, char** argv) {
  CLI::App program{kAbout, "stowage"};
  program.require_subcommand(0, 1);
  program.set_version_flag("--version", std::string());
  program.get_formatter()->column_width(36);

  WindowFlags flags;
  program.add_option("FILE", flags.file, "The file to open in the window");
  program.add_option("--config", flags.config_folder, "Where the window keeps its settings")->type_name("DIR");
  program.add_option("--picture", flags.picture, "Write a PNG of the window as it shows the file, and end")
      ->type_name("FILE");
  program.add_option("--size", flags.size, "Logical pixels of that picture (default 1600x1000)")->type_name("WxH");
  program.add_option("--scale", flags.scale, "Pixels for each logical one (default 1)")
      ->type_name("N")
      ->check(CLI::Range(0.5F, 4.0F));
  program.add_option("--theme", flags.theme, "dark or light; without it as in the settings")
      ->type_name("THEME")
      ->check(CLI::IsMember({"dark", "light"}));
  program.add_option("--frames", flags.frames, "End the window after so many frames, to measure its start")
      ->type_name("N")
      ->check(at_least(1));

  Action action;
  for (const AddCommand add : subcommands()) add(program, action);
  program.footer(kFooter);  // not before: subcommands would inherit it
  return parse_and_run(program, action, flags, argc, argv);
}

}  // namespace
}  // namespace stowage

int main(int argc, char** argv) {
  try {
    return static_cast<int>(stowage::run(argc, argv));
  } catch (const std::bad_alloc&) {
    stowage::say("stowage: out of memory");
  } catch (const std::exception& error) {
    stowage::say(std::string("stowage: ") + error.what());
  }
  return static_cast<int>(stowage::Exit::kFailed);
}
