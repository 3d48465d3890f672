// Linux calls that Swift's Glibc module leaves out, under fixed signatures.
#ifndef SWIFTWING_CLINUX_H
#define SWIFTWING_CLINUX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Makes a non-blocking, close-on-exec eventfd with count 0. Returns -1 and sets errno on failure.
int linux_eventfd(void);
/// Adds one to the count.
void linux_eventfd_signal(int descriptor);
/// Sets the count to zero. Returns whether it was above zero.
bool linux_eventfd_drain(int descriptor);
/// Waits until `descriptor` is readable; with a negative time, for ever. Returns 1 if
/// it is readable, 0 after the time-out, -1 if interrupted or failed.
int linux_poll_readable(int descriptor, int64_t nanoseconds);
/// Names a thread. At most 15 bytes of `name` are kept.
void linux_name_thread(pthread_t thread, const char *name);
/// Makes a close-on-exec pipe. Returns 0, or -1 and sets errno.
int linux_pipe(int descriptors[2]);
/// Begins or ends the processor's reading of a mapped DMA-BUF. Returns false and sets errno on failure.
bool linux_dmabuf_reading(int descriptor, bool begins);

/// What `linux_spawn` accepts for a standard stream in place of a descriptor: the stream of this process, or `/dev/null`.
enum { linux_stream_inherited = -1, linux_stream_nothing = -2 };
/// Starts a program with these three standard streams. `program` is a path, or a name that is searched in PATH.
/// The program inherits no other descriptor, no blocked signal and no ignored SIGPIPE. If `apart`, it gets a
/// process group of its own, and no signal is ignored. Returns 0, or an error number of `errno`.
int linux_spawn(const char *program, char *const arguments[], char *const environment[], const int streams[3], bool apart, pid_t *child);
/// Makes a pair of connected close-on-exec sockets. Returns 0, or -1 and sets errno.
int linux_socket_pair(int descriptors[2]);
/// Sends as many bytes as the socket takes at once, without SIGPIPE. Returns their number, or -1 and sets errno.
int64_t linux_send(int descriptor, const void *bytes, size_t count);
/// Receives the bytes that have arrived, without waiting. Returns their number, 0 at the end, or -1 and sets errno.
int64_t linux_receive(int descriptor, void *bytes, size_t count);
/// Gets the user at the other end of a Unix socket. Returns false and sets errno on failure.
bool linux_peer_user(int descriptor, uid_t *user);
/// Limits the memory that this process may allocate (`RLIMIT_DATA`); sets no limit
/// in a sanitizer's build. Returns false and sets errno on failure.
bool linux_limit_memory(int64_t bytes);
/// The time of a clock of clock_gettime(2), in nanoseconds. Its seconds wrap after 136 years: a clock that was set
/// arbitrarily may be beyond the range of nanoseconds. Swift calls this function, too, because `struct timespec`
/// belongs to whichever module has imported it first, which differs between distributions.
int64_t linux_clock(int clock);
/// The kernel's number of this thread, queried once for each thread. Sets `is_first` at the thread's first call, and then gets its name, too.
pid_t linux_thread_number(bool *is_first, char name[16]);
/// Whether a tracer (bpftrace, perf, SystemTap) listens at the probe `swiftwing:event`. Always false if sys/sdt.h was missing when
/// this was compiled. Costs one read of memory: tracers count themselves there ("semaphore" in SystemTap's UST probes).
static inline bool linux_is_traced(void) {
  extern volatile unsigned short swiftwing_event_semaphore;
  return __builtin_expect(swiftwing_event_semaphore != 0, false);
}
/// Reports an event at the probe `swiftwing:event`, with its arguments in this order; times in nanoseconds of CLOCK_MONOTONIC.
void linux_trace(const char *name, const char *category, int64_t frame, int64_t began, int64_t ended);
/// Returns freed memory to the system that the allocator keeps for reuse.
void linux_trim_memory(void);

#endif
