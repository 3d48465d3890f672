#include "CCounting.h"
#include <gnu/libc-version.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

bool counting_is_built(void) { return true; }

void counting_begin(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void counting_end(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}

#else

bool counting_is_built(void) { return false; }
void counting_begin(void) {}
void counting_end(const char *name) { (void)name; }

#endif

const char *counting_c_library(void) { return gnu_get_libc_version(); }

__attribute__((noinline)) void counting_rounds(uint64_t rounds) {
  if (rounds == 0) return;
#if defined(__x86_64__)
  __asm__ volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
#elif defined(__aarch64__)
  __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(rounds) : : "cc");
#else
#error "the instructions of this processor are not known here"
#endif
}
