#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

// Duplicates a descriptor to a number above 2, so that assigning the child's standard streams overwrites none of them.
static int above_standard(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

int linux_spawn(const char *program, char *const arguments[], char *const environment[], const int streams[3], bool apart, pid_t *child) {
  int given[3] = {-1, -1, -1}, status = 0;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int i = 0; i < 3; i++) {
    if (streams[i] >= 0) {
      given[i] = above_standard(streams[i]);
      if (given[i] < 0 && status == 0) status = errno;
      posix_spawn_file_actions_adddup2(&actions, given[i], i);
    } else if (streams[i] == linux_stream_nothing) {
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    }
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  sigset_t usual, none;
  sigemptyset(&none);
  if (apart) {
    sigfillset(&usual);
  } else {
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
  }
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (apart ? POSIX_SPAWN_SETPGROUP : 0));
  if (status == 0) status = posix_spawnp(child, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  for (int i = 0; i < 3; i++) if (given[i] >= 0) close(given[i]);
  return status;
}

int linux_socket_pair(int descriptors[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors);
}

int64_t linux_send(int descriptor, const void *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int64_t linux_receive(int descriptor, void *bytes, size_t count) {
  return recv(descriptor, bytes, count, MSG_DONTWAIT);
}

bool linux_peer_user(int descriptor, uid_t *user) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  *user = peer.uid;
  return true;
}

bool linux_limit_memory(int64_t bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  // Set no limit, because a sanitizer reserves terabytes of address space for its shadow memory.
  return bytes > 0;
#else
  struct rlimit limit = {.rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes};
  return setrlimit(RLIMIT_DATA, &limit) == 0;
#endif
}

int64_t linux_clock(int clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (int64_t)(time.tv_sec % ((int64_t)1 << 32)) * 1000000000 + time.tv_nsec;
}

pid_t linux_thread_number(bool *is_first, char name[16]) {
  static __thread pid_t number;
  *is_first = number == 0;
  if (*is_first) {
    number = gettid();
    if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
  }
  return number;
}

#if __has_include(<sys/sdt.h>)
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
volatile unsigned short swiftwing_event_semaphore __attribute__((section(".probes")));

void linux_trace(const char *name, const char *category, int64_t frame, int64_t began, int64_t ended) {
  STAP_PROBE5(swiftwing, event, name, category, frame, began, ended);
}
#else
volatile unsigned short swiftwing_event_semaphore;

void linux_trace(const char *name, const char *category, int64_t frame, int64_t began, int64_t ended) {
  (void)name, (void)category, (void)frame, (void)began, (void)ended;
}
#endif

void linux_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
