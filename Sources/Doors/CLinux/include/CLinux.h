// Linux calls that Swift's Glibc module leaves out, under fixed signatures.
#ifndef SWIFTWING_CLINUX_H
#define SWIFTWING_CLINUX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A non-blocking, close-on-exec eventfd with count 0; -1 and errno on failure.
int linux_eventfd(void);
/// Adds one to the count.
void linux_eventfd_signal(int descriptor);
/// Whether the count was above zero; it is zero afterwards.
bool linux_eventfd_drain(int descriptor);
/// Waits for `descriptor` to become readable: 1 readable, 0 timed out, -1 interrupted or failed. Negative: no timeout.
int linux_poll_readable(int descriptor, int64_t nanoseconds);
/// At most 15 bytes of `name` are kept.
void linux_name_thread(pthread_t thread, const char *name);
/// A close-on-exec pipe; 0, or -1 and errno.
int linux_pipe(int descriptors[2]);
/// Makes a mapped DMA-BUF fit to be read by the processor, and says that this is over; false and errno on failure.
bool linux_dmabuf_reading(int descriptor, bool begins);

/// What a standard stream of a program can be instead of a descriptor of ours.
enum { linux_stream_inherited = -1, linux_stream_nothing = -2 };
/// Starts a program, a path or a name that is looked for in PATH, with these three standard streams. It inherits no other descriptor,
/// no signal that is blocked, and no SIGPIPE that is ignored. One that is apart has a process group of its own, and no signal ignored.
/// 0, or a number of `errno`.
int linux_spawn(const char *program, char *const arguments[], char *const environment[], const int streams[3], bool apart, pid_t *child);
/// Two close-on-exec sockets that lead to each other; 0, or -1 and errno.
int linux_socket_pair(int descriptors[2]);
/// Sends what there is room for, at once and without SIGPIPE; -1 and errno.
int64_t linux_send(int descriptor, const void *bytes, size_t count);
/// Receives what there is, at once; 0 at the end, -1 and errno.
int64_t linux_receive(int descriptor, void *bytes, size_t count);
/// Who is on the other end of a Unix socket; false and errno on failure.
bool linux_peer_user(int descriptor, uid_t *user);
/// Limits what this process may allocate (`RLIMIT_DATA`); a sanitizer's build is left alone. False and errno on failure.
bool linux_limit_memory(int64_t bytes);
/// A clock of clock_gettime(2) in nanoseconds. Of its seconds only 136 years are counted: a clock that was made up may have gone on for longer than
/// nanoseconds can tell. A function for Swift too, because `struct timespec` comes from whichever module has read it first, which differs from one
/// distribution to the next.
int64_t linux_clock(int clock);
/// The kernel's number of this thread, asked once for each: whether that is now, and then its name too.
pid_t linux_thread_number(bool *is_first, char name[16]);
/// Whether a tracer (bpftrace, perf, SystemTap) listens at the probe `swiftwing:event`; never where sys/sdt.h was missing when this was compiled. One read of
/// memory, in which the tracer counts itself ("semaphore" in SystemTap's UST probes).
static inline bool linux_is_traced(void) {
  extern volatile unsigned short swiftwing_event_semaphore;
  return __builtin_expect(swiftwing_event_semaphore != 0, false);
}
/// The probe `swiftwing:event`, with its arguments in this order; times in nanoseconds of CLOCK_MONOTONIC.
void linux_trace(const char *name, const char *category, int64_t frame, int64_t began, int64_t ended);
/// Gives the system back what was freed and is kept for reuse.
void linux_trim_memory(void);

#endif
