#include "app/commands/interrupt.h"

#include <chrono>
#include <csignal>

namespace stowage {
namespace {

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

sigset_t interrupts_and_wake() {
  sigset_t set = interrupts();
  sigaddset(&set, SIGUSR1);  // from our own destructor
  return set;
}

}  // namespace

// A handler may do next to nothing, a thread that waits for the signal may do anything: so the signals are blocked
// and one thread fetches them.
Interrupt::Interrupt() {
  const sigset_t set = interrupts_and_wake();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::thread([this] { wait(); });
}

Interrupt::~Interrupt() {
  ending_ = true;
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
  const sigset_t set = interrupts_and_wake();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interrupt::wait() {
  const sigset_t all = interrupts_and_wake();
  int signal = 0;
  if (sigwait(&all, &signal) != 0 || ending_) return;
  stop_.request_stop();
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // a second one reaches this thread and ends the program
  while (!ending_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace stowage
