#include "CMainThread.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

// Declarations of libswift_Concurrency: the hook that it calls instead of its thread pool, and the function that runs a job. A job without an actor
// runs on the generic executor, whose two words are 0.
typedef __attribute__((swiftcall)) void (*enqueue)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *identity, uintptr_t implementation);

static void (*taker)(void *job);

static __attribute__((swiftcall)) void hand_over(void *job, enqueue original) {
  (void)original;
  taker(job);
}

void main_thread_take_jobs(void (*take)(void *job)) {
  taker = take;
  swift_task_enqueueGlobal_hook = hand_over;
}

void main_thread_run(void *job) { swift_job_run(job, NULL, 0); }

static int told = -1;
static volatile sig_atomic_t latest;

static void note(int number) {
  const int before = errno;
  const uint64_t one = 1;
  latest = number;
  // The eventfd takes 8 bytes or nothing, and nothing only if it is readable already.
  if (write(told, &one, sizeof one) < 0) errno = before;
}

void main_thread_take_signals(int descriptor) {
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  told = descriptor;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int main_thread_signal(void) { return latest; }
