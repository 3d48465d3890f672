#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void linux_eventfd_signal(int descriptor) { eventfd_write(descriptor, 1); }

bool linux_eventfd_drain(int descriptor) {
  eventfd_t count;
  return eventfd_read(descriptor, &count) == 0;
}

int linux_poll_readable(int descriptor, int64_t nanoseconds) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  struct timespec timeout = {
      .tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(&entry, 1, nanoseconds < 0 ? NULL : &timeout, NULL);
}

void linux_name_thread(pthread_t thread, const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(thread, kept);
}

int linux_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

bool linux_dmabuf_reading(int descriptor, bool begins) {
  struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_READ | (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
  return ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync) == 0;
}
