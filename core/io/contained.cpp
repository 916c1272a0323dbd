#include "core/io/contained.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

// The first byte of what comes through the pipe.
constexpr char kAnswer = 'a';
constexpr char kThrown = 't';

/// Address space that this process has; 0 when the system does not tell.
std::int64_t pages_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  std::array<char, 64> text{};
  const std::size_t length = std::fread(text.data(), 1, text.size() - 1, file);
  std::fclose(file);
  return length == 0 ? 0 : std::strtoll(text.data(), nullptr, 10);
}

template <typename Resource>  // an enumeration here, a plain number elsewhere
void limit(Resource what, rlim_t value) {
  const rlimit both{value, value};
  (void)setrlimit(what, &both);
}

void confine(const ContainLimits& limits, std::int64_t pages) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGPIPE}) {
    (void)std::signal(number, SIG_DFL);  // nobody here writes reports or asks questions
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds) + 1);
  if (pages > 0) {
    const std::int64_t now = pages * sysconf(_SC_PAGESIZE);
    limit(RLIMIT_AS, static_cast<rlim_t>(now + limits.memory));
  }
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) (void)dup2(nowhere, stream);
}

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void be_the_copy(const std::function<std::string()>& work, int pipe) {
  std::string answer;
  try {
    answer = kAnswer + work();
  } catch (const std::exception& thrown) {
    answer = kThrown + std::string(thrown.what());
  } catch (...) {
    answer = kThrown;
  }
  send(pipe, answer);
  _exit(0);
}

/// Everything that comes through the pipe; an error when it comes too late or is too much.
Result<std::string> received(int pipe, const ContainLimits& limits) {
  const auto now = [] {
    return std::chrono::steady_clock::now();
  };
  const auto until =
      now() + std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(limits.seconds));
  std::string text;
  std::array<char, 65536> piece{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now()).count();
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = left <= 0 ? 0 : poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return input_error("took more than " + format_seconds(limits.seconds));
    const ssize_t count = read(pipe, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > limits.answer) return input_error("answered with too much");
  }
}

}  // namespace

Result<std::string> run_contained(const std::function<std::string()>& work, const ContainLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return input_error("could not be started");
  const std::int64_t pages = pages_in_use();
  const pid_t copy = fork();
  if (copy == 0) {
    confine(limits, pages);
    be_the_copy(work, ends[1]);
  }
  close(ends[1]);
  Result<std::string> text =
      copy < 0 ? Result<std::string>(input_error("could not be started")) : received(ends[0], limits);
  close(ends[0]);
  if (copy < 0) return text;
  if (!text) kill(copy, SIGKILL);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) continue;
  if (!text) return text;
  if (WIFSIGNALED(status)) return input_error(fmt::format("broke off (signal {})", WTERMSIG(status)));
  if (text->empty()) return input_error("broke off");
  const std::string rest = text->substr(1);
  if (text->front() == kAnswer) return rest;
  return input_error(rest.empty() ? "gave up" : rest);
}

}  // namespace stowage
