#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

const char *path_of(int descriptor) {
  static char path[256];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int reason = errno;  // a message may name both
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = reason;
  if (length <= 0) return "the device";
  path[length] = 0;
  return path;
}

bool read_line(const char *path, char *line, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, line, size - 1);
  close(file);
  if (length < 0) return false;
  line[length] = 0;
  line[strcspn(line, "\n")] = 0;
  return true;
}

bool write_text(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t written = write(file, text, strlen(text));
  close(file);
  return written == (ssize_t)strlen(text);
}
