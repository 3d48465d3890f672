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
/// Begins or ends the processor's reading of a mapped DMA-BUF (DMA_BUF_IOCTL_SYNC); false and errno on failure.
bool linux_dmabuf_reading(int descriptor, bool begins);

/// Values of `streams` in place of a descriptor: the caller's own stream, or none.
enum { linux_stream_inherited = -1, linux_stream_nothing = -2 };
/// Starts a program (a path, or a name in PATH) with three standard streams. The program inherits no other descriptor, no blocked
/// signal, and not that SIGPIPE is ignored. If `apart`, it has a process group of its own, and ignores no signal.
/// Returns 0, or a number of `errno`.
int linux_spawn(const char *program, char *const arguments[], char *const environment[], const int streams[3], bool apart, pid_t *child);
/// Makes two connected close-on-exec sockets; 0, or -1 and errno.
int linux_socket_pair(int descriptors[2]);
/// Sends as much as fits into the socket's buffer, without waiting and without SIGPIPE. Returns the number of bytes, or -1 and errno.
int64_t linux_send(int descriptor, const void *bytes, size_t count);
/// Receives what has arrived, without waiting. Returns the number of bytes, 0 at the end, or -1 and errno.
int64_t linux_receive(int descriptor, void *bytes, size_t count);
/// Gets the user at the other end of a Unix socket; false and errno on failure.
bool linux_peer_user(int descriptor, uid_t *user);
/// Limits the memory that this process may allocate (`RLIMIT_DATA`); has no effect in a build with a sanitizer. False and errno on failure.
bool linux_limit_memory(int64_t bytes);
/// Reads a clock of clock_gettime(2), in nanoseconds. Seconds count modulo 136 years, so that a clock that was set wildly wrong does not overflow the
/// result. Swift calls this function because the module that `struct timespec` comes from differs from one distribution to the next.
int64_t linux_clock(int clock);
/// Returns the kernel's number of this thread, cached for each thread. On the first call `is_first` is true, and `name` gets the thread's name.
pid_t linux_thread_number(bool *is_first, char name[16]);
/// Whether a tracer (bpftrace, perf, SystemTap) is attached to the probe `swiftwing:event`; false if sys/sdt.h was missing at compile time. It costs
/// one read of the counter that tracers increment (the "semaphore" of SystemTap's UST probes).
static inline bool linux_is_traced(void) {
  extern volatile unsigned short swiftwing_event_semaphore;
  return __builtin_expect(swiftwing_event_semaphore != 0, false);
}
/// Reports an event at the probe `swiftwing:event`, with its arguments in this order; times in nanoseconds of CLOCK_MONOTONIC.
void linux_trace(const char *name, const char *category, int64_t frame, int64_t began, int64_t ended);
/// Returns freed memory, which the allocator keeps for reuse, to the system.
void linux_trim_memory(void);

#endif
