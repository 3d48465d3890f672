// What several of the lab's programs share.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// CLOCK_MONOTONIC in seconds: the clock of V4L2 time stamps.
double now(void);

/// Ends the program with status 1 and one sentence on standard error.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/// The first line of a small text file such as a sysfs attribute, without its line end; false when it cannot be read.
bool read_line(const char *path, char *line, size_t size);

/// Writes text to a sysfs attribute; false with errno set when it is refused.
bool write_text(const char *path, const char *text);
