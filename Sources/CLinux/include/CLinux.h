// Linux calls that Swift's Glibc module leaves out, under fixed signatures.
#ifndef SWIFTWING_CLINUX_H
#define SWIFTWING_CLINUX_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
