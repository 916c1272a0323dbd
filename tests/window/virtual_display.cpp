#include "tests/window/virtual_display.h"

#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stowage::testing {
namespace {

/// The server writes the number of its display and a line feed once it takes connections, or closes the pipe.
std::string read_line(int file) {
  std::string line;
  char letter = 0;
  while (read(file, &letter, 1) == 1 && letter != '\n') line += letter;
  return line;
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) return;
  const std::string write_end = std::to_string(ends[1]);
  server_ = fork();
  if (server_ == 0) {
    close(ends[0]);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    // -noreset: the server stays as it is when its last client leaves.
    execlp("Xvfb", "Xvfb", "-displayfd", write_end.c_str(), "-screen", "0", "1920x1200x24", "-noreset", "-nolisten",
           "tcp", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  const std::string number = read_line(ends[0]);
  close(ends[0]);
  if (number.empty()) return;
  name_ = ":" + number;
  setenv("DISPLAY", name_.c_str(), 1);
}

VirtualDisplay::~VirtualDisplay() {
  if (server_ <= 0) return;
  kill(server_, SIGTERM);
  waitpid(server_, nullptr, 0);
}

}  // namespace stowage::testing
